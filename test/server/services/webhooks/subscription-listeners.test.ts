import { expect, test } from 'vitest'
import { hour, minute, World } from '../world.js'

const draft = { event: 'message.create', url: 'http://h/', method: 'POST', post: false } as const

async function open() {
  const world = await World.open()
  const account = await world.account()
  const { subscriptions } = world
  const { id } = await subscriptions.create(account, { ...draft, listenerName: 'laptop' })
  await subscriptions.create(account, draft)
  const list = async (service = world.subscriptions) =>
    (await service.list(account)).map(({ listener }) => listener?.name)
  return { world, account, id, list }
}

test('a subscription is removed an hour after the last contact of its listener', async () => {
  const { world, account, id, list } = await open()
  const { subscriptions } = world
  await world.advance(30 * minute)
  await subscriptions.edit(account, id, 'message.create', { listenerName: 'laptop' })
  await world.advance(hour)
  await subscriptions.removeAbandoned()
  expect(await list()).toEqual(['laptop', undefined])
  await world.advance(1)
  await subscriptions.removeAbandoned()
  expect(await list()).toEqual([undefined])
})

test('a change without the name of the listener is no contact', async () => {
  const { world, account, id, list } = await open()
  await world.advance(30 * minute)
  await world.subscriptions.edit(account, id, 'message.create', { url: 'http://other/' })
  await world.advance(30 * minute + 1)
  await world.subscriptions.removeAbandoned()
  expect(await list()).toEqual([undefined])
})

test('after a start of the relay listeners have an hour to make contact', async () => {
  const { world, list } = await open()
  await world.advance(2 * hour)
  await world.restart()
  await world.subscriptions.removeAbandoned()
  await world.advance(hour)
  await world.subscriptions.removeAbandoned()
  expect(await list()).toEqual(['laptop', undefined])
  await world.advance(1)
  await world.subscriptions.removeAbandoned()
  expect(await list()).toEqual([undefined])
})

test('a contact while abandoned subscriptions are removed keeps the subscription', async () => {
  const { world, account, id, list } = await open()
  const { subscriptions } = world
  await world.advance(hour + 1)
  const removed = subscriptions.removeAbandoned()
  await subscriptions.edit(account, id, 'message.create', { listenerName: 'laptop' })
  await removed
  expect(await list()).toEqual(['laptop', undefined])
})
