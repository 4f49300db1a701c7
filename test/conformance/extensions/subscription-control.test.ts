import { expect, test } from 'vitest'
import { createMessage, listenFor, subscribe } from '../acts.js'
import {
  type Caller,
  expectError,
  type Fields,
  json,
  type Reply,
  type Subscription,
  useCallers,
} from '../calls.js'
import { type Answer, messageOf, openReceiver } from '../receiver.js'

const at = useCallers()

const event = 'message.create'
const url = 'http://127.0.0.1:9/hook'
const missing = '01890000-0000-7000-8000-000000000000'

/** What a reply tells of a lane, beyond the six fields. */
interface Lane extends Subscription {
  on_exhausted: string
  state: string
  paused_because?: string
  sequence: number
  retry_at?: string
}

interface Delivery {
  id: string
  sequence: number
  event: string
  message: { id: string }
  attempt: number
  at: string
  ms: number
  status: number | null
  error: string | null
  ok: boolean
  dead: boolean
  resend: boolean
  reply: string
}

interface LaneBody {
  subscription: Lane
  delivery: Delivery
  deliveries: { delivery: Delivery; links: Record<string, { method: string; url: string }> }[]
}

const bodyOf = (reply: Reply): LaneBody => reply.body as unknown as LaneBody

async function done(reply: Promise<Reply>): Promise<LaneBody> {
  const { status, text, ...rest } = await reply
  expect(status, text).toBe(200)
  return bodyOf({ status, text, ...rest })
}

const laneOf = async (id: string): Promise<Lane> =>
  (await done(at.api.get(`/subscription/${id}?extended=true`))).subscription

const put = (id: string, action: string, fields: Fields = {}): Promise<Reply> =>
  at.api.put(`/subscription/${id}/${action}`, fields)

function logOf(id: string, filter?: unknown, caller: Caller = at.api): Promise<Reply> {
  const query = filter === undefined ? '' : `?filter=${encodeURIComponent(JSON.stringify(filter))}`
  return caller.get(`/subscription/${id}/delivery${query}`)
}

async function attempts(id: string, filter?: unknown): Promise<Delivery[]> {
  return (await done(logOf(id, filter))).deliveries.map(({ delivery }) => delivery)
}

/** A receiver that answers as told, and a subscription that points to it. */
async function listenTo(answers: readonly Answer[], fields: Fields = {}) {
  const receiver = await openReceiver((_, nth) => answers[nth - 1] ?? { status: 204 })
  const subscription = await subscribe(at.api, { event, url: receiver.url, post: true, ...fields })
  return { ...receiver, ...subscription, url: receiver.url }
}

/** Reads until what is read is as wanted: a verdict is recorded shortly after its hit was answered. */
async function until<T>(read: () => Promise<T>, isIt: (value: T) => boolean): Promise<T> {
  for (;;) {
    const value = await read()
    if (isIt(value)) return value
  }
}

const untilIn = (id: string, state: string): Promise<Lane> =>
  until(
    () => laneOf(id),
    lane => lane.state === state,
  )

const untilLogged = (id: string, count: number): Promise<Delivery[]> =>
  until(
    () => attempts(id),
    logged => logged.length >= count,
  )

test('extension: extended=true adds the state of the lane to the six fields', async () => {
  const { id } = await subscribe(at.api, { event, url })
  const plain = (await at.api.get(`/subscription/${id}`)).body.subscription
  const lane = await laneOf(id)
  expect(lane).toEqual({
    ...plain,
    on_exhausted: 'pause',
    state: 'active',
    sequence: expect.any(Number),
  })
  const { subscriptions } = (await at.api.get('/subscription?extended=true')).body
  expect(subscriptions.map(({ subscription }) => subscription)).toContainEqual(lane)
})

test('extension: extended with another value is invalid_parameter', async () => {
  expectError(await at.api.get('/subscription?extended=x'), 400, 'invalid_parameter', 'extended')
})

