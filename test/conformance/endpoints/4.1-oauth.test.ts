import { expect, test } from 'vitest'
import {
  basic,
  createCaller,
  expectError,
  form,
  json,
  request,
  signIn,
  signInCaller,
  useCallers,
} from '../calls.js'

const at = useCallers()

const freshToken = async (key: 'api_key' | 'app_key' = 'api_key') =>
  (await signIn(at.baseUrl, at.owner.secret_key, at.owner[key])).body.access_token

const revokeUrl = (token: string) => `${at.baseUrl}/oauth/revoke?token=${encodeURIComponent(token)}`

const statusWith = async (token: string) =>
  (await createCaller(at.baseUrl, token).get('/message')).status

test('4.1 GET /oauth accepts e-mail and password for a User Login token', async () => {
  const caller = await signInCaller(at.baseUrl, at.owner.email, at.owner.password)
  expect((await caller.get('/user/app')).status).toBe(200)
})

test.each<[string, () => string | undefined]>([
  ['no Authorization header', () => undefined],
  ['a wrong API key', () => basic(at.owner.secret_key, 'wrong')],
  ['an empty API key', () => basic(at.owner.secret_key, '')],
  ['a wrong secret key', () => basic('wrong', at.owner.api_key)],
  ['the API key of another account', () => basic(at.owner.secret_key, at.other.api_key)],
  ['the application key of another account', () => basic(at.owner.secret_key, at.other.app_key)],
  ['a wrong password', () => basic(at.owner.email, 'wrong')],
  ['the password of another account', () => basic(at.owner.email, at.other.password)],
  ['the secret key with the password', () => basic(at.owner.secret_key, at.owner.password)],
  ['credentials without a colon', () => `Basic ${btoa(at.owner.secret_key)}`],
  ['credentials that are not base64', () => 'Basic %%%'],
  ['a Bearer header', () => `Bearer ${at.api.token}`],
])('4.1 GET /oauth with %s is invalid_client', async (_, header) => {
  const authorization = header()
  const headers = authorization === undefined ? undefined : { authorization }
  const reply = await request(`${at.baseUrl}/oauth`, 'GET', { ...(headers && { headers }) })
  expectError(reply, 401, 'invalid_client')
  expect(reply.headers.get('www-authenticate')).toMatch(/^Basic\b/)
})

test('4.1 POST /oauth is method_not_allowed', async () => {
  const headers = { authorization: basic(at.owner.secret_key, at.owner.api_key) }
  const reply = await request(`${at.baseUrl}/oauth`, 'POST', { headers })
  expectError(reply, 405, 'method_not_allowed')
  expect(reply.headers.get('allow')).toMatch(/\bGET\b/)
})

test.each(['api_key', 'app_key'] as const)(
  '4.1 GET /oauth/revoke revokes a token from the %s',
  async key => {
    const token = await freshToken(key)
    const next = () => createCaller(at.baseUrl, token).get('/message/next')
    expect((await next()).status).not.toBe(401)
    expect((await request(revokeUrl(token), 'GET')).status).toBe(200)
    expectError(await next(), 401, 'invalid_token')
  },
)

test.each([
  ['a form', (token: string) => ({ body: form({ token }) })],
  ['JSON', (token: string) => json({ token })],
])('4.1 POST /oauth/revoke accepts the token in the body as %s', async (_, encode) => {
  const token = await freshToken()
  expect(await statusWith(token)).toBe(200)
  const reply = await request(`${at.baseUrl}/oauth/revoke`, 'POST', encode(token))
  expect(reply.status, reply.text).toBe(200)
  expect(await statusWith(token)).toBe(401)
})

test('4.1 revoking a token again returns 200', async () => {
  const token = await freshToken()
  expect((await request(revokeUrl(token), 'GET')).status).toBe(200)
  expect((await request(revokeUrl(token), 'GET')).status).toBe(200)
})

test('4.1 revoking an unknown token returns 200', async () => {
  expect((await request(revokeUrl('never-issued'), 'GET')).status).toBe(200)
  const body = form({ token: 'never-issued' })
  expect((await request(`${at.baseUrl}/oauth/revoke`, 'POST', { body })).status).toBe(200)
})

test.each(['GET', 'POST'])(
  '4.1 %s /oauth/revoke without a token is invalid_request',
  async method => {
    const reply = await request(`${at.baseUrl}/oauth/revoke`, method)
    expectError(reply, 400, 'invalid_request', 'token')
  },
)
