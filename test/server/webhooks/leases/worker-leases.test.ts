import { expect, test } from 'vitest'
import type { StoreChange } from '../../../../src/server/store/store.js'
import { ok, openSink } from '../sink.js'
import { names, World } from '../world.js'
import { openNode, TestLeases } from './leased-node.js'

test('only the node with the lease delivers, and the next one continues in order', async () => {
  const world = await World.open()
  const sink = await openSink()
  await world.subscribe(sink.url)
  const nodes = [await openNode(world), await openNode(world)]
  await world.record(['m1'])
  for (const { dispatcher } of nodes) await dispatcher.idle()
  expect(sink.requests).toEqual([])
  for (const [at, { leases, dispatcher }] of [...nodes, ...nodes].entries()) {
    leases.take(at + 1)
    await world.record([`m${2 * at + 2}`, `m${2 * at + 3}`])
    await sink.arrived(2 * at + 3)
    await leases.giveBack()
    await dispatcher.idle()
  }
  expect(sink.messages()).toEqual(names('m', 9))
})

test('the end of a lease aborts the webhook in flight, and its result does not count', async () => {
  const world = await World.open()
  const sink = await openSink(nth => (nth === 1 ? 'silence' : ok))
  const subscription = await world.subscribe(sink.url)
  const [first, second] = [await openNode(world), await openNode(world)]
  first.leases.take()
  await world.record(names('m', 2))
  await sink.arrived(1)
  first.leases.lose()
  await first.dispatcher.idle()
  expect(await world.read(subscription)).toMatchObject({ triggered: 0 })
  second.leases.take(2)
  await sink.arrived(3)
  await second.dispatcher.idle()
  expect(sink.messages()).toEqual(['m1', 'm1', 'm2'])
  expect(world.clock.pending).toBe(0)
})

test('no webhook starts late in a lease, until the lease is renewed', async () => {
  const world = await World.open()
  const sink = await openSink()
  await world.subscribe(sink.url)
  const { leases, dispatcher } = await openNode(world)
  leases.starts = 0
  leases.take()
  await world.record(['m1'])
  await dispatcher.idle()
  expect(sink.requests).toEqual([])
  leases.starts = Number.POSITIVE_INFINITY
  leases.changed()
  await dispatcher.idle()
  expect(sink.messages()).toEqual(['m1'])
})

test.each([0, 1, 2])('a lease that ends after %i checks sends nothing', async starts => {
  const world = await World.open()
  const sink = await openSink()
  const subscription = await world.subscribe(sink.url)
  const { leases, dispatcher } = await openNode(world)
  await world.record(['m1'])
  leases.starts = starts
  leases.take()
  await dispatcher.idle()
  // The last check is that of the open connection.
  expect(sink.requests).toEqual([])
  expect(leases.starts).toBeLessThan(0)
  expect(await world.read(subscription)).toMatchObject({ triggered: 0 })
})

test('a node without the lease sends a requested webhook itself', async () => {
  const world = await World.open()
  const sink = await openSink()
  const subscription = await world.subscribe(sink.url)
  const { dispatcher } = await openNode(world)
  const event = { seq: 1, account: 'a', event: 'message.create', message: 'm1', at: 0 } as const
  const attempt = await dispatcher.resend(subscription, event, 0)
  expect(attempt).toMatchObject({ resend: true, result: { ok: true } })
  expect(await dispatcher.test(subscription, 'test_1')).toMatchObject({ ok: true })
  expect(sink.requests).toHaveLength(2)
})

/** A node whose store reports nothing by itself, as for the changes of other nodes. */
async function openDeafNode() {
  const world = await World.open()
  const sink = await openSink()
  const leases = new TestLeases()
  let listener = (_: StoreChange): void => {}
  let reportGap = (): void => {}
  const watch = (onChange: (change: StoreChange) => void, onGap = (): void => {}) => {
    listener = onChange
    reportGap = onGap
    return () => {}
  }
  const dispatcher = await world.dispatch({
    store: { ...world.store, workerLeases: leases, watch },
  })
  leases.take()
  await dispatcher.idle()
  const report = async (changed: Partial<StoreChange>): Promise<void> => {
    const nothing = { account: 'a', messages: [], holders: [], events: [], subscriptions: [] }
    listener({ ...nothing, ...changed })
    await dispatcher.idle()
  }
  return { world, sink, dispatcher, report, reportGap: () => reportGap() }
}

test('subscriptions of another node get workers, and so do those in a gap', async () => {
  const { world, sink, dispatcher, report, reportGap } = await openDeafNode()
  await world.subscribe(`${sink.url}/1`)
  await world.record(['m1'])
  await report({ foreign: { messages: true, subscriptions: false } })
  expect(sink.requests).toEqual([])
  await report({ foreign: { messages: false, subscriptions: true } })
  expect(sink.messages()).toEqual(['m1'])
  await world.record(['m2'])
  await report({ events: ['message.create'], foreign: { messages: true, subscriptions: false } })
  expect(sink.messages()).toEqual(['m1', 'm2'])
  await world.subscribe(`${sink.url}/2`)
  await world.record(['m3'])
  reportGap()
  await dispatcher.idle()
  expect(sink.messages()).toEqual(['m1', 'm2', 'm3', 'm3'])
})
