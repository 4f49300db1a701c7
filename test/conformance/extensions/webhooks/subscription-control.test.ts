import { expect, test } from 'vitest'
import { createMessage, listenFor, subscribe } from '../../acts.js'
import { expectError } from '../../calls.js'
import { getMessageId, type Webhook } from '../../receiver.js'
import { type Delivery, useSubscriptions } from '../extension-rigs.js'

const {
  at,
  event,
  expectOk,
  getExtended,
  put,
  listDeliveries,
  listenTo,
  untilState,
  untilDelivered,
} = useSubscriptions()
const url = 'http://127.0.0.1:9/hook'

test('extension: extended=true adds the state of the deliveries to the six fields', async () => {
  const { id } = await subscribe(at.api, { event, url })
  const plain = (await at.api.get(`/subscription/${id}`)).body.subscription
  const extended = await getExtended(id)
  expect(extended).toEqual({
    ...plain,
    on_exhausted: 'pause',
    window: 1,
    state: 'active',
    sequence: expect.any(Number),
  })
  const { subscriptions } = (await at.api.get('/subscription?extended=true')).body
  expect(subscriptions.map(({ subscription }) => subscription)).toContainEqual(extended)
})

test('extension: extended with another value is invalid_parameter', async () => {
  expectError(await at.api.get('/subscription?extended=x'), 400, 'invalid_parameter', 'extended')
})

test('extension: on_exhausted is stored and can be changed', async () => {
  const { id } = await subscribe(at.api, { event, url, on_exhausted: 'skip' })
  expect((await getExtended(id)).on_exhausted).toBe('skip')
  const path = `/subscription/${id}`
  expect((await at.api.patch(path, { event, on_exhausted: 'pause' })).status).toBe(200)
  expect((await getExtended(id)).on_exhausted).toBe('pause')
})

test.each(['', 'stop', 'PAUSE'])(
  'extension: on_exhausted %j is invalid_parameter',
  async on_exhausted => {
    const made = await at.api.post('/subscription', { event, url, on_exhausted })
    expectError(made, 400, 'invalid_parameter', 'on_exhausted')
    const { id } = await subscribe(at.api, { event, url })
    const edited = await at.api.patch(`/subscription/${id}`, { event, on_exhausted })
    expectError(edited, 400, 'invalid_parameter', 'on_exhausted')
  },
)

test('extension: listener names the machine of a temporary subscription', async () => {
  const { id } = await subscribe(at.api, { event, url, listener: 'laptop' })
  const time = expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)
  expect(await getExtended(id)).toMatchObject({ listener: 'laptop', listener_seen_on: time })
  const path = `/subscription/${id}`
  expect((await at.api.patch(path, { event, listener: 'desk' })).status).toBe(200)
  expect(await getExtended(id)).toMatchObject({ url, listener: 'desk' })
  expect((await at.api.get(path)).body.subscription).not.toHaveProperty('listener')
})

test.each(['', ' a', 'ä', 'x'.repeat(256)])(
  'extension: listener %j is invalid_parameter',
  async listener => {
    const made = await at.api.post('/subscription', { event, url, listener })
    expectError(made, 400, 'invalid_parameter', 'listener')
  },
)

test('extension: another subscription and the status report pauses and resumptions', async () => {
  const paused = await listenFor(at.api, 'subscription.paused', { post: true })
  const resumed = await listenFor(at.api, 'subscription.resumed', { post: true })
  const { id } = await subscribe(at.api, { event, url })
  const getProblems = async () => JSON.stringify((await at.api.get('/status')).body)
  await expectOk(put(id, 'pause'))
  expect(JSON.parse((await paused.next()).body)).toEqual({ subscription: { id } })
  await expect.poll(getProblems).toContain('subscription_paused')
  await expectOk(put(id, 'resume'))
  expect(JSON.parse((await resumed.next()).body)).toEqual({ subscription: { id } })
  await expect.poll(getProblems).not.toContain(id)
})

test('extension: window and retry_schedule are stored and can be changed', async () => {
  const own = { window: 4, retry_schedule: [5, 60] }
  const { id } = await subscribe(at.api, { event, url, ...own })
  expect(await getExtended(id)).toMatchObject(own)
  const edited = await at.api.patch(`/subscription/${id}`, { event, window: 1, retry_schedule: [] })
  expect(edited.status).toBe(200)
  const after = await getExtended(id)
  expect(after.window).toBe(1)
  expect(after).not.toHaveProperty('retry_schedule')
})

test.each([
  ['window', 0],
  ['window', 33],
  ['window', 'many'],
  ['retry_schedule', [0]],
  ['retry_schedule', [1.5]],
  ['retry_schedule', [86_401]],
  ['retry_schedule', [86_400, 86_400, 86_400, 1]],
  ['retry_schedule', Array.from({ length: 21 }, () => 1)],
  ['retry_schedule', '5,x'],
])('extension: %s %j of a subscription is invalid_parameter', async (name, value) => {
  const made = await at.api.post('/subscription', { event, url, [name]: value })
  expectError(made, 400, 'invalid_parameter', name)
})

test('extension: with a window every event arrives, and the webhooks carry the order', async () => {
  const { next } = await listenTo([], { window: 8 })
  const ids: string[] = []
  for (let nth = 0; nth < 20; nth += 1) ids.push((await createMessage(at.api)).id)
  const got: Webhook[] = []
  while (got.length < ids.length) got.push(await next())
  const bySequence = got.toSorted(
    (a, b) => Number(a.headers['webhook-sequence']) - Number(b.headers['webhook-sequence']),
  )
  expect(bySequence.map(getMessageId)).toEqual(ids)
})

