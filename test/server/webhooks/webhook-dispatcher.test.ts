import { describe, expect, test } from 'vitest'
import type { DeliveryAttempt } from '../../../src/server/services/webhooks/next-delivery.js'
import { freePort, ok, openSink, reply } from './sink.js'
import { names, World } from './world.js'

describe('delivery', () => {
  test('a subscription that is created while the dispatcher runs gets its events', async () => {
    const world = await World.open()
    const sink = await openSink()
    const dispatcher = await world.dispatch()
    await Promise.all([world.subscribe(sink.url), world.record(['m1'])])
    await world.record(['m2'])
    await dispatcher.idle()
    expect(sink.messages()).toEqual(['m1', 'm2'])
  })

  test('one webhook is in progress at a time', async () => {
    const world = await World.open()
    const sink = await openSink(() => 'silence')
    await world.subscribe(sink.url)
    const dispatcher = await world.dispatch()
    await world.record(names('m', 3))
    for (const nth of [1, 2, 3]) {
      await sink.arrived(nth)
      await world.record([`later-${nth}`], 'message.sent')
      await world.subscribe(sink.url, { event: 'message.failed' })
      await new Promise(resolve => setImmediate(resolve))
      expect(sink.requests).toHaveLength(nth)
      sink.answer(ok)
    }
    await dispatcher.idle()
    expect(sink.messages()).toEqual(names('m', 3))
  })
})

test('a subscription reads nothing for events of other names', async () => {
  const world = await World.open()
  const sink = await openSink()
  const read: string[] = []
  const { accounts, subscriptions, events, workerLeases, watch } = world.store
  const after: typeof events.listAfter = async (account, event, ...rest) => {
    read.push(event)
    return await events.listAfter(account, event, ...rest)
  }
  await world.subscribe(sink.url)
  await world.subscribe(sink.url, { event: 'message.sent' })
  const store = { accounts, subscriptions, events: { listAfter: after }, workerLeases, watch }
  const dispatcher = await world.dispatch({ store })
  await dispatcher.idle()
  read.length = 0
  await world.record(['m1'], 'message.sent')
  await dispatcher.idle()
  expect(new Set(read)).toEqual(new Set(['message.sent']))
  expect(sink.messages()).toEqual(['m1'])
})

describe('after a failure the later events wait, in order', () => {
  const expected = ['m1', 'm1', 'm1', 'm2', 'm3']

  test.each([
    ['500', reply(500)],
    ['a redirect', reply(302, 'Location: http://127.0.0.1:1/\r\n')],
    ['hanging up', 'hang up' as const],
  ])('%s', async (_, reaction) => {
    const world = await World.open()
    const sink = await openSink(nth => (nth <= 2 ? reaction : ok))
    const subscription = await world.subscribe(sink.url)
    const dispatcher = await world.dispatch()
    await world.record(names('m', 3))
    await dispatcher.idle()
    expect(sink.messages()).toEqual(['m1'])
    expect(world.clock.pending).toBe(1)
    world.clock.advance(999)
    await dispatcher.idle()
    expect(sink.messages()).toEqual(['m1'])
    world.clock.advance(1)
    await dispatcher.idle()
    expect(sink.messages()).toEqual(['m1', 'm1'])
    world.clock.next()
    await dispatcher.idle()
    expect(sink.messages()).toEqual(expected)
    expect(await world.read(subscription)).toMatchObject({ triggered: 3 })
    expect(await world.read(subscription)).not.toHaveProperty('trying')
    expect(world.clock.pending).toBe(0)
  })

  test('no reply', async () => {
    const world = await World.open()
    const sink = await openSink(nth => (nth <= 2 ? 'silence' : ok))
    await world.subscribe(sink.url)
    const dispatcher = await world.dispatch()
    await world.record(names('m', 3))
    for (const nth of [1, 2]) {
      await sink.arrived(nth)
      world.clock.advance(15_000)
      await dispatcher.idle()
      world.clock.next()
    }
    await dispatcher.idle()
    expect(sink.messages()).toEqual(expected)
  })

  test('a refused connection', async () => {
    const world = await World.open()
    const port = await freePort()
    const attempts: DeliveryAttempt[] = []
    await world.subscribe(`http://127.0.0.1:${port}/`)
    const dispatcher = await world.dispatch({ onAttempt: attempt => attempts.push(attempt) })
    await world.record(names('m', 3))
    await dispatcher.idle()
    const sink = await openSink(() => ok, { port })
    world.clock.next()
    await dispatcher.idle()
    expect(sink.messages()).toEqual(names('m', 3))
    expect(attempts.map(({ event, result }) => [event.message, result.ok])).toEqual([
      ['m1', false],
      ['m1', true],
      ['m2', true],
      ['m3', true],
    ])
  })
})

describe('changes before a retry', () => {
  async function openFailing() {
    const world = await World.open()
    const failing = await openSink(() => reply(500))
    const subscription = await world.subscribe(failing.url)
    const dispatcher = await world.dispatch()
    await world.record(['m1', 'm2'])
    await dispatcher.idle()
    return { world, failing, subscription, dispatcher }
  }

  test('an edit applies to the next attempt', async () => {
    const { world, failing, subscription, dispatcher } = await openFailing()
    const sink = await openSink()
    await world.edit(subscription, { url: `${sink.url}/new`, method: 'PING', post: true })
    world.clock.next()
    await dispatcher.idle()
    expect(failing.requests).toHaveLength(1)
    expect(sink.messages()).toEqual(['m1', 'm2'])
    expect(sink.requests[0]).toMatch(/^PING \/new HTTP\/1.1\r\n/)
    expect(await world.read(subscription)).toMatchObject({ triggered: 2, method: 'PING' })
  })

  test('a removed subscription gets no webhook', async () => {
    const { world, failing, subscription, dispatcher } = await openFailing()
    await world.store.subscriptions.remove(subscription.id)
    await dispatcher.idle()
    expect(world.clock.pending).toBe(0)
    await world.record(['m3'])
    await dispatcher.idle()
    expect(failing.requests).toHaveLength(1)
  })

  test('a subscription that is removed during a webhook gets no other', async () => {
    const world = await World.open()
    const sink = await openSink(() => 'silence')
    const subscription = await world.subscribe(sink.url)
    const dispatcher = await world.dispatch()
    await world.record(['m1', 'm2'])
    await sink.arrived(1)
    await world.store.subscriptions.remove(subscription.id)
    sink.answer(ok)
    await dispatcher.idle()
    expect(sink.messages()).toEqual(['m1'])
    expect(world.clock.pending).toBe(0)
  })
})
