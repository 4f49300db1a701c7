import { expect, test } from 'vitest'
import { subscribe } from '../acts.js'
import {
  expectError,
  type Fields,
  json,
  multipart,
  type Subscription,
  useCallers,
} from '../calls.js'

const at = useCallers()

const missing = '01890000-0000-7000-8000-000000000000'
const url = 'http://127.0.0.1:9/hook'
const event = 'message.failed'

async function readHook(id: string): Promise<Subscription> {
  const reply = await at.api.get(`/subscription/${id}`)
  expect(reply.status, reply.text).toBe(200)
  return reply.body.subscription
}

async function listedHooks(): Promise<string[]> {
  const { subscriptions } = (await at.api.get('/subscription')).body
  return subscriptions.map(({ subscription }) => subscription.id)
}

async function refusedHook(fields: Fields, code: string, naming: string): Promise<void> {
  const before = await listedHooks()
  expectError(await at.api.post('/subscription', fields), 400, code, naming)
  expect(await listedHooks()).toEqual(before)
}

async function refusedEdit(
  fields: Fields,
  status: number,
  code: string,
  naming = '',
): Promise<void> {
  const made = await subscribe(at.api, { event, url })
  expectError(await at.api.patch(`/subscription/${made.id}`, fields), status, code, naming)
  expect(await readHook(made.id)).toEqual(made)
}

test('4.3 GET /subscription of a new account is an empty list', async () => {
  const { subscriptions } = (await at.stranger.get('/subscription')).body
  for (const { subscription } of subscriptions)
    await at.stranger.delete(`/subscription/${subscription.id}`)
  expect((await at.stranger.get('/subscription')).body.subscriptions).toEqual([])
})

test.each([
  ['JSON', json],
  ['multipart', (fields: Fields) => ({ body: multipart(fields) })],
])('4.3 POST /subscription accepts its fields as %s', async (_, encode) => {
  const reply = await at.api.call('POST', '/subscription', encode({ event, url, post: true }))
  expect(reply.status, reply.text).toBe(200)
  expect(reply.body.subscription).toMatchObject({ event, url, post: true })
  await at.api.delete(`/subscription/${reply.body.subscription.id}`)
})

test('4.3 POST /subscription without event is invalid_request', () =>
  refusedHook({ url }, 'invalid_request', 'event'))

test('4.3 POST /subscription without url is invalid_request', () =>
  refusedHook({ event }, 'invalid_request', 'url'))

test.each([
  '',
  'message',
  'message.created',
  'Message.create',
  ' message.create',
  'message.*',
  'message.create,message.sent',
  'message.create message.sent',
  '["message.create","message.sent"]',
])('4.3 POST /subscription with event %j is invalid_parameter', name =>
  refusedHook({ event: name, url }, 'invalid_parameter', 'event'),
)

test('4.3 POST /subscription with two events in JSON is invalid_parameter', async () => {
  const fields = { event: ['message.create', 'message.sent'], url }
  const reply = await at.api.call('POST', '/subscription', json(fields))
  expectError(reply, 400, 'invalid_parameter', 'event')
})

test('4.3 unknown fields of a subscription are ignored', async () => {
  expect(await subscribe(at.api, { event, url, colour: 'red' })).not.toHaveProperty('colour')
})

test('4.3 PATCH can set post back to false', async () => {
  const made = await subscribe(at.api, { event, url, post: true })
  await at.api.patch(`/subscription/${made.id}`, { event, post: false })
  expect((await readHook(made.id)).post).toBe(false)
})

test('4.3 PATCH without event is invalid_request', () =>
  refusedEdit({ method: 'PUT' }, 400, 'invalid_request', 'event'))

test('4.3 PATCH with another event than the stored one is not_a_subscription', () =>
  refusedEdit({ event: 'message.sent', method: 'PUT' }, 404, 'not_a_subscription'))

test('4.3 PATCH with only the event is invalid_request', () =>
  refusedEdit({ event }, 400, 'invalid_request'))

test.each<[string, unknown]>([
  ['url', 'ftp://example.com/'],
  ['url', ''],
  ['url', 'http://127.0.0.1:9/'.padEnd(1025, 'x')],
  ['method', 'A B'],
  ['method', 'ABCDEFGHIJKLMNOPQ'],
  ['post', 'maybe'],
])('4.3 PATCH with %s %j is invalid_parameter', (name, value) =>
  refusedEdit({ event, [name]: value }, 400, 'invalid_parameter', name),
)

test('4.3 a second DELETE is not_a_subscription', async () => {
  const { id } = await subscribe(at.api, { event, url })
  expect((await at.api.delete(`/subscription/${id}`)).status).toBe(200)
  expectError(await at.api.delete(`/subscription/${id}`), 404, 'not_a_subscription')
})

test.each([missing, 'nonsense', '%00', 'x'.repeat(500)])(
  '4.3 GET, PATCH and DELETE of the wrong subscription id %s are not_a_subscription',
  async id => {
    const path = `/subscription/${id}`
    expectError(await at.api.get(path), 404, 'not_a_subscription')
    expectError(await at.api.patch(path, { event, post: true }), 404, 'not_a_subscription')
    expectError(await at.api.delete(path), 404, 'not_a_subscription')
  },
)
