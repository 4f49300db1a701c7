import { expect, test } from 'vitest'
import type { Subscription } from '../../../../src/domain/webhook/subscription.js'
import {
  findNextDeliveries,
  recordDelivery,
  type WorkerPosition,
} from '../../../../src/server/services/webhooks/next-delivery.js'
import { names, World } from '../../webhooks/world.js'

async function openWaiting() {
  const world = await World.open()
  const subscription = await world.subscribe('http://h/')
  await world.record(names('m', 3))
  return { world, subscription }
}

test('the first event after the stored cursor is due', async () => {
  const { world, subscription } = await openWaiting()
  await world.edit(subscription, { cursor: 2 })
  const next = await findNextDeliveries(world.store, subscription, 0)
  expect(next).toMatchObject({
    due: [{ event: { message: 'm3' }, previous: 2 }],
    subscription: { cursor: 2 },
  })
})

test('a failed event waits for its own retry', async () => {
  const { world, subscription } = await openWaiting()
  const trying = { seq: 1, attempts: 1, firstAt: 0, retryAt: 1000 }
  await world.edit(subscription, { trying })
  expect(await findNextDeliveries(world.store, subscription, 999)).toMatchObject({
    due: [],
    retryAt: 1000,
  })
  expect(await findNextDeliveries(world.store, subscription, 1000)).toMatchObject({ due: [{}] })
  await world.edit(subscription, { cursor: 1 })
  const next = await findNextDeliveries(world.store, subscription, 0)
  expect(next).toMatchObject({ due: [{ event: { message: 'm2' } }] })
})

test('a result for a delivered event changes nothing', async () => {
  const { world, subscription } = await openWaiting()
  await world.edit(subscription, { cursor: 2 })
  for (const ok of [true, false]) {
    await recordDelivery(world.store, positionOf(world, subscription, 2), { ok, at: 0 })
    expect(await world.read(subscription)).toEqual({ ...subscription, cursor: 2 })
  }
})

test('a removed subscription has nothing to do', async () => {
  const { world, subscription } = await openWaiting()
  await world.store.subscriptions.remove(subscription.id)
  expect(await findNextDeliveries(world.store, subscription, 0)).toEqual({ kind: 'gone' })
  const position = positionOf(world, subscription, 1)
  expect(await recordDelivery(world.store, position, { ok: true, at: 0 })).toBe(undefined)
})

function positionOf(world: World, { id, account }: Subscription, seq: number): WorkerPosition {
  const lease = world.store.workerLeases.find(account)
  if (lease === undefined) throw new Error('The store has one node.')
  return { id, seq, lease }
}
