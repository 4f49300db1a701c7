import { formatWebhookData } from '../../../contract/webhook/webhook-request.js'
import { isSignedBy, type SignedContent } from '../../../contract/webhook/webhook-signature.js'
import { eventObjects } from '../../../domain/webhook/event.js'
import { RelayError } from '../../../errors.js'
import { formatDuration } from '../../terminal/durations.js'
import type { IncomingWebhook } from '../webhook-receiver.js'

export type WebhookProblem =
  | 'missing_header'
  | 'malformed_header'
  | 'changed_data'
  | 'other_secret'
  | 'changed_sequence'
  | 'too_old'
  | 'too_new'

type FoundProblem = readonly [problem: WebhookProblem, reason: string]
type Headers = Readonly<Record<string, string>>

/**
 * Verifies the signature of a webhook (Standard Webhooks); undefined if it is valid. `tolerance` is
 * the largest difference in milliseconds between its time and `now`.
 */
export function verifyWebhook(
  webhook: Pick<IncomingWebhook, 'url' | 'headers' | 'body'>,
  options: { readonly secret: string; readonly now: number; readonly tolerance: number },
): FoundProblem | undefined {
  const headers = Object.fromEntries(
    Object.entries(webhook.headers).map(([name, value = '']) => [name, [value].flat().join(' ')]),
  )
  return (
    findHeaderProblem(headers) ??
    findSignatureProblem(webhook, headers, options.secret) ??
    findSequenceProblem(headers) ??
    findAgeProblem(Number(headers['webhook-timestamp']), options)
  )
}

function findHeaderProblem(headers: Headers): FoundProblem | undefined {
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

function findSignatureProblem(
  { url, body }: Pick<IncomingWebhook, 'url' | 'body'>,
  headers: Headers,
  secret: string,
): FoundProblem | undefined {
  const id = headers['webhook-id'] ?? ''
  const isSigned = (data: string): boolean => isSignatureValid(headers, data, secret)
  const inBody = body !== ''
  if (isSigned(inBody ? body : (findDataInQuery(url) ?? ''))) return undefined
  // The webhook's id contains the object's id, so the signed data can be created again.
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

function isSignatureValid(headers: Headers, body: string, secret: string): boolean {
  const content: SignedContent = {
    id: headers['webhook-id'] ?? '',
    timestamp: Number(headers['webhook-timestamp']),
    body,
  }
  return isSignedBy(content, headers['webhook-signature'] ?? '', secret)
}

export function parseSigningSecret(secret: string): string {
  if (/^whsec_[A-Za-z0-9+/]{22,}={0,2}$/.test(secret)) return secret
  throw new RelayError('usage', '--secret must be "whsec_" and base64.', {
    hint: 'Print the secret with `smsrelay hook secret`.',
  })
}

/** Finds the relay's part at the end of a webhook's query. Some tools decode its brackets. */
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
function findSequenceProblem(headers: Headers): FoundProblem | undefined {
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
  { now, tolerance }: { readonly now: number; readonly tolerance: number },
): FoundProblem | undefined {
  const age = Math.floor(now / 1000) * 1000 - seconds * 1000
  if (Math.abs(age) <= tolerance) return undefined
  const allowed = `the limit of ${formatDuration(tolerance)}`
  if (age > 0) {
    const reason = `The webhook was signed ${formatDuration(age)} ago, which exceeds ${allowed}`
    return ['too_old', `${reason}; somebody may have sent it again.`]
  }
  const reason = `The webhook was signed ${formatDuration(-age)} in the future`
  return ['too_new', `${reason}, which exceeds ${allowed}; check both clocks.`]
}
