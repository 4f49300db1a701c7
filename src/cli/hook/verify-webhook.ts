import { hitData } from '../../contract/webhook/webhook-request.js'
import { isSignedBy, type SignedContent } from '../../contract/webhook/webhook-signature.js'
import { eventObjects } from '../../domain/webhook/event.js'
import { RelayError } from '../../errors.js'
import type { SavedHit } from './saved-webhook.js'

/** What is wrong with a hit, for programs. */
export type HitProblem =
  | 'missing_header'
  | 'malformed_header'
  | 'cut_off'
  | 'changed_data'
  | 'other_secret'
  | 'changed_sequence'
  | 'too_old'
  | 'too_new'

/** What a check of a hit came to. */
export type HitCheck = ValidHit | RefusedHit

/** A hit that was signed with the secret, as it is. */
export interface ValidHit {
  readonly valid: true
  /** Of `webhook-id`. */
  readonly id: string
  /** Null where the identifier is not one of this program's. */
  readonly sequence: number | null
  /** ISO 8601. */
  readonly signed_at: string
}

/** A hit that is not to be trusted. */
export interface RefusedHit {
  readonly valid: false
  readonly id: string | null
  readonly problem: HitProblem
  /** One sentence. */
  readonly reason: string
}

/** What a hit is checked against. */
export interface HitCheckOptions {
  /** `whsec_` and base64. */
  readonly secret: string
  /** Milliseconds since the epoch. */
  readonly now: number
  /** Milliseconds by which its time may differ; 0 takes any. */
  readonly tolerance: number
}

type Found = readonly [problem: HitProblem, reason: string]

/** Checks a hit as Standard Webhooks says, and finds out what is wrong with it. Throws `usage` for what is no secret. */
export function checkHit(hit: SavedHit, options: HitCheckOptions): HitCheck {
  assertSecret(options.secret)
  const { headers } = hit
  const { 'webhook-id': id, 'webhook-timestamp': time = '' } = headers
  const found =
    headerProblem(headers) ??
    signatureProblem(hit, options.secret) ??
    sequenceProblem(headers) ??
    ageProblem(Number(time), options)
  if (found !== undefined || id === undefined) {
    const [problem, reason] = found ?? missing('webhook-id')
    return { valid: false, id: id ?? null, problem, reason }
  }
  const signed_at = new Date(Number(time) * 1000).toISOString()
  return { valid: true, id, sequence: sequenceOf(id), signed_at }
}

function headerProblem(headers: SavedHit['headers']): Found | undefined {
  for (const name of ['webhook-id', 'webhook-timestamp', 'webhook-signature']) {
    if ((headers[name] ?? '') === '') return missing(name)
  }
  if (!/^[1-9]\d{0,11}$/.test(headers['webhook-timestamp'] ?? '')) {
    return ['malformed_header', 'The webhook-timestamp header is not a number of seconds.']
  }
  if (/(?:^| )v1,\S/.test(headers['webhook-signature'] ?? '')) return undefined
  return ['malformed_header', 'The webhook-signature header holds no signature of version v1.']
}

function missing(name: string): Found {
  const why = 'it was not signed, or something on its way took the header off'
  return ['missing_header', `The hit has no ${name} header: ${why}.`]
}

function signatureProblem(hit: SavedHit, secret: string): Found | undefined {
  const { headers, body, cutOff } = hit
  if (cutOff > 0) return ['cut_off', `The body was cut off: ${cutOff} bytes are missing.`]
  const id = headers['webhook-id'] ?? ''
  const isSigned = (data: string): boolean => isSigning(headers, data, secret)
  const inBody = body !== ''
  if (isSigned(inBody ? body : (dataInQuery(hit.target) ?? ''))) return undefined
  // The identifier names the object, so what was signed is known although it was changed.
  const message = id.split('_').slice(2).join('_')
  const signed = eventObjects
    .flatMap(object => [true, false].map(post => hitData(object, message, post)))
    .find(isSigned)
  if (signed === undefined) {
    const reason =
      'The signature is by another secret, or the webhook-id or webhook-timestamp header was changed.'
    return ['other_secret', reason]
  }
  const what = inBody ? 'body' : 'data in the query'
  return ['changed_data', `The ${what} was changed; ${signed} was signed.`]
}

function isSigning(headers: SavedHit['headers'], body: string, secret: string): boolean {
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
function dataInQuery(target: string): string | undefined {
  const query = target.slice(target.indexOf('?') + 1).replace(/#.*$/s, '')
  const last =
    query
      .split('&')
      .at(-1)
      ?.replace(/^(\w+)\[id\]=/, '$1%5Bid%5D=') ?? ''
  return eventObjects.some(object => last.startsWith(`${object}%5Bid%5D=`)) ? last : undefined
}

/** The sequence header is not signed itself, but the identifier is, and names it. */
function sequenceProblem(headers: SavedHit['headers']): Found | undefined {
  const told = headers['webhook-sequence']
  const signed = sequenceOf(headers['webhook-id'] ?? '')
  if (told === undefined || signed === null || told === String(signed)) return undefined
  const reason = `The webhook-sequence header was changed: it says ${told}, the signed identifier ${signed}.`
  return ['changed_sequence', reason]
}

function sequenceOf(id: string): number | null {
  const digits = /^evt_(\d{1,15})_/.exec(id)?.[1]
  return digits === undefined ? null : Number(digits)
}

function ageProblem(
  seconds: number,
  { now, tolerance }: Pick<HitCheckOptions, 'now' | 'tolerance'>,
): Found | undefined {
  const age = Math.floor(now / 1000) - seconds
  if (tolerance === 0 || Math.abs(age) * 1000 <= tolerance) return undefined
  const allowed = timeSpan(tolerance / 1000)
  if (age > 0) {
    const why = 'it may be an old one that somebody sent again'
    return [
      'too_old',
      `The hit was signed ${timeSpan(age)} ago, and ${allowed} are allowed: ${why}.`,
    ]
  }
  const ahead = `The hit was signed ${timeSpan(-age)} ahead of this machine's clock`
  return ['too_new', `${ahead}, and ${allowed} are allowed: one of the clocks is wrong.`]
}

function timeSpan(seconds: number): string {
  if (seconds < 120) return `${Math.round(seconds)} s`
  if (seconds < 2 * 3600) return `${Math.round(seconds / 60)} min`
  if (seconds < 48 * 3600) return `${Math.round(seconds / 3600)} h`
  return `${Math.round(seconds / 86_400)} days`
}
