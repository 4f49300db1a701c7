import { expect, test } from 'vitest'
import { draft } from '../acts.js'
import { expectError, request, signIn, useCallers } from '../calls.js'

const at = useCallers()

test.each(['/api/2/message', '/api/0/message', '/api/message', '/api/01/message', '/message'])(
  '9.1 the path %s, without version 1, is not_found',
  async path => {
    const headers = { authorization: `Bearer ${at.api.token}` }
    expectError(await request(at.baseUrl + path, 'GET', { headers }), 404, 'not_found')
  },
)

test.each(['api_key', 'app_key'] as const)(
  '9.1 the scope for the %s shows version 1',
  async key => {
    const { body } = await signIn(at.baseUrl, at.owner.secret_key, at.owner[key])
    const patterns = body.scope.split(' ')
    expect(patterns.filter(pattern => pattern.startsWith('/api/1/'))).toEqual(patterns)
  },
)

test('9.2 POST of a message and of a subscription returns 200', async () => {
  expect((await at.api.post('/message', { message: draft() })).status).toBe(200)
  const hook = { event: 'message.failed', url: 'http://127.0.0.1:9/' }
  const reply = await at.api.post('/subscription', hook)
  expect(reply.status).toBe(200)
  await at.api.delete(`/subscription/${reply.body.subscription.id}`)
})
