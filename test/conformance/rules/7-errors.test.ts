import { expect, test } from 'vitest'
import { createMessage, subscribe } from '../acts.js'
import { expectError, omitRequestId, type Reply, request, useCallers } from '../calls.js'

const at = useCallers()

const missing = '01890000-0000-7000-8000-000000000000'
const hook = { event: 'message.failed', url: 'http://127.0.0.1:9/hook' }

test.each<[string, number, string, () => Promise<Reply>]>([
  ['GET of an unknown message', 404, 'not_a_message', () => at.api.get(`/message/${missing}`)],
  [
    'DELETE of an unknown message',
    404,
    'not_a_message',
    () => at.api.delete(`/message/${missing}`),
  ],
  [
    'GET of an unknown subscription',
    404,
    'not_a_subscription',
    () => at.api.get(`/subscription/${missing}`),
  ],
  [
    'PATCH of an unknown subscription',
    404,
    'not_a_subscription',
    () => at.api.patch(`/subscription/${missing}`, { event: hook.event, post: true }),
  ],
  [
    'DELETE of an unknown subscription',
    404,
    'not_a_subscription',
    () => at.api.delete(`/subscription/${missing}`),
  ],
  ['GET /user/app by API key', 403, 'insufficient_scope', () => at.api.get('/user/app')],
  ['a wrong list filter', 400, 'invalid_parameter', () => at.api.get('/message?filter=x')],
  ['POST without parameters', 400, 'invalid_request', () => at.api.post('/message', {})],
  [
    'a subscription to an unknown event',
    400,
    'invalid_parameter',
    () => at.api.post('/subscription', { ...hook, event: 'message.read' }),
  ],
  [
    'a subscription without an event',
    400,
    'invalid_request',
    () => at.api.post('/subscription', { url: hook.url }),
  ],
  [
    'a subscription to another scheme',
    400,
    'invalid_parameter',
    () => at.api.post('/subscription', { ...hook, url: 'ftp://127.0.0.1/' }),
  ],
])('7 %s is %i %s', async (_, status, code, attempt) => {
  expectError(await attempt(), status, code)
})

test('7 an error body has only error and error_description, besides request_id', async () => {
  const replies = [
    await at.api.get(`/message/${missing}`),
    await at.api.post('/message', { message: { destination: 'abc', message: 'hi' } }),
    await at.phone.get('/user'),
    await request(`${at.baseUrl}/api/1/message`, 'GET'),
    await request(`${at.baseUrl}/oauth`, 'GET'),
    await at.api.get('/nowhere'),
  ]
  for (const { text } of replies) {
    const members = Object.keys(JSON.parse(omitRequestId(text))).sort()
    expect(members).toEqual(['error', 'error_description'])
  }
})

test('7 GET of a message with the id of a subscription is not_a_message', async () => {
  const { id } = await subscribe(at.api, hook)
  expectError(await at.api.get(`/message/${id}`), 404, 'not_a_message')
})

test('7 GET of a subscription with the id of a message is not_a_subscription', async () => {
  const { id } = await createMessage(at.api)
  expectError(await at.api.get(`/subscription/${id}`), 404, 'not_a_subscription')
})

test.each([
  '/api/1/nowhere',
  '/api/1/message/1/nowhere',
  '/api/1/user/keys',
  '/oauth/nowhere',
  '/api/nowhere',
])('7 the unknown path %s is not_found', async path => {
  const headers = { authorization: `Bearer ${at.api.token}` }
  expectError(await request(at.baseUrl + path, 'GET', { headers }), 404, 'not_found')
})

test.each<[string, string, string[]]>([
  ['PUT', '/message', ['GET', 'POST', 'NEXT']],
  ['DELETE', '/message', ['GET', 'POST', 'NEXT']],
  ['BREW', '/message', ['GET', 'POST', 'NEXT']],
  ['POST', '/message/1', ['GET', 'PATCH', 'DELETE']],
  ['NEXT', '/message/1', ['GET', 'PATCH', 'DELETE']],
  ['GET', '/message/1/success', ['PUT']],
  ['POST', '/message/1/failure', ['PUT']],
  ['GET', '/message/1/release', ['PUT']],
  ['POST', '/message/1/lock', ['PUT']],
  ['GET', '/message/1/unlock', ['PUT']],
  ['DELETE', '/message/1/undelete', ['PUT']],
  ['PATCH', '/subscription', ['GET', 'POST']],
  ['NEXT', '/subscription', ['GET', 'POST']],
  ['PUT', '/subscription/1', ['GET', 'PATCH', 'DELETE']],
  ['POST', '/user', ['GET']],
  ['DELETE', '/user/app', ['GET']],
  ['PUT', '/do-not-text', ['GET', 'POST']],
])(
  '7 %s on %s is method_not_allowed and Allow lists the methods',
  async (method, path, allowed) => {
    const reply = await at.api.call(method, path)
    expectError(reply, 405, 'method_not_allowed')
    const named = reply.headers.get('allow')?.split(/, */) ?? []
    expect(named).toEqual(expect.arrayContaining(allowed))
    expect(named).not.toContain(method)
  },
)
