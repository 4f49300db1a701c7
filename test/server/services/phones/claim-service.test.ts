import { describe, expect, test } from 'vitest'
import type { Account, DeliveryMode } from '../../../../src/domain/account/account.js'
import { ClaimService } from '../../../../src/server/services/phones/claim-service.js'
import { hour, lease, minute, second, World } from '../world.js'

interface Scene {
  world: World
  account: Account
  phone: string
  other: string
}

async function open(mode: DeliveryMode = 'at-least-once'): Promise<Scene> {
  const world = await World.open()
  const account = await world.account({ mode })
  return { world, account, phone: await world.phone(account), other: await world.phone(account) }
}

/** Claims the due message and reports a failure. */
async function failNext({ world, account, phone }: Scene) {
  const id = await world.next(account, phone)
  expect(id).toBeDefined()
  return await world.failed(account, phone, id ?? '')
}

describe('retries', () => {
  test('failure n delays a message by 15 × n minutes, to the millisecond', async () => {
    const scene = await open()
    const { world, account, phone } = scene
    const { id } = await world.create(account)
    for (const n of [1, 2, 3, 4]) {
      expect(await failNext(scene)).toMatchObject({ id, status: 'E', failures: n })
      await world.advance(n * 15 * minute - 1)
      expect([n, await world.next(account, phone)]).toEqual([n, undefined])
      await world.advance(1)
      expect([n, await world.next(account, phone)]).toEqual([n, id])
    }
    expect(await failNext(scene)).toMatchObject({ id, status: 'F', failures: 5 })
    await world.advance(1000 * hour)
    expect(await world.next(account, phone)).toBeUndefined()
  })
})

describe('leases', () => {
  test('a message whose lease ended follows those that became due before', async () => {
    const { world, account, phone, other } = await open()
    const lapsed = await world.create(account)
    await world.next(account, phone)
    await world.advance(lease - second)
    const meanwhile = await world.create(account)
    await world.advance(second)
    const later = await world.create(account)
    expect(await world.next(account, other)).toBe(meanwhile.id)
    await world.sent(account, other, meanwhile.id)
    expect(await world.next(account, other)).toBe(lapsed.id)
    await world.sent(account, other, lapsed.id)
    expect(await world.next(account, other)).toBe(later.id)
  })

  test('in at-most-once mode it is locked exactly at the end of the lease', async () => {
    const { world, account, phone } = await open('at-most-once')
    const { id } = await world.create(account)
    await world.next(account, phone)
    await world.advance(lease - 1)
    await world.claims.settleExpiredLeases()
    expect(await world.read(id)).toMatchObject({ status: 'N' })
    await world.advance(1)
    await world.claims.settleExpiredLeases()
    expect(await world.read(id)).toMatchObject({ status: 'L', statusAt: world.time })
  })
})

test('a thousand scheduled messages do not hide the one that is due', async () => {
  const { world, account, phone } = await open()
  const scheduled = Array.from({ length: 1000 }, (_, n) =>
    world.create(account, { at: world.time + hour + n }),
  )
  await Promise.all(scheduled)
  const { id } = await world.create(account)
  expect(await world.next(account, phone)).toBe(id)
  await world.sent(account, phone, id)
  expect(await world.next(account, phone)).toBeUndefined()
})

test('a NEXT waits no longer when the wall clock is set back', async () => {
  const { world, account, phone } = await open()
  let setBack = 0
  const clock = { ...world.clock, now: () => world.time - setBack }
  const phones = { findName: async () => undefined }
  const claims = new ClaimService({ ...world.context, clock }, lease, phones)
  let isOver = false
  const waiting = claims.next(account, phone, { wait: minute }).finally(() => {
    isOver = true
  })
  await world.flush()
  setBack = hour
  await world.advance(minute)
  await world.flush()
  expect(isOver).toBe(true)
  expect(await waiting).toBeUndefined()
})
