import { timingSafeEqual } from 'node:crypto'
import { signWebhook } from '../../../contract/webhook/webhook-signature.js'
import { RelayError } from '../../../errors.js'
import type { IncomingWebhook } from '../webhook-receiver.js'
import type { ReceivedWebhook } from './received-webhook.js'

/** Seconds that a hit's clock and this one may differ (Standard Webhooks, "Timestamp validation"). */
const toleranceSeconds = 300

/** Says whether a hit is signed with a secret and was signed lately; `now` in milliseconds since the epoch. */
export type SignatureCheck = (
  hit: ReceivedWebhook,
  headers: IncomingWebhook['headers'],
  now: number,
) => boolean

/** Makes a check with a secret, `whsec_` and base64. Throws `usage`. */
export function createSignatureCheck(secret: string): SignatureCheck {
  sign(secret, { id: 'probe', timestamp: 0, body: '' })
  return (hit, headers, now) => {
    const timestamp = Number(headers['webhook-timestamp'])
    if (!Number.isInteger(timestamp) || Math.abs(now / 1000 - timestamp) > toleranceSeconds)
      return false
    const expected = sign(secret, { id: hit.id, timestamp, body: hit.data })
    const given = String(headers['webhook-signature'] ?? '').split(' ')
    return given.some(each => isEqual(each, expected))
  }
}

function sign(secret: string, content: Parameters<typeof signWebhook>[0]): string {
  try {
    if (!secret.startsWith('whsec_')) throw new TypeError('no prefix')
    return signWebhook(content, [secret]) ?? ''
  } catch (cause) {
    throw new RelayError('usage', '--secret must be "whsec_" and base64.', {
      hint: 'See `smsrelay hook secret`.',
      cause,
    })
  }
}

function isEqual(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)]
  return a.length === b.length && timingSafeEqual(a, b)
}
