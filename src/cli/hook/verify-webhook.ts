import { formatWebhookData } from '../../contract/webhook/webhook-request.js'
import { isSignedBy, type SignedContent } from '../../contract/webhook/webhook-signature.js'
import { eventObjects } from '../../domain/webhook/event.js'
import { RelayError } from '../../errors.js'
import { toOneLine } from '../terminal/terminal-text.js'
import type { SavedWebhook } from './saved-webhook.js'

/** What is wrong with a hit, for programs. */
export type WebhookProblem =
  | 'missing_header'
  | 'malformed_header'
  | 'cut_off'
  | 'changed_data'
  | 'other_secret'
  | 'changed_sequence'
  | 'too_old'
  | 'too_new'

/** What a check of a hit came to. */
export type WebhookVerification = ValidWebhook | InvalidWebhook

/** A hit that was signed with the secret, as it is. */
export interface ValidWebhook {
  readonly valid: true
  /** Of `webhook-id`. */
  readonly id: string
  /** Null where the identifier is not one of this program's. */
  readonly sequence: number | null
  /** ISO 8601. */
  readonly signed_at: string
}

/** A hit that is not to be trusted. */
export interface InvalidWebhook {
  readonly valid: false
  readonly id: string | null
  readonly problem: WebhookProblem
  /** One sentence. */
  readonly reason: string
}

/** What a hit is checked against. */
export interface VerifyWebhookOptions {
  /** `whsec_` and base64. */
  readonly secret: string
  /** Milliseconds since the epoch. */
  readonly now: number
  /** Milliseconds by which its time may differ; 0 takes any. */
  readonly tolerance: number
}

type FoundProblem = readonly [problem: WebhookProblem, reason: string]

/** Checks a hit as Standard Webhooks says, and finds out what is wrong with it. Throws `usage` for what is no secret. */
export function verifyWebhook(
  hit: SavedWebhook,
  options: VerifyWebhookOptions,
): WebhookVerification {
  assertSecret(options.secret)
  const { headers } = hit
  const { 'webhook-id': id, 'webhook-timestamp': time = '' } = headers
  const found =
    findHeaderProblem(headers) ??
    findSignatureProblem(hit, options.secret) ??
    findSequenceProblem(headers) ??
    findAgeProblem(Number(time), options)
  if (found !== undefined || id === undefined) {
    const [problem, reason] = found ?? toMissingHeader('webhook-id')
    return { valid: false, id: id ?? null, problem, reason }
  }
  const signed_at = new Date(Number(time) * 1000).toISOString()
  return { valid: true, id, sequence: parseSequence(id), signed_at }
}

function findHeaderProblem(headers: SavedWebhook['headers']): FoundProblem | undefined {
  for (const name of ['webhook-id', 'webhook-timestamp', 'webhook-signature']) {
    if ((headers[name] ?? '') === '') return toMissingHeader(name)
  }
  if (!/^[1-9]\d{0,11}$/.test(headers['webhook-timestamp'] ?? '')) {
    return ['malformed_header', 'The webhook-timestamp header is not a number of seconds.']
  }
  if (/(?:^| )v1,\S/.test(headers['webhook-signature'] ?? '')) return undefined
  return ['malformed_header', 'The webhook-signature header holds no signature of version v1.']
}

function toMissingHeader(name: string): FoundProblem {
  const why = 'it was not signed, or something on its way took the header off'
  return ['missing_header', `The hit has no ${name} header: ${why}.`]
}

