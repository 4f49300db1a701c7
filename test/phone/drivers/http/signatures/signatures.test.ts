import { generateKeyPairSync } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import {
  checkSinchSignature,
  checkSmsgateSignature,
  checkTelnyxSignature,
} from '../../../../../src/phone/drivers/http/signatures/body-signatures.js'
import {
  checkHttpsmsSignature,
  checkVonageSignature,
} from '../../../../../src/phone/drivers/http/signatures/jwt-signatures.js'
import * as sharedSecret from '../../../../../src/phone/drivers/http/signatures/shared-secret.js'
import type {
  CheckSignature,
  SignedWebhook,
} from '../../../../../src/phone/drivers/http/signatures/signed-webhook.js'
import {
  checkPlivoSignature,
  checkPlivoV2Signature,
  checkTwilioSignature,
} from '../../../../../src/phone/drivers/http/signatures/url-signatures.js'
import { now } from '../providers/provider-case.js'
import {
  createToken,
  httpsmsClaims,
  httpsmsSigner,
  plivoSigner,
  plivoV2Signer,
  sinchSigner,
  smsgateSigner,
  telnyxPublicKey,
  telnyxSigner,
  twilioSigner,
  vonageSigner,
} from '../providers/sign-webhook.js'

const url = 'https://sms.example.com/x'
const form = { 'content-type': 'application/x-www-form-urlencoded' }

function webhook(fields: Partial<SignedWebhook>): SignedWebhook {
  return { method: 'POST', url, pathEnd: '', headers: {}, body: Buffer.alloc(0), ...fields }
}

function context(secret: string, at = now) {
  const download = async () => Promise.reject(new Error('No download.'))
  return { secret, now: at, topic: '', download }
}

describe('the examples that providers publish are valid', () => {
  it.each([
    ['+14158675309', 'RSOYDt4T1cUTdK1PDd93/VVr8B8='],
    ['+12349013030', '0/KCTR6DLpKmkAf8muzZqo1nDgQ='],
  ])('Twilio, call from %s', (from, signature) => {
    const fields = { CallSid: 'CA1234567890ABCDE', Caller: from, Digits: '1234', From: from }
    const body = Buffer.from(String(new URLSearchParams({ ...fields, To: '+18005551212' })))
    const headers = { ...form, 'x-twilio-signature': signature }
    const signed = { url: 'https://mycompany.com/myapp.php?foo=1&bar=2', headers, body }
    expect(checkTwilioSignature(webhook(signed), context('12345'))).toBe(true)
    const withPort = { ...signed, url: signed.url.replace('.com', '.com:443') }
    expect(checkTwilioSignature(webhook(withPort), context('12345'))).toBe(true)
  })

  it('Sinch', () => {
    const body = Buffer.from(
      '{"app_id":"","accepted_time":"2021-10-18T17:49:13.813615Z",' +
        '"project_id":"e2df3a34-a71b-4448-9db5-a8d2baad28e4","contact_create_notification":' +
        '{"contact":{"id":"01FJA8B466Y0R2GNXD78MD9SM1","channel_identities":[{"channel":"SMS",' +
        '"identity":"48123456789","app_id":""}],"display_name":"New Test Contact",' +
        '"email":"new.contact@email.com","external_id":"","metadata":"","language":"EN_US"}},' +
        '"message_metadata":""}',
    )
    const headers = {
      'x-sinch-webhook-signature-nonce': '01FJA8B4A7BM43YGWSG9GBV067',
      'x-sinch-webhook-signature-timestamp': '1634579353',
      'x-sinch-webhook-signature': '6bpJoRmFoXVjfJIVglMoJzYXxnoxRujzR4k2GOXewOE=',
    }
    const given = context('foo_secret1234', 1_634_579_353_000)
    expect(checkSinchSignature(webhook({ headers, body }), given)).toBe(true)
  })
})

const body = Buffer.from('{"a":1}')
const request = { method: 'POST', path: '/x', query: '', headers: {}, body }

describe('a signature of another time is refused', () => {
  it.each<[string, CheckSignature, (time: number) => Record<string, string>, string]>([
    ['Sinch', checkSinchSignature, at => sinchSigner('key')(request, url, at), 'key'],
    ['SMSGate', checkSmsgateSignature, at => smsgateSigner('key')(request, url, at), 'key'],
    ['Telnyx', checkTelnyxSignature, at => telnyxSigner(request, url, at), telnyxPublicKey],
    ['Vonage', checkVonageSignature, at => vonageSigner('key')(request, url, at), 'key'],
    ['httpSMS', checkHttpsmsSignature, at => httpsmsSigner('key')(request, url, at), 'key'],
  ])('of %s', (_, check, sign, secret) => {
    const test = (time: number) => check(webhook({ headers: sign(time), body }), context(secret))
    expect([now - 60_000, now, now + 60_000].map(test)).toEqual([true, true, true])
    expect([now - 3_600_000, now + 3_600_000].map(test)).toEqual([false, false])
  })
})

