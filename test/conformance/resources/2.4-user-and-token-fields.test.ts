import { expect, test } from 'vitest'
import { signIn, useCallers } from '../calls.js'

const at = useCallers()

test('2.5 a token reply has a token, its type, its lifetime and its scope', async () => {
  const reply = await signIn(at.baseUrl, at.owner.secret_key, at.owner.api_key)
  expect(reply.status).toBe(200)
  expect(reply.headers.get('content-type')).toMatch(/^application\/json\b/)
  expect(reply.body).toEqual({
    access_token: expect.stringMatching(/^[A-Za-z0-9\-._~+/]+=*$/),
    token_type: 'Bearer',
    expires_in: 28800,
    scope: '/api/1/*',
  })
})

test('2.5 the scope of an application-key token is limited to messages', async () => {
  const { body } = await signIn(at.baseUrl, at.owner.secret_key, at.owner.app_key)
  expect(body.scope).toBe('/api/1/message /api/1/message/*')
})

test('2.5 a User Login gets a Bearer token too', async () => {
  const { body } = await signIn(at.baseUrl, at.owner.email, at.owner.password)
  expect(body).toMatchObject({ token_type: 'Bearer', expires_in: 28800 })
  expect(body.scope).toMatch(/^\/api\/1\//)
})
