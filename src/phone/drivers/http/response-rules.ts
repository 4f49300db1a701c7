import { STATUS_CODES } from 'node:http'
import { parseRetryAfter } from '../../../net/client/retry-after.js'
import { DriverError, type DriverReceipt } from '../../driver-port/driver.js'
import type { HttpSettings } from './http-driver-settings.js'
import { getJsonValue } from './json-path.js'
import type { ServiceReply } from './service-request.js'
import { interpretStatus, type StatusMeaning } from './status-rules.js'

type ResponseRules = Pick<HttpSettings, 'success' | 'parts' | 'meanings' | 'unsure'>

/** Longest wait that a service may ask for, in milliseconds. */
const longestWait = 15 * 60_000

/** Where services put the sentence that says what was wrong. */
const errorPaths = ['message', 'error.message', 'error', 'errors[0].message', 'detail', 'title']

/** Makes a receipt of an answer, or throws what it means. `now` is in milliseconds since the epoch. */
export function interpretResponse(
  host: string,
  answer: ServiceReply,
  rules: ResponseRules,
  now: number,
): DriverReceipt {
  const { status, body } = answer
  const json = body === undefined ? undefined : parseJson(body)
  const verdict = interpretStatus(status, rules.meanings, rules.unsure)
  if (verdict !== 'sent') throw refusedError(host, answer, json, verdict, now)
  if (status >= 200 && status < 300 && rules.success !== undefined) {
    checkSuccessRule(host, status, json, rules.success, rules.unsure)
  }
  return rules.parts === undefined ? {} : toReceipt(getJsonValue(json, rules.parts))
}

function refusedError(
  host: string,
  { status, headers }: ServiceReply,
  json: unknown,
  kind: Exclude<StatusMeaning, 'sent'>,
  now: number,
): DriverError {
  const said = errorPaths
    .map(path => getJsonValue(json, path))
    .find(each => typeof each === 'string')
  const what = `${host} answered ${status} ${STATUS_CODES[status] ?? ''}`.trim()
  const sentence = typeof said === 'string' && said !== '' ? `${what}: ${said}` : `${what}.`
  const wait = kind === 'trouble' ? parseWait(headers['retry-after'], now) : 0
  return new DriverError(kind, [sentence, ...getAdvice(status)].join(' '), { wait })
}

function getAdvice(status: number): string[] {
  if (status === 401 || status === 403)
    return ['Check the user, the password or the key it is given.']
  if (status === 404 || status === 405) return ['Check the url and the method.']
  if (status >= 300 && status < 400)
    return ['Redirects are not followed: put the new address into url.']
  return []
}

/** A 2xx counts when the answer says what it has to say. */
function checkSuccessRule(
  host: string,
  status: number,
  json: unknown,
  { path, value }: NonNullable<ResponseRules['success']>,
  unsure: ResponseRules['unsure'],
): void {
  const found = getJsonValue(json, path)
  const there = found !== undefined && found !== null && found !== false
  if (value === undefined ? there : String(found) === value) return
  const what =
    there || found === false ? `with ${path} ${JSON.stringify(found)}` : `without ${path}`
  throw new DriverError(
    there || found === false ? 'retry' : unsure,
    `${host} answered ${status}, but ${what}.`,
  )
}

function toReceipt(found: unknown): DriverReceipt {
  const parts = typeof found === 'string' || typeof found === 'number' ? Number(found) : 0
  return Number.isInteger(parts) && parts >= 1 && parts <= 255 ? { parts } : {}
}

/** Seconds or a date (RFC 9110 section 10.2.3), in milliseconds from now. */
function parseWait(header: string | undefined, now: number): number {
  return Math.min(parseRetryAfter(header, now) ?? 0, longestWait)
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
