import { createHmac, createPublicKey, hash, verify } from 'node:crypto'
import { isSameSecret } from '../../../../util/crypto/secrets.js'
import { type CheckSignature, getHeader, isRecent } from './signed-webhook.js'

/** Sinch's x-sinch-webhook-signature: HMAC-SHA256 of body, nonce and time, with dots between. */
export const checkSinchSignature: CheckSignature = (webhook, { secret, now }) => {
  const time = getHeader(webhook, 'x-sinch-webhook-signature-timestamp')
  const nonce = getHeader(webhook, 'x-sinch-webhook-signature-nonce')
  const hmac = createHmac('sha256', secret).update(webhook.body).update(`.${nonce}.${time}`)
  const signature = getHeader(webhook, 'x-sinch-webhook-signature')
  return isRecent(time, now) && isSameSecret(hmac.digest('base64'), signature)
}

/** SMSGate's X-Signature: hexadecimal HMAC-SHA256 of the body and X-Timestamp. */
export const checkSmsgateSignature: CheckSignature = (webhook, { secret, now }) => {
  const time = getHeader(webhook, 'x-timestamp')
  const hmac = createHmac('sha256', secret).update(webhook.body).update(time)
  const signature = getHeader(webhook, 'x-signature').toLowerCase()
  return isRecent(time, now) && isSameSecret(hmac.digest('hex'), signature)
}

/** textbee's X-Signature: hexadecimal HMAC-SHA256 of the body. It signs no time. */
export const checkTextbeeSignature: CheckSignature = (webhook, { secret }) => {
  const expected = createHmac('sha256', secret).update(webhook.body).digest('hex')
  const signature = getHeader(webhook, 'x-signature').toLowerCase()
  return isSameSecret(expected, signature.replace(/^sha256=/, ''))
}

/** Bird's messagebird-signature: HMAC-SHA256 of time, address and SHA-256 of the body, in lines. */
export const checkBirdSignature: CheckSignature = (webhook, { secret, now }) => {
  const time = getHeader(webhook, 'messagebird-request-timestamp')
  const hmac = createHmac('sha256', secret)
    .update(`${time}\n${webhook.url}\n`)
    .update(hash('sha256', webhook.body, 'buffer'))
  const signature = getHeader(webhook, 'messagebird-signature')
  return isRecent(time, now) && isSameSecret(hmac.digest('base64'), signature)
}

/** The bytes before an Ed25519 public key in SubjectPublicKeyInfo (RFC 8410). */
const ed25519Prefix = Buffer.from('302a300506032b6570032100', 'hex')

/** Telnyx's telnyx-signature-ed25519: Ed25519 of the time and the body, with `|` between. */
export const checkTelnyxSignature: CheckSignature = (webhook, { secret, now }) => {
  const time = getHeader(webhook, 'telnyx-timestamp')
  const signature = Buffer.from(getHeader(webhook, 'telnyx-signature-ed25519'), 'base64')
  const raw = Buffer.from(secret, 'base64')
  if (raw.length !== 32 || signature.length !== 64 || !isRecent(time, now)) return false
  const der = Buffer.concat([ed25519Prefix, raw])
  const key = createPublicKey({ key: der, format: 'der', type: 'spki' })
  return verify(null, Buffer.concat([Buffer.from(`${time}|`), webhook.body]), key, signature)
}
