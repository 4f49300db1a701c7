import { describe, expect, test } from 'vitest'
import type { Account } from '../../../src/domain/account/account.js'
import { applyDeliverySuccess } from '../../../src/domain/webhook/subscription.js'
import { RelayError } from '../../../src/errors.js'
import { RetentionService } from '../../../src/server/services/retention-service.js'
import type { Store } from '../../../src/server/store/store.js'
import { hour, World } from './world.js'

const day = 24 * hour
const forEver = Number.POSITIVE_INFINITY

async function open(retain: number) {
  const world = await World.open()
  const account = await world.account()
  const phone = await world.phone(account)
  const retention = new RetentionService(world.context, retain)
  const send = async (): Promise<string> => {
    const { id } = await world.create(account)
    await world.next(account, phone)
    await world.sent(account, phone, id)
    return id
  }
  return { world, account, phone, retention, send }
}

/** The names of the account's recorded events. */
async function eventsOf({ store }: World, account: Account): Promise<string[]> {
  const names = ['message.create', 'message.sent'] as const
  const logs = await Promise.all(
    names.map(name => store.events.listAfter(account.id, name, 0, 1e9)),
  )
  return logs.flat().map(({ event }) => event)
}

describe('messages', () => {
  test('are deleted after the retention from the time they became final', async () => {
    const { world, retention, send } = await open(7 * day)
    const id = await send()
    await world.advance(7 * day)
    await retention.sweep()
    expect(await world.read(id)).toMatchObject({ status: 'S' })
    await world.advance(1)
    await retention.sweep()
    expect(await world.read(id)).toBeUndefined()
  })

  test('stay forever without a retention', async () => {
    const { world, retention, send } = await open(forEver)
    const id = await send()
    await world.advance(10_000 * day)
    await retention.sweep()
    expect(await world.read(id)).toBeDefined()
  })

  test('stay until their event is delivered, for at most 72 hours', async () => {
    const { world, account, retention, send } = await open(day)
    const hook = { event: 'message.sent', url: 'http://h/', method: 'POST', post: true } as const
    const { id: hookId } = await world.subscriptions.create(account, hook)
    const [first, second] = [await send(), await send()]
    await world.advance(2 * day)
    await retention.sweep()
    const [event] = await world.store.events.listAfter(account.id, 'message.sent', 0, 1)
    expect([event?.message, (await world.read(first))?.id]).toEqual([first, first])
    await world.advance(2 * day)
    await retention.sweep()
    expect(await world.read(first)).toBeDefined()
    await world.advance(1)
    await retention.sweep()
    expect(await world.read(first)).toBeUndefined()
    expect(await world.read(second)).toBeUndefined()
    const left = await world.store.events.listAfter(account.id, 'message.sent', 0, 9)
    expect(left.map(each => each.message)).toEqual([first, second])
    await world.store.subscriptions.change(hookId, it =>
      applyDeliverySuccess(it, left[1]?.seq ?? 0),
    )
    await retention.sweep()
    expect(await eventsOf(world, account)).toEqual([])
  })
})

describe('events', () => {
  test.each([
    ['30 days', forEver, 30 * day],
    ['30 days', 90 * day, 30 * day],
    ['as long as messages', 2 * day, 2 * day],
  ])('stay for %s with a retention of %d ms', async (_, retain, retained) => {
    const { world, account, retention, send } = await open(retain)
    await send()
    await world.advance(retained)
    await retention.sweep()
    expect(await eventsOf(world, account)).toEqual(['message.create', 'message.sent'])
    await world.advance(1)
    await retention.sweep()
    expect(await eventsOf(world, account)).toEqual([])
  })
})

test('deliveries are logged for 30 days', async () => {
  const { world, account, retention } = await open(forEver)
  const hook = { event: 'message.sent', url: 'http://h/', method: 'POST', post: true } as const
  const { id: subscription } = await world.subscriptions.create(account, hook)
  const { deliveryLog: deliveries } = world.store
  const how = { attempt: 1, ms: 1, ok: true, dead: false, resend: false }
  const note = (id: string): void =>
    deliveries.record({
      id,
      subscription,
      seq: 1,
      event: 'message.sent',
      message: 'm',
      at: world.time,
      ...how,
    })
  const retained = async () =>
    (await deliveries.list(subscription, { count: 9, failed: false })).length
  note('d1')
  await world.advance(30 * day)
  note('d2')
  await retention.sweep()
  expect(await retained()).toBe(2)
  await world.advance(day)
  await retention.sweep()
  expect(await retained()).toBe(1)
})

describe('a sweep', () => {
  test('on a full disk fails silently, and the next one succeeds', async () => {
    const { world, send } = await open(day)
    const id = await send()
    await world.advance(2 * day)
    let isFull = true
    const refusing = withCheck(world.store, () => {
      if (isFull) throw new RelayError('unavailable', 'The change could not be stored.')
    })
    const retention = new RetentionService({ ...world.context, store: refusing }, day)
    await retention.sweep()
    expect(await world.read(id)).toBeDefined()
    isFull = false
    await retention.sweep()
    expect(await world.read(id)).toBeUndefined()
  })

  test('with another error rejects', async () => {
    const { world } = await open(day)
    const broken = withCheck(world.store, () => {
      throw new Error('broken')
    })
    const retention = new RetentionService({ ...world.context, store: broken }, day)
    await expect(retention.sweep()).rejects.toThrow('broken')
  })

  test('ends after the present batch when it is stopped', async () => {
    const { world, account } = await open(day)
    await Promise.all(Array.from({ length: 1500 }, async () => await world.create(account)))
    await world.advance(2 * day)
    const retention = new RetentionService(world.context, day)
    const swept = retention.sweep()
    retention.stop()
    await swept
    const left = (await eventsOf(world, account)).length
    expect(left).toBeGreaterThan(0)
    expect(left).toBeLessThan(1500)
  })
})

/** The store with a `check` before each deletion. */
function withCheck(store: Store, check: () => void): Store {
  async function* purge(retention: Parameters<Store['messages']['purge']>[0]) {
    check()
    yield* store.messages.purge(retention)
  }
  const messages = new Proxy(store.messages, {
    get: (all, name) => (name === 'purge' ? purge : Reflect.get(all, name).bind(all)),
  })
  return { ...store, messages }
}
