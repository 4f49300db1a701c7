import { expect, test } from 'vitest'
import { claim, createDue, createMessage, drain, fail, read, subscribe, succeed } from '../acts.js'
import { basic, createCaller, expectError, json, request, signIn, useCallers } from '../calls.js'

const at = useCallers()

const hook = { event: 'message.failed', url: 'http://127.0.0.1:9/' }

test('5.5 a revoked token is rejected everywhere', async () => {
  const { access_token } = (await signIn(at.baseUrl, at.owner.secret_key, at.owner.api_key)).body
  const caller = createCaller(at.baseUrl, access_token)
  expect((await caller.get('/user')).status).toBe(200)
  await request(`${at.baseUrl}/oauth/revoke?token=${encodeURIComponent(access_token)}`, 'GET')
  expectError(await caller.get('/user'), 401, 'invalid_token')
  expectError(await caller.get('/message'), 401, 'invalid_token')
})

test.each([
  ['GET', '/message'],
  ['POST', '/message'],
  ['PATCH', '/message/<id>'],
  ['DELETE', '/message/<id>'],
  ['PUT', '/message/<id>/lock'],
  ['PUT', '/message/<id>/unlock'],
  ['PUT', '/message/<id>/undelete'],
  ['GET', '/subscription'],
  ['POST', '/subscription'],
  ['GET', '/subscription/events'],
  ['GET', '/user'],
  ['GET', '/user/app'],
  ['GET', '/do-not-text'],
  ['POST', '/do-not-text'],
])('5.6 an application-key token on %s %s is insufficient_scope', async (method, path) => {
  const { id } = await createMessage(at.api)
  expectError(await at.phone.call(method, path.replace('<id>', id)), 403, 'insufficient_scope')
  expect((await read(at.api, id)).status).toBe('N')
})

test.each(['GET', 'PATCH', 'DELETE'])(
  '5.6 an application-key token on %s of a subscription is insufficient_scope',
  async method => {
    const made = await subscribe(at.api, hook)
    const reply = await at.phone.call(method, `/subscription/${made.id}`)
    expectError(reply, 403, 'insufficient_scope')
    expect((await at.api.get(`/subscription/${made.id}`)).body.subscription).toEqual(made)
  },
)

test('5.6 an application-key token can use NEXT, read the message and report', async () => {
  await drain(at.phone)
  const [first, second] = [await createDue(at.api), await createDue(at.api)]
  expect((await claim(at.phone)).id).toBe(first.id)
  expect((await at.phone.get('/message/next')).body.message.id).toBe(first.id)
  expect((await at.phone.get(`/message/${first.id}`)).body.message).toEqual(first)
  expect((await succeed(at.phone, first.id)).status).toBe(200)
  expect((await claim(at.phone)).id).toBe(second.id)
  expect((await fail(at.phone, second.id)).status).toBe(200)
})

test('5.6 API-key and User Login tokens can use everything except NEXT', async () => {
  for (const caller of [at.api, at.person]) {
    const { id } = await createMessage(caller)
    const replies = [
      await caller.get('/message'),
      await caller.get(`/message/${id}`),
      await caller.patch(`/message/${id}`, { message: { message: 'edited' } }),
      await fail(caller, id),
      await succeed(caller, id),
      await caller.delete(`/message/${id}`),
      await caller.get('/subscription'),
      await caller.get('/subscription/events'),
      await caller.get('/user'),
    ]
    expect(replies.map(({ status }) => status)).toEqual(Array(9).fill(200))
    expectError(await caller.next(), 403, 'insufficient_scope')
  }
})

test('5.6 an API-key token and a User Login token share one account', async () => {
  const { id } = await createMessage(at.person)
  expect((await read(at.api, id)).id).toBe(id)
})

test.each<[string, () => string]>([
  ['an unknown token', () => 'Bearer never-issued'],
  ['an empty token', () => 'Bearer '],
  ['the API key as token', () => `Bearer ${at.owner.api_key}`],
  ['a token with one more letter', () => `Bearer ${at.api.token}x`],
  ['a token without its last letter', () => `Bearer ${at.api.token.slice(0, -1)}`],
  ['a token as Basic credentials', () => basic(at.api.token, '')],
  ['valid keys as Basic credentials', () => basic(at.owner.secret_key, at.owner.api_key)],
  ['the token without a scheme', () => at.api.token],
])('5.9 %s is invalid_token', async (_, header) => {
  const headers = { authorization: header() }
  const reply = await request(`${at.baseUrl}/api/1/message`, 'GET', { headers })
  expectError(reply, 401, 'invalid_token')
  expect(reply.headers.get('www-authenticate')).toMatch(/^Bearer\b/)
})

test('5.9 a token in the query is ignored', async () => {
  const url = `${at.baseUrl}/api/1/message?access_token=${at.api.token}&token=${at.api.token}`
  expectError(await request(url, 'GET'), 401, 'invalid_token')
})

test('5.9 a request without a token changes nothing', async () => {
  const { id } = await createMessage(at.api)
  const url = `${at.baseUrl}/api/1/message/${id}`
  expectError(await request(url, 'DELETE'), 401, 'invalid_token')
  expectError(await request(`${url}/success`, 'PUT', json({ parts: 1 })), 401, 'invalid_token')
  expect((await read(at.api, id)).status).toBe('N')
})