describe('a changed webhook is refused', () => {
  it('of Vonage with another body', () => {
    const headers = vonageSigner('key')(request, url, now)
    const changed = webhook({ headers, body: Buffer.from('{"a":2}') })
    expect(checkVonageSignature(changed, context('key'))).toBe(false)
  })

  it('of Twilio in JSON whose hash is another', () => {
    const signed = `${url}?bodySHA256=00`
    const headers = { ...twilioSigner('key')({ ...request, body: Buffer.alloc(0) }, signed, now) }
    const json = { ...headers, 'content-type': 'application/json' }
    expect(
      checkTwilioSignature(webhook({ url: signed, headers: json, body }), context('key')),
    ).toBe(false)
  })

  it('of Plivo with another field, or without a nonce', () => {
    const fields = Buffer.from('From=1&Text=a')
    const headers = plivoSigner('key')({ ...request, body: fields }, url, now)
    const check = (change: Partial<SignedWebhook>) =>
      checkPlivoSignature(webhook({ headers, body: fields, ...change }), context('key'))
    expect(check({})).toBe(true)
    expect(check({ body: Buffer.from('From=1&Text=b') })).toBe(false)
    const { 'x-plivo-signature-v3-nonce': _, ...rest } = headers
    expect(check({ headers: rest })).toBe(false)
  })

  it('of Plivo with a signature of the address only, unless that was chosen', () => {
    const fields = Buffer.from('From=1&Text=a')
    const headers = plivoV2Signer('key')({ ...request, body: fields }, url, now)
    const signed = webhook({ headers, body: fields })
    expect(checkPlivoSignature(signed, context('key'))).toBe(false)
    expect(checkPlivoV2Signature(signed, context('key'))).toBe(true)
    const other = webhook({ headers, body: fields, url: `${url}2` })
    expect(checkPlivoV2Signature(other, context('key'))).toBe(false)
  })

  it('of Telnyx with the key of another account', () => {
    const { publicKey } = generateKeyPairSync('ed25519')
    const other = publicKey.export({ format: 'der', type: 'spki' }).subarray(-32)
    const headers = telnyxSigner(request, url, now)
    const check = (key: string) => checkTelnyxSignature(webhook({ headers, body }), context(key))
    expect([check(other.toString('base64')), check('not a key')]).toEqual([false, false])
  })
})

describe('a token of httpSMS', () => {
  const claims = httpsmsClaims(url, now)
  const { aud: _aud, ...withoutAudience } = claims
  const { iat: _iat, ...withoutBegin } = claims
  const { exp: _exp, ...withoutEnd } = claims
  const check = (token: string) =>
    checkHttpsmsSignature(
      webhook({ headers: { authorization: `Bearer ${token}` }, body }),
      context('key'),
    )

  it.each([
    ['as httpSMS makes it', claims],
    ['for several addresses', { ...claims, aud: ['https://other.example.com', url] }],
    ['for the address with a slash', { ...claims, aud: `${url}/` }],
    ['that lives an hour', { ...claims, iat: now / 1000 - 60, exp: now / 1000 + 3540 }],
  ])('%s is accepted', (_, given) => expect(check(createToken(given, 'key'))).toBe(true))

  it.each([
    ['of no algorithm', createToken(claims, '', 'none')],
    ['of another algorithm', createToken(claims, 'key', 'HS512')],
    ...['toString', 'constructor', '__proto__', 'hasOwnProperty'].map(name => [
      ...([`of the algorithm ${name}`, createToken(claims, 'key', name)] as const),
    ]),
    ['of an algorithm that is no text', createToken(claims, 'key', { toString: 1 } as never)],
    ['without an end', createToken(withoutEnd, 'key')],
    ['without a begin', createToken(withoutBegin, 'key')],
    ['that lives longer', createToken({ ...claims, exp: now / 1000 + 3601 }, 'key')],
    ['of yesterday', createToken({ ...claims, iat: now / 1000 - 86_400 }, 'key')],
    ['of tomorrow', createToken(httpsmsClaims(url, now + 86_400_000), 'key')],
    [
      'that ends tomorrow',
      createToken({ ...withoutBegin, iat: now / 1000 + 86_400, exp: now / 1000 + 86_500 }, 'key'),
    ],
    ['that begins later', createToken({ ...claims, nbf: now / 1000 + 90 }, 'key')],
    ['without an audience', createToken(withoutAudience, 'key')],
    ['for another address', createToken({ ...claims, aud: 'https://b.example.com/x' }, 'key')],
    ['for what is no address', createToken({ ...claims, aud: ['undefined', null] }, 'key')],
    ['of another issuer', createToken({ ...claims, iss: 'b.example.com' }, 'key')],
    ['with a fourth part', `${createToken(claims, 'key')}.x`],
    ['that is not one', 'a.b.c'],
  ])('%s is refused', (_, token = '') => expect(check(token)).toBe(false))
})

it('a secret may be the end of the path or the password of the login', () => {
  const login = (pair: string) => ({
    authorization: `Basic ${Buffer.from(pair).toString('base64')}`,
  })
  const check = (change: Partial<SignedWebhook>) =>
    sharedSecret.checkSharedSecret(webhook(change), context('key'))
  expect(check({ pathEnd: 'key' })).toBe(true)
  expect(check({ headers: login('user:key') })).toBe(true)
  expect(check({ pathEnd: 'ke' })).toBe(false)
  expect(check({ headers: login('key') })).toBe(true)
  expect(check({})).toBe(false)
})