test('extension: a resumed subscription gets all events of its pause in order', async () => {
  const listener = await listenFor(at.api, event)
  const { id } = listener.subscription
  const paused = (await expectOk(put(id, 'pause'))).subscription
  expect(paused).toMatchObject({ id, state: 'paused', paused_because: 'request' })
  const made = [await createMessage(at.api), await createMessage(at.api)].map(each => each.id)
  expect(await getExtended(id)).toMatchObject({ stat_triggered: 0, sequence: paused.sequence })
  const resumed = (await expectOk(put(id, 'resume'))).subscription
  expect(resumed).toMatchObject({ id, state: 'active' })
  expect(resumed).not.toHaveProperty('paused_because')
  expect([getMessageId(await listener.next()), getMessageId(await listener.next())]).toEqual(made)
})

test('extension: a receiver that answers 410 pauses its subscription', async () => {
  const hook = await listenTo([{ status: 410 }])
  const made = [await createMessage(at.api), await createMessage(at.api)].map(each => each.id)
  expect(getMessageId(await hook.next())).toBe(made[0])
  const extended = await untilState(hook.id, 'paused')
  expect(extended).toMatchObject({ paused_because: 'gone', stat_triggered: 1 })
  await expectOk(put(hook.id, 'resume'))
  expect([getMessageId(await hook.next()), getMessageId(await hook.next())]).toEqual(made)
})

test('extension: after a failed webhook the state is retrying with a retry time', async () => {
  const hook = await listenTo([{ status: 429, headers: ['Retry-After: 1800'] }])
  const before = Date.now()
  await createMessage(at.api)
  await hook.next()
  const { retry_at: retryAt = '' } = await untilState(hook.id, 'retrying')
  const wait = Date.parse(`${retryAt.replace(' ', 'T')}Z`) - before
  expect(wait / 1000).toBeGreaterThan(1790)
  expect(wait / 1000).toBeLessThan(1900)
})

test.each(['resume', 'an edit'])('extension: %s starts a waiting retry at once', async what => {
  const hook = await listenTo([{ status: 503, headers: ['Retry-After: 3600'] }])
  const { id } = await createMessage(at.api)
  await hook.next()
  await untilState(hook.id, 'retrying')
  if (what === 'resume') await expectOk(put(hook.id, 'resume'))
  else {
    const edit = { event, url: `${hook.url}/new`, method: 'PING' }
    await expectOk(at.api.patch(`/subscription/${hook.id}`, edit))
  }
  const webhook = await hook.next()
  expect(getMessageId(webhook)).toBe(id)
  expect(webhook.method).toBe(what === 'resume' ? 'POST' : 'PING')
  expect(await untilState(hook.id, 'active')).toMatchObject({ stat_triggered: 1 })
})

test('extension: skip skips the failing event and delivers the next one', async () => {
  const hook = await listenTo([{ status: 503, headers: ['Retry-After: 3600'] }])
  const [first, second] = [await createMessage(at.api), await createMessage(at.api)]
  expect(getMessageId(await hook.next())).toBe(first.id)
  const [{ sequence }] = (await untilDelivered(hook.id, 1)) as [Delivery]
  await untilState(hook.id, 'retrying')
  expectError(await put(hook.id, 'skip', { sequence: sequence + 1 }), 409, 'invalid_state')
  expect((await expectOk(put(hook.id, 'skip', { sequence }))).subscription).toMatchObject({
    sequence,
  })
  expect(getMessageId(await hook.next())).toBe(second.id)
  const deliveries = await listDeliveries(hook.id, { failed: true })
  expect(deliveries[0]).toMatchObject({ sequence, dead: true, ok: false, status: null })
})

test('extension: skip without a waiting event is invalid_state', async () => {
  const { id } = await subscribe(at.api, { event, url })
  expectError(await put(id, 'skip'), 409, 'invalid_state')
})

test.each(['x', 0, 1.5, ''])(
  'extension: skip with sequence %j is invalid_parameter',
  async sequence => {
    const { id } = await subscribe(at.api, { event, url })
    expectError(await put(id, 'skip', { sequence }), 400, 'invalid_parameter', 'sequence')
  },
)

test('extension: replay delivers all events from the given one again in order', async () => {
  const listener = await listenFor(at.api, event)
  const made: string[] = []
  for (let n = 0; n < 3; n += 1) made.push((await createMessage(at.api)).id)
  for (const id of made) expect(getMessageId(await listener.next())).toBe(id)
  const deliveries = await untilDelivered(listener.subscription.id, 3)
  const from = deliveries[1]?.sequence
  await expectOk(put(listener.subscription.id, 'replay', { from }))
  expect([getMessageId(await listener.next()), getMessageId(await listener.next())]).toEqual(
    made.slice(1),
  )
})

test('extension: replay without from is invalid_request', async () => {
  const { id } = await subscribe(at.api, { event, url })
  expectError(await put(id, 'replay'), 400, 'invalid_request', 'from')
})

test.each(['x', 0, -1, 1.5, null, 999_999_999_999_999])(
  'extension: replay from %j is invalid_parameter',
  async from => {
    const { id } = await subscribe(at.api, { event, url })
    const before = await getExtended(id)
    expectError(await put(id, 'replay', { from }), 400, 'invalid_parameter', 'from')
    expect(await getExtended(id)).toEqual(before)
  },
)
