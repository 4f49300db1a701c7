import { isDeepStrictEqual } from 'node:util'
import { RuleFailure } from './rule-outcome.js'
import type { Fields, SentRequest, VerifyReply } from './verify-http.js'

export const dateTimePattern = /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/

export function expectEqual(
  got: unknown,
  expected: unknown,
  subject = 'the value',
  request?: SentRequest,
): void {
  if (isDeepStrictEqual(got, expected)) return
  throw new RuleFailure(`${subject} ${formatValue(expected)}`, formatValue(got), request)
}

export function expectFields(fields: Fields, expected: Fields, request?: SentRequest): void {
  const found = Object.fromEntries(Object.keys(expected).map(name => [name, fields[name]]))
  expectEqual(found, expected, 'the fields', request)
}

export function expectMatch(got: unknown, pattern: RegExp, subject: string): void {
  if (typeof got === 'string' && pattern.test(got)) return
  throw new RuleFailure(`${subject} that matches ${pattern}`, formatValue(got))
}

export function expectThat(condition: boolean, expected: string, got: unknown): void {
  if (!condition) throw new RuleFailure(expected, formatValue(got))
}

export function expectStatus(reply: VerifyReply, ...statuses: readonly number[]): VerifyReply {
  if (statuses.includes(reply.status)) return reply
  throw new RuleFailure(`status ${statuses.join(' or ')}`, formatReply(reply), reply.request)
}

export function expectSuccess(reply: VerifyReply): VerifyReply {
  if (reply.status >= 200 && reply.status < 300) return reply
  throw new RuleFailure('a status of success (2xx)', formatReply(reply), reply.request)
}

/** Expects any rejection in a reply to `verify`: a status from 400 to 499. */
export function expectRejected(reply: VerifyReply): void {
  if (reply.status >= 400 && reply.status < 500) return
  throw new RuleFailure('an error (4xx)', formatReply(reply), reply.request)
}

/**
 * Expects an error in a reply to `verify`: one of these statuses, and the code anywhere in the
 * body, which other relays may shape differently (docs/reference/interface.md 7).
 */
export function expectError(reply: VerifyReply, statuses: readonly number[], code: string): void {
  if (statuses.includes(reply.status) && reply.text.includes(code)) return
  const expected = `status ${statuses.join(' or ')} with ${code} in the body`
  throw new RuleFailure(expected, formatReply(reply), reply.request)
}

export function readObject(reply: VerifyReply, name: string): Fields {
  const value = isObject(reply.body) ? reply.body[name] : undefined
  if (isObject(value)) return value
  throw new RuleFailure(`JSON with the object ${name}`, formatReply(reply), reply.request)
}

export function readEnvelopes(reply: VerifyReply, plural: string, name: string): Envelope[] {
  const list = isObject(reply.body) ? reply.body[plural] : undefined
  const envelopes = Array.isArray(list) ? list.map(item => toEnvelope(item, name)) : [undefined]
  if (envelopes.every(each => each !== undefined)) return envelopes
  const expected = `JSON with the array ${plural} of objects {${name}, links}`
  throw new RuleFailure(expected, formatReply(reply), reply.request)
}

export interface Envelope {
  readonly fields: Fields
  readonly links: Fields
}

function toEnvelope(item: unknown, name: string): Envelope | undefined {
  if (!isObject(item)) return undefined
  const { [name]: fields, links } = item
  return isObject(fields) && isObject(links) ? { fields, links } : undefined
}

export function readId(reply: VerifyReply, name: string): string {
  const { id } = readObject(reply, name)
  if (typeof id === 'string' && id !== '') return id
  throw new RuleFailure(`${name}.id, a string`, formatReply(reply), reply.request)
}

export function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function formatReply({ status, text }: VerifyReply): string {
  return text === '' ? `status ${status} without a body` : `status ${status}: ${shorten(text)}`
}

function formatValue(value: unknown): string {
  return shorten(value === undefined ? 'nothing' : JSON.stringify(value))
}

const maxShown = 400

export function shorten(text: string): string {
  return text.length <= maxShown ? text : `${text.slice(0, maxShown)}…`
}
