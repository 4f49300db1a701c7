import { createHash, createHmac, generateKeyPairSync, sign } from 'node:crypto'
import type { WebhookRequest } from '../../../../../src/phone/driver-port/webhook.js'

type Sign = (request: WebhookRequest, url: string, now: number) => Record<string, string>

const form = { 'content-type': 'application/x-www-form-urlencoded' }

function sortForm(body: Buffer): string {
  const fields = [...new URLSearchParams(body.toString())]
  return fields
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flat()
    .join('')
}

function hashHex(data: Buffer | string): string {
  return createHash('sha256').update(data).digest('hex')
}

/** A JSON Web Token with HS256 (RFC 7515). */
export function createToken(claims: object, key: string, algorithm = 'HS256'): string {
  const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url')
  const signed = `${encode({ typ: 'JWT', alg: algorithm })}.${encode(claims)}`
  return `${signed}.${createHmac('sha256', key).update(signed).digest('base64url')}`
}

export const twilioSigner =
  (key: string): Sign =>
  ({ body }, url) => ({
    ...form,
    'x-twilio-signature': createHmac('sha1', key)
      .update(url + sortForm(body))
      .digest('base64'),
  })

export const plivoV2Signer =
  (key: string): Sign =>
  (_request, url) => ({
    ...form,
    'x-plivo-signature-v2-nonce': '42',
    'x-plivo-signature-v2': createHmac('sha256', key).update(`${url}42`).digest('base64'),
  })

export const plivoSigner =
  (key: string): Sign =>
  ({ body }, url) => ({
    ...form,
    'x-plivo-signature-v3-nonce': '42',
    'x-plivo-signature-ma-v3': createHmac('sha256', key)
      .update(`${url}?${sortForm(body)}.42`)
      .digest('base64'),
  })

export const vonageSigner =
  (key: string): Sign =>
  ({ body }, _, now) => {
    const claims = { iat: now / 1000, iss: 'Vonage', payload_hash: hashHex(body) }
    return { authorization: `Bearer ${createToken(claims, key)}` }
  }

export const messagebirdSigner =
  (key: string): Sign =>
  ({ body }, url, now) => {
    const seconds = now / 1000
    const hashed = body.length === 0 ? {} : { payload_hash: hashHex(body) }
    const times = { nbf: seconds, exp: seconds + 60, jti: 'a' }
    const claims = { iss: 'MessageBird', ...times, url_hash: hashHex(url), ...hashed }
    return { 'messagebird-signature-jwt': createToken(claims, key) }
  }

export const httpsmsSigner =
  (key: string): Sign =>
  (_request, url, now) => ({ authorization: `Bearer ${createToken(httpsmsClaims(url, now), key)}` })

/** As httpSMS makes them. */
export function httpsmsClaims(url: string, now: number) {
  const seconds = now / 1000
  const times = { iat: seconds, nbf: seconds - 600, exp: seconds + 600 }
  return { aud: url, iss: 'api.httpsms.com', sub: 'user', ...times }
}

export const sinchSigner =
  (key: string): Sign =>
  ({ body }, _, now) => {
    const signed = `${body}.01FJA8B4A7.${now / 1000}`
    return {
      'x-sinch-webhook-signature-algorithm': 'HmacSHA256',
      'x-sinch-webhook-signature-nonce': '01FJA8B4A7',
      'x-sinch-webhook-signature-timestamp': String(now / 1000),
      'x-sinch-webhook-signature': createHmac('sha256', key).update(signed).digest('base64'),
    }
  }

export const smsgateSigner =
  (key: string): Sign =>
  ({ body }, _, now) => ({
    'x-timestamp': String(now / 1000),
    'x-signature': createHmac('sha256', key)
      .update(`${body}${now / 1000}`)
      .digest('hex'),
  })

export const textbeeSigner =
  (key: string): Sign =>
  ({ body }) => ({ 'x-signature': createHmac('sha256', key).update(body).digest('hex') })

export const birdSigner =
  (key: string): Sign =>
  ({ body }, url, now) => {
    const hash = createHash('sha256').update(body).digest()
    const signed = Buffer.concat([Buffer.from(`${now / 1000}\n${url}\n`), hash])
    return {
      'messagebird-request-timestamp': String(now / 1000),
      'messagebird-signature': createHmac('sha256', key).update(signed).digest('base64'),
    }
  }

const telnyxKeys = generateKeyPairSync('ed25519')

/** The public key as Telnyx shows it: 32 bytes in base64. */
export const telnyxPublicKey = telnyxKeys.publicKey
  .export({ format: 'der', type: 'spki' })
  .subarray(-32)
  .toString('base64')

export const telnyxSigner: Sign = ({ body }, _, now) => {
  const signed = Buffer.from(`${now / 1000}|${body}`)
  return {
    'telnyx-timestamp': String(now / 1000),
    'telnyx-signature-ed25519': sign(null, signed, telnyxKeys.privateKey).toString('base64'),
  }
}

const snsKeys = generateKeyPairSync('rsa', { modulusLength: 2048 })

/** In place of a certificate: what verifies the signature of AWS SNS. */
export const snsCertificate = snsKeys.publicKey.export({ format: 'pem', type: 'spki' }).toString()

/** The envelope of AWS SNS around a message. */
export function createSnsEnvelope(
  fields: Readonly<Record<string, string>>,
  SigningCertURL = 'https://sns.eu-west-1.amazonaws.com/SimpleNotificationService-01ab.pem',
): object {
  const signed = Object.keys(fields)
    .sort()
    .map(name => `${name}\n${fields[name]}\n`)
    .join('')
  return {
    ...fields,
    SignatureVersion: '2',
    SigningCertURL,
    Signature: sign('sha256', Buffer.from(signed), snsKeys.privateKey).toString('base64'),
  }
}