function findSignatureProblem(hit: SavedWebhook, secret: string): FoundProblem | undefined {
  const { headers, body, missingBytes: cutOff } = hit
  if (cutOff > 0) return ['cut_off', `The body was cut off: ${cutOff} bytes are missing.`]
  const id = headers['webhook-id'] ?? ''
  const isSigned = (data: string): boolean => isSignatureValid(headers, data, secret)
  const inBody = body !== ''
  if (isSigned(inBody ? body : (findDataInQuery(hit.target) ?? ''))) return undefined
  // The identifier names the object, so what was signed is known although it was changed.
  const message = id.split('_').slice(2).join('_')
  const signed = eventObjects
    .flatMap(object => [true, false].map(post => formatWebhookData(object, message, post)))
    .find(isSigned)
  if (signed === undefined) {
    const reason =
      'The signature is by another secret, or the webhook-id or webhook-timestamp header was changed.'
    return ['other_secret', reason]
  }
  const what = inBody ? 'body' : 'data in the query'
  return ['changed_data', `The ${what} was changed; ${signed} was signed.`]
}

function isSignatureValid(headers: SavedWebhook['headers'], body: string, secret: string): boolean {
  const content: SignedContent = {
    id: headers['webhook-id'] ?? '',
    timestamp: Number(headers['webhook-timestamp']),
    body,
  }
  return isSignedBy(content, headers['webhook-signature'] ?? '', secret)
}

function assertSecret(secret: string): void {
  if (/^whsec_[A-Za-z0-9+/]{22,}={0,2}$/.test(secret)) return
  throw new RelayError('usage', 'The secret is not one that signs hits.', {
    hint: 'It is `whsec_` and base64, as `smsrelay hook secret` prints it.',
  })
}

/** The service puts its part behind the query of the customer; some tools show the brackets decoded. */
function findDataInQuery(target: string): string | undefined {
  const query = target.slice(target.indexOf('?') + 1).replace(/#.*$/s, '')
  const last =
    query
      .split('&')
      .at(-1)
      ?.replace(/^(\w+)\[id\]=/, '$1%5Bid%5D=') ?? ''
  return eventObjects.some(object => last.startsWith(`${object}%5Bid%5D=`)) ? last : undefined
}

/** The sequence header is not signed itself, but the identifier is, and names it. */
function findSequenceProblem(headers: SavedWebhook['headers']): FoundProblem | undefined {
  const told = headers['webhook-sequence']
  const signed = parseSequence(headers['webhook-id'] ?? '')
  if (told === undefined || signed === null || told === String(signed)) return undefined
  const reason = `The webhook-sequence header was changed: it says ${told}, the signed identifier ${signed}.`
  return ['changed_sequence', reason]
}

function parseSequence(id: string): number | null {
  const digits = /^evt_(\d{1,15})_/.exec(id)?.[1]
  return digits === undefined ? null : Number(digits)
}

function findAgeProblem(
  seconds: number,
  { now, tolerance }: Pick<VerifyWebhookOptions, 'now' | 'tolerance'>,
): FoundProblem | undefined {
  const age = Math.floor(now / 1000) - seconds
  if (tolerance === 0 || Math.abs(age) * 1000 <= tolerance) return undefined
  const allowed = formatTimeSpan(tolerance / 1000)
  if (age > 0) {
    const why = 'it may be an old one that somebody sent again'
    return [
      'too_old',
      `The hit was signed ${formatTimeSpan(age)} ago, and ${allowed} are allowed: ${why}.`,
    ]
  }
  const ahead = `The hit was signed ${formatTimeSpan(-age)} ahead of this machine's clock`
  return ['too_new', `${ahead}, and ${allowed} are allowed: one of the clocks is wrong.`]
}

function formatTimeSpan(seconds: number): string {
  if (seconds < 120) return `${Math.round(seconds)} s`
  if (seconds < 2 * 3600) return `${Math.round(seconds / 60)} min`
  if (seconds < 48 * 3600) return `${Math.round(seconds / 3600)} h`
  return `${Math.round(seconds / 86_400)} days`
}

/** The result of a check on one line. */
export function formatVerification(check: WebhookVerification): string {
  if (!check.valid) return toOneLine(`Not valid. ${check.reason}`)
  return toOneLine(`Valid: ${check.id}, signed ${check.signed_at}.`)
}