test('extension: on_exhausted is kept and can be changed', async () => {
  const { id } = await subscribe(at.api, { event, url, on_exhausted: 'skip' })
  expect((await laneOf(id)).on_exhausted).toBe('skip')
  const path = `/subscription/${id}`
  expect((await at.api.patch(path, { event, on_exhausted: 'pause' })).status).toBe(200)
  expect((await laneOf(id)).on_exhausted).toBe('pause')
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

test('extension: a paused subscription is not hit, and gets everything in order when resumed', async () => {
  const ear = await listenFor(at.api, event)
  const { id } = ear.subscription
  const paused = (await done(put(id, 'pause'))).subscription
  expect(paused).toMatchObject({ id, state: 'paused', paused_because: 'request' })
  const made = [await createMessage(at.api), await createMessage(at.api)].map(each => each.id)
  expect(await laneOf(id)).toMatchObject({ stat_triggered: 0, sequence: paused.sequence })
  const resumed = (await done(put(id, 'resume'))).subscription
  expect(resumed).toMatchObject({ id, state: 'active' })
  expect(resumed).not.toHaveProperty('paused_because')
  expect([messageOf(await ear.next()), messageOf(await ear.next())]).toEqual(made)
})

test('extension: a receiver that answers 410 pauses its subscription', async () => {
  const hook = await listenTo([{ status: 410 }])
  const made = [await createMessage(at.api), await createMessage(at.api)].map(each => each.id)
  expect(messageOf(await hook.next())).toBe(made[0])
  const lane = await untilIn(hook.id, 'paused')
  expect(lane).toMatchObject({ paused_because: 'gone', stat_triggered: 1 })
  await done(put(hook.id, 'resume'))
  expect([messageOf(await hook.next()), messageOf(await hook.next())]).toEqual(made)
})

test('extension: a failed hit shows as retrying, with the time of the next try', async () => {
  const hook = await listenTo([{ status: 429, headers: ['Retry-After: 1800'] }])
  const before = Date.now()
  await createMessage(at.api)
  await hook.next()
  const { retry_at: retryAt = '' } = await untilIn(hook.id, 'retrying')
  const wait = Date.parse(`${retryAt.replace(' ', 'T')}Z`) - before
  expect(wait / 1000).toBeGreaterThan(1790)
  expect(wait / 1000).toBeLessThan(1900)
})

test.each(['resume', 'an edit'])('extension: %s makes a waiting retry at once', async what => {
  const hook = await listenTo([{ status: 503, headers: ['Retry-After: 3600'] }])
  const { id } = await createMessage(at.api)
  await hook.next()
  await untilIn(hook.id, 'retrying')
  if (what === 'resume') await done(put(hook.id, 'resume'))
  else {
    const edit = { event, url: `${hook.url}/new`, method: 'PING' }
    await done(at.api.patch(`/subscription/${hook.id}`, edit))
  }
  const hit = await hook.next()
  expect(messageOf(hit)).toBe(id)
  expect(hit.method).toBe(what === 'resume' ? 'POST' : 'PING')
  expect(await untilIn(hook.id, 'active')).toMatchObject({ stat_triggered: 1 })
})

test('extension: skip passes the event that fails, and the next is delivered', async () => {
  const hook = await listenTo([{ status: 503, headers: ['Retry-After: 3600'] }])
  const [first, second] = [await createMessage(at.api), await createMessage(at.api)]
  expect(messageOf(await hook.next())).toBe(first.id)
  const [{ sequence }] = (await untilLogged(hook.id, 1)) as [Delivery]
  await untilIn(hook.id, 'retrying')
  expectError(await put(hook.id, 'skip', { sequence: sequence + 1 }), 409, 'invalid_state')
  expect((await done(put(hook.id, 'skip', { sequence }))).subscription).toMatchObject({ sequence })
  expect(messageOf(await hook.next())).toBe(second.id)
  const logged = await attempts(hook.id, { failed: true })
  expect(logged[0]).toMatchObject({ sequence, dead: true, ok: false, status: null })
})

test('extension: skip with nothing that waits is invalid_state', async () => {
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

test('extension: replay delivers again from the given event on, in order', async () => {
  const ear = await listenFor(at.api, event)
  const made: string[] = []
  for (let n = 0; n < 3; n += 1) made.push((await createMessage(at.api)).id)
  for (const id of made) expect(messageOf(await ear.next())).toBe(id)
  const logged = await untilLogged(ear.subscription.id, 3)
  const from = logged[1]?.sequence
  await done(put(ear.subscription.id, 'replay', { from }))
  expect([messageOf(await ear.next()), messageOf(await ear.next())]).toEqual(made.slice(1))
})

test('extension: replay without from is invalid_request', async () => {
  const { id } = await subscribe(at.api, { event, url })
  expectError(await put(id, 'replay'), 400, 'invalid_request', 'from')
})

test.each(['x', 0, -1, 1.5, null, 999_999_999_999_999])(
  'extension: replay from %j is invalid_parameter',
  async from => {
    const { id } = await subscribe(at.api, { event, url })
    const before = await laneOf(id)
    expectError(await put(id, 'replay', { from }), 400, 'invalid_parameter', 'from')
    expect(await laneOf(id)).toEqual(before)
  },
)

test('extension: every attempt is logged, with what the receiver answered', async () => {
  const hook = await listenTo([{ status: 418 }])
  const { id } = await createMessage(at.api)
  await hook.next()
  await hook.next()
  const [second, first] = (await untilLogged(hook.id, 2)) as [Delivery, Delivery]
  expect(first).toEqual({
    id: expect.stringMatching(/./),
    ...{ sequence: second.sequence, event, message: { id }, attempt: 1 },
    at: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
    ms: expect.any(Number),
    ...{ status: 418, error: expect.stringContaining('418'), ok: false, dead: false },
    ...{ resend: false, reply: '' },
  })
  expect(second).toMatchObject({ attempt: 2, status: 204, error: null, ok: true })
  const [{ links }] = (await done(logOf(hook.id))).deliveries as [LaneBody['deliveries'][0]]
  expect(links.resend).toEqual({
    method: 'POST',
    url: `${at.baseUrl}/api/1/subscription/${hook.id}/delivery/${second.sequence}/resend`,
  })
})

test('extension: attempts are listed in pages, and the failed ones alone', async () => {
  const hook = await listenTo([{ status: 410 }])
  await createMessage(at.api)
  await createMessage(at.api)
  await untilIn(hook.id, 'paused')
  await done(put(hook.id, 'resume'))
  const all = await untilLogged(hook.id, 3)
  expect(all.map(({ ok }) => ok)).toEqual([true, true, false])
  expect(await attempts(hook.id, { failed: true })).toEqual(all.slice(2))
  expect(await attempts(hook.id, { failed: false, count: 2 })).toEqual(all.slice(0, 2))
  expect(await attempts(hook.id, { before: all[1]?.id })).toEqual(all.slice(2))
})

test.each([{ count: 0 }, { count: 101 }, { count: '5' }, { failed: 'yes' }, { before: 7 }, 7])(
  'extension: the attempts filter %j is invalid_parameter',
  async filter => {
    const { id } = await subscribe(at.api, { event, url })
    expectError(await logOf(id, filter), 400, 'invalid_parameter')
  },
)

test('extension: resend makes one more hit at once, and moves nothing', async () => {
  const hook = await listenTo([{ status: 204 }, { status: 500 }])
  const { id } = await createMessage(at.api)
  await hook.next()
  const [{ sequence }] = (await untilLogged(hook.id, 1)) as [Delivery]
  const before = await laneOf(hook.id)
  const path = `/subscription/${hook.id}/delivery/${sequence}/resend`
  const first = (await done(at.api.post(path, {}))).delivery
  expect(first).toMatchObject({ sequence, message: { id }, resend: true, ok: false, status: 500 })
  const second = (await done(at.api.post(path, {}))).delivery
  expect(second).toMatchObject({ sequence, ok: true, status: 204 })
  expect([messageOf(await hook.next()), messageOf(await hook.next())]).toEqual([id, id])
  expect(await laneOf(hook.id)).toEqual(before)
  expect((await attempts(hook.id)).slice(0, 2)).toEqual([second, first])
})

test.each(['0', 'x', '999999999999999', '1.5'])(
  'extension: resend of the event %s is not_found',
  async sequence => {
    const { id } = await subscribe(at.api, { event, url })
    const reply = await at.api.post(`/subscription/${id}/delivery/${sequence}/resend`, {})
    expectError(reply, 404, 'not_found')
  },
)

test('extension: resend of an event whose turn has not come is invalid_state', async () => {
  const hook = await listenTo([])
  await done(put(hook.id, 'pause'))
  const { sequence } = await laneOf(hook.id)
  await createMessage(at.api)
  const path = `/subscription/${hook.id}/delivery/${sequence + 1}/resend`
  expectError(await at.api.post(path, {}), 409, 'invalid_state')
})

type Asked = readonly [method: string, path: string, body: Fields | undefined]

const requests: Asked[] = [
  ['PUT', '/pause', {}],
  ['PUT', '/resume', {}],
  ['PUT', '/skip', {}],
  ['PUT', '/replay', { from: 1 }],
  ['GET', '/delivery', undefined],
  ['POST', '/delivery/1/resend', {}],
]

/** The same request by anybody, on any subscription. */
function ask(caller: Caller, id: string, [method, path, body]: Asked) {
  return caller.call(method, `/subscription/${id}${path}`, body === undefined ? {} : json(body))
}

test.each(requests)(
  'extension: %s of a lane at %s is not_a_subscription for another account and a wrong id',
  async (...request) => {
    const { id } = await subscribe(at.api, { event, url })
    const before = await laneOf(id)
    expectError(await ask(at.stranger, id, request), 404, 'not_a_subscription')
    expectError(await ask(at.api, missing, request), 404, 'not_a_subscription')
    expect(await laneOf(id)).toEqual(before)
  },
)

test.each(requests)(
  'extension: %s of a lane at %s with an application-key token is insufficient_scope',
  async (...request) => {
    const { id } = await subscribe(at.api, { event, url })
    expectError(await ask(at.phone, id, request), 403, 'insufficient_scope')
    expect(await laneOf(id)).toMatchObject({ state: 'active' })
  },
)

test('extension: the log of attempts goes with its subscription', async () => {
  const hook = await listenTo([])
  await createMessage(at.api)
  await hook.next()
  await untilLogged(hook.id, 1)
  await at.api.delete(`/subscription/${hook.id}`)
  expectError(await logOf(hook.id), 404, 'not_a_subscription')
})
