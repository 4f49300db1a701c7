import { formatWebhookData } from '../../contract/webhook/webhook-request.js'
import { isSignedBy, type SignedContent } from '../../contract/webhook/webhook-signature.js'
import { eventObjects } from '../../domain/webhook/event.js'
import { RelayError } from '../../errors.js'
import { formatDuration } from '../terminal/durations.js'
import { toOneLine } from '../terminal/terminal-text.js'
import type { SavedWebhook } from './saved-webhook.js'

export type WebhookProblem =
  | 'missing_header'
  | 'malformed_header'
  | 'cut_off'
  | 'changed_data'
  | 'other_secret'
  | 'changed_sequence'
  | 'too_old'
  | 'too_new'

export type WebhookVerification = ValidWebhook | InvalidWebhook

export interface ValidWebhook {
  readonly valid: true
  readonly id: string
  /** Sequence in the webhook's id; null if the id is not in the form of this relay. */
  readonly sequence: number | null
  /** For `hook verify`: time of the signature in ISO 8601. */
  readonly signed_at: string
}

export interface InvalidWebhook {
  readonly valid: false
  readonly id: string | null
  readonly problem: WebhookProblem
  readonly reason: string
}

export interface VerifyWebhookOptions {
  /** Signing secret for `hook verify`: `whsec_` and base64. */
  readonly secret: string
  readonly now: number
  /** Maximum age or future offset of a webhook's signature in milliseconds; 0: any. */
  readonly tolerance: number
}

type FoundProblem = readonly [problem: WebhookProblem, reason: string]

/**
 * Verifies a saved webhook (Standard Webhooks) for `hook verify`, and finds the problem. Throws
 * `usage` for an invalid secret.
 */
export function verifyWebhook(
  webhook: SavedWebhook,
  options: VerifyWebhookOptions,
): WebhookVerification {
  assertSigningSecret(options.secret)
  const { headers } = webhook
  const { 'webhook-id': id, 'webhook-timestamp': time = '' } = headers
  const found =
    findHeaderProblem(headers) ??
    findSignatureProblem(webhook, options.secret) ??
    findSequenceProblem(headers) ??
    findAgeProblem(Number(time), options)
  if (found !== undefined || id === undefined) {
    const [problem, reason] = found ?? toMissingHeader('webhook-id')
    return { valid: false, id: id ?? null, problem, reason }
  }
  const signed_at = new Date(Number(time) * 1000).toISOString()
  return { valid: true, id, sequence: parseIdSequence(id), signed_at }
}

function findHeaderProblem(headers: SavedWebhook['headers']): FoundProblem | undefined {
  for (const name of ['webhook-id', 'webhook-timestamp', 'webhook-signature']) {
    if ((headers[name] ?? '') === '') return toMissingHeader(name)
  }
  if (!/^[1-9]\d{0,11}$/.test(headers['webhook-timestamp'] ?? '')) {
    return ['malformed_header', 'The webhook-timestamp header is not a number of seconds.']
  }
  if (/(?:^| )v1,\S/.test(headers['webhook-signature'] ?? '')) return undefined
  return ['malformed_header', 'The webhook-signature header has no signature of version v1.']
}

function toMissingHeader(name: string): FoundProblem {
  const cause = 'it is not signed, or a proxy removed the header'
  return ['missing_header', `The webhook has no ${name} header: ${cause}.`]
}

function findSignatureProblem(webhook: SavedWebhook, secret: string): FoundProblem | undefined {
  const { headers, body, missingBytes } = webhook
  if (missingBytes > 0) return ['cut_off', `The body is truncated by ${missingBytes} bytes.`]
  const id = headers['webhook-id'] ?? ''
  const isSigned = (data: string): boolean => isSignatureValid(headers, data, secret)
  const inBody = body !== ''
  if (isSigned(inBody ? body : (findDataInQuery(webhook.target) ?? ''))) return undefined
  // For `hook verify`: a webhook's id contains the object's id, so the signed data can be created
  // again.
  const message = id.split('_').slice(2).join('_')
  const signed = eventObjects
    .flatMap(object => [true, false].map(post => formatWebhookData(object, message, post)))
    .find(isSigned)
  if (signed === undefined) {
    const changed = 'the webhook-id or webhook-timestamp header was changed'
    return ['other_secret', `The signature was made with another secret, or ${changed}.`]
  }
  const location = inBody ? 'body' : 'query string'
  return ['changed_data', `The data in the ${location} was changed; ${signed} was signed.`]
}

function isSignatureValid(headers: SavedWebhook['headers'], body: string, secret: string): boolean {
  const content: SignedContent = {
    id: headers['webhook-id'] ?? '',
    timestamp: Number(headers['webhook-timestamp']),
    body,
  }
  return isSignedBy(content, headers['webhook-signature'] ?? '', secret)
}

/** Checks the flag --secret of `hook verify`. Throws `usage` unless it is `whsec_` and base64. */
export function assertSigningSecret(secret: string): void {
  if (/^whsec_[A-Za-z0-9+/]{22,}={0,2}$/.test(secret)) return
  throw new RelayError('usage', '--secret must be "whsec_" and base64.', {
    hint: 'Print the secret with `smsrelay hook secret`.',
  })
}

/** Finds the relay's part at the end of a saved webhook's query. Some tools decode its brackets. */
function findDataInQuery(target: string): string | undefined {
  const query = target.slice(target.indexOf('?') + 1).replace(/#.*$/s, '')
  const last =
    query
      .split('&')
      .at(-1)
      ?.replace(/^(\w+)\[id\]=/, '$1%5Bid%5D=') ?? ''
  return eventObjects.some(object => last.startsWith(`${object}%5Bid%5D=`)) ? last : undefined
}

/**
 * The header `webhook-sequence` is not signed, but the webhook's id, which contains the sequence,
 * is.
 */
function findSequenceProblem(headers: SavedWebhook['headers']): FoundProblem | undefined {
  const sequence = headers['webhook-sequence']
  const signed = parseIdSequence(headers['webhook-id'] ?? '')
  if (sequence === undefined || signed === null || sequence === String(signed)) return undefined
  const change = `from ${signed} to ${sequence}`
  return ['changed_sequence', `The webhook-sequence header was changed ${change}.`]
}

function parseIdSequence(id: string): number | null {
  const digits = /^evt_(\d{1,15})_/.exec(id)?.[1]
  return digits === undefined ? null : Number(digits)
}

function findAgeProblem(
  seconds: number,
  { now, tolerance }: Pick<VerifyWebhookOptions, 'now' | 'tolerance'>,
): FoundProblem | undefined {
  const age = Math.floor(now / 1000) * 1000 - seconds * 1000
  if (tolerance === 0 || Math.abs(age) <= tolerance) return undefined
  const allowed = `the limit of ${formatDuration(tolerance)}`
  if (age > 0) {
    const reason = `The webhook was signed ${formatDuration(age)} ago, which exceeds ${allowed}`
    return ['too_old', `${reason}; somebody may have sent it again.`]
  }
  const reason = `The webhook was signed ${formatDuration(-age)} in the future`
  return ['too_new', `${reason}, which exceeds ${allowed}; check both clocks.`]
}

export function formatVerification(check: WebhookVerification): string {
  if (!check.valid) return toOneLine(`Not valid. ${check.reason}`)
  return toOneLine(`Valid: ${check.id}, signed ${check.signed_at}.`)
}
