import { expect, test } from 'vitest'
import { claim, createDue, draft, drain } from '../acts.js'
import { basic, expectError, form, json, multipart, request, signIn, useCallers } from '../calls.js'

const at = useCallers()

/** Every operation below /api/1, with an unknown id. */
const operations: [string, string][] = [
  ['GET', '/message'],
  ['NEXT', '/message'],
  ['POST', '/message'],
  ['GET', '/message/next'],
  ['GET', '/message/1'],
  ['PATCH', '/message/1'],
  ['DELETE', '/message/1'],
  ['PUT', '/message/1/success'],
  ['PUT', '/message/1/failure'],
  ['PUT', '/message/1/release'],
  ['PUT', '/message/1/lock'],
  ['PUT', '/message/1/unlock'],
  ['PUT', '/message/1/undelete'],
  ['GET', '/subscription/events'],
  ['GET', '/subscription'],
  ['POST', '/subscription'],
  ['GET', '/subscription/1'],
  ['PATCH', '/subscription/1'],
  ['DELETE', '/subscription/1'],
  ['GET', '/user'],
  ['GET', '/user/app'],
  ['GET', '/do-not-text'],
  ['POST', '/do-not-text'],
  ['DELETE', '/do-not-text/1'],
]

test.each(operations)('4 %s %s without a token is invalid_token', async (method, path) => {
  const reply = await request(`${at.baseUrl}/api/1${path}`, method)
  expectError(reply, 401, 'invalid_token')
  expect(reply.headers.get('www-authenticate')).toMatch(/^Bearer\b/)
})

test.each([
  ['a form', (message: object) => ({ body: form({ message }) })],
  [
    'a form with a field for each member',
    (message: object) => ({
      body: new URLSearchParams(
        Object.entries(message).map(([name, value]): [string, string] => [
          `message[${name}]`,
          value,
        ]),
      ),
    }),
  ],
  ['multipart', (message: object) => ({ body: multipart({ message }) })],
  ['JSON', (message: object) => json({ message })],
  [
    'JSON with the message as its text',
    (message: object) => json({ message: JSON.stringify(message) }),
  ],
])('4 POST /message accepts its parameter as %s', async (_, encode) => {
  const message = draft({ message: 'Grüße, 你好 & 👋🏽 + 100 %' })
  const reply = await at.api.call('POST', '/message', encode(message))
  expect(reply.status, reply.text).toBe(200)
  expect(reply.body.message).toMatchObject(message)
})

test.each([
  'application/json; charset=utf-8',
  'Application/JSON',
  'application/json;charset="UTF-8"',
])('4 the content type %s is JSON', async type => {
  const body = JSON.stringify({ message: draft() })
  const reply = await at.api.call('POST', '/message', { headers: { 'content-type': type }, body })
  expect(reply.status, reply.text).toBe(200)
})

test('4 a form field with another percent-encoding is the same', async () => {
  const message = draft({ message: 'a b+c' })
  const body = `message=${encodeURIComponent(JSON.stringify(message)).replaceAll('%20', '+')}`
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const reply = await at.api.call('POST', '/message', { headers, body })
  expect(reply.body.message).toMatchObject(message)
})

test('4 HEAD claims no message, and issues and revokes no token', async () => {
  await drain(at.phone)
  const { status } = await at.phone.call('HEAD', '/message/next')
  const made = await createDue(at.api)
  const due = await at.phone.call('HEAD', '/message/next', { headers: { prefer: 'wait=9' } })
  expect([status, due.status, due.text]).toEqual([404, 200, ''])
  expect((await claim(at.secondPhone)).id).toBe(made.id)
  await drain(at.secondPhone)
  expect((await at.api.call('HEAD', '/message/next')).status).toBe(403)

  const { secret_key, api_key } = at.owner
  const headers = { authorization: basic(secret_key, api_key) }
  expect((await request(`${at.baseUrl}/oauth`, 'HEAD', { headers })).status).toBe(200)
  const wrong = { authorization: basic(secret_key, 'wrong') }
  expect((await request(`${at.baseUrl}/oauth`, 'HEAD', { headers: wrong })).status).toBe(401)
  const token = (await signIn(at.baseUrl, secret_key, api_key)).body.access_token
  await request(`${at.baseUrl}/oauth/revoke?token=${token}`, 'HEAD')
  const bearer = { authorization: `Bearer ${token}` }
  expect((await request(`${at.baseUrl}/api/1/user`, 'GET', { headers: bearer })).status).toBe(200)
})
