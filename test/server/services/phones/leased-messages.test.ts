import { describe, expect, test } from 'vitest'
import {
  type Account,
  type DeliveryMode,
  deliveryModes,
} from '../../../../src/domain/account/account.js'
import { hour, lease, minute, refusal, second, World } from '../world.js'

interface Scene {
  readonly world: World
  readonly account: Account
  readonly phone: string
  readonly other: string
  /** A message that `phone` claimed. */
  readonly id: string
}

async function openLeased(mode: DeliveryMode): Promise<Scene> {
  const world = await World.open()
  const account = await world.account({ mode })
  const phone = await world.phone(account)
  const other = await world.phone(account)
  const { id } = await world.create(account)
  expect(await world.next(account, phone)).toBe(id)
  return { world, account, phone, other, id }
}

/** The messages that both phones get. */
async function claimAll({ world, account, phone, other }: Scene): Promise<unknown[]> {
  return [await world.next(account, other), await world.next(account, phone)]
}

describe.each(deliveryModes)('%s: a leased message that is edited to be sent later', mode => {
  test('is given to nobody before, also not to its holder', async () => {
    const scene = await openLeased(mode)
    const { world, account, phone, id } = scene
    const sendAt = world.time + lease / 2
    await world.messages.edit(account, id, { sendAt })
    await world.advance(lease / 2 - 1)
    expect(await claimAll(scene)).toEqual([undefined, undefined])
    await world.restart()
    expect(await claimAll(scene)).toEqual([undefined, undefined])
    await world.advance(1)
    expect(await world.next(account, phone)).toBe(id)
  })

  test('keeps its lease', async () => {
    const { world, account, id } = await openLeased(mode)
    const before = await world.read(id)
    await world.messages.edit(account, id, { sendAt: world.time + hour, text: 'other' })
    expect((await world.read(id))?.lease).toEqual(before?.lease)
  })

  test('gives way to other messages and comes back when it is due', async () => {
    const { world, account, phone, other, id } = await openLeased(mode)
    await world.messages.edit(account, id, { sendAt: world.time + minute })
    const second = await world.create(account)
    expect(await world.next(account, phone)).toBe(second.id)
    await world.sent(account, phone, second.id)
    await world.advance(minute)
    expect(await world.next(account, other)).toBeUndefined()
    expect(await world.next(account, phone)).toBe(id)
  })
})

test('at-least-once: a message edited to be sent after its lease goes to anyone then', async () => {
  const scene = await openLeased('at-least-once')
  const { world, account, other, id } = scene
  await world.messages.edit(account, id, { sendAt: world.time + hour })
  await world.advance(hour - 1)
  await world.claims.settleExpiredLeases()
  expect(await claimAll(scene)).toEqual([undefined, undefined])
  await world.advance(1)
  expect(await world.next(account, other)).toBe(id)
})

test('at-most-once: a message edited to be sent after its lease is locked', async () => {
  const scene = await openLeased('at-most-once')
  const { world, account, id } = scene
  await world.messages.edit(account, id, { sendAt: world.time + hour })
  await world.advance(lease)
  await world.claims.settleExpiredLeases()
  expect(await world.read(id)).toMatchObject({ status: 'L' })
  await world.advance(hour)
  expect(await claimAll(scene)).toEqual([undefined, undefined])
})

describe.each(['running', 'ended'])('at-most-once: with a lease that is %s', condition => {
  async function openScene(): Promise<Scene> {
    const scene = await openLeased('at-most-once')
    await scene.world.advance(condition === 'running' ? second : lease)
    return scene
  }

  test('a message that is deleted and undeleted comes back as Locked', async () => {
    const scene = await openScene()
    const { world, account, id } = scene
    await world.messages.remove(account, id)
    expect((await world.messages.undelete(account, id))?.status).toBe('L')
    await world.restart()
    expect(await claimAll(scene)).toEqual([undefined, undefined])
    expect(await world.read(id)).toMatchObject({ status: 'L', error: expect.any(String) })
  })

  test('it counts the report of its phone after that', async () => {
    const { world, account, phone, id } = await openScene()
    await world.messages.remove(account, id)
    expect(await refusal(world.sent(account, phone, id))).toMatchObject({ code: 'not_a_message' })
    await world.messages.undelete(account, id)
    expect((await world.sent(account, phone, id)).status).toBe('S')
  })

  test('an undeleted message to a listed number is Locked', async () => {
    const { world, account, id } = await openScene()
    await world.messages.remove(account, id)
    const { number = '' } = (await world.read(id)) ?? {}
    await world.doNotText.add({ scope: account.id, country: 'US' }, number)
    expect((await world.messages.undelete(account, id))?.status).toBe('L')
    expect((await world.messages.unlock(account, id))?.status).toBe('B')
  })
})

test('at-least-once: a deleted message comes back with its lease', async () => {
  const { world, account, phone, other, id } = await openLeased('at-least-once')
  await world.messages.remove(account, id)
  expect((await world.messages.undelete(account, id))?.status).toBe('N')
  expect(await world.next(account, other)).toBeUndefined()
  expect(await world.next(account, phone)).toBe(id)
  await world.advance(lease)
  expect(await world.next(account, other)).toBe(id)
})

describe.each(deliveryModes)('%s: a leased message that is locked', mode => {
  test('goes to nobody but its holder when it is unlocked', async () => {
    const scene = await openLeased(mode)
    const { world, account, other, phone, id } = scene
    await world.messages.lock(account, id)
    expect(await claimAll(scene)).toEqual([undefined, undefined])
    await world.restart()
    expect((await world.messages.unlock(account, id))?.status).toBe('N')
    expect(await world.next(account, other)).toBeUndefined()
    expect(await world.next(account, phone)).toBe(id)
  })

  test('goes to anyone when it is unlocked after the lease', async () => {
    const { world, account, other, id } = await openLeased(mode)
    await world.messages.lock(account, id)
    await world.advance(lease)
    await world.claims.settleExpiredLeases()
    expect(await world.read(id)).toMatchObject({ status: 'L' })
    await world.messages.unlock(account, id)
    expect(await world.next(account, other)).toBe(id)
  })

  test('goes to anyone when its holder has released it', async () => {
    const { world, account, phone, other, id } = await openLeased(mode)
    await world.messages.lock(account, id)
    expect((await world.claims.report(account, phone, { id, release: {} })).status).toBe('L')
    await world.messages.unlock(account, id)
    expect(await world.next(account, other)).toBe(id)
  })
})

test('at-most-once: an unlocked message is locked again when its lease ends', async () => {
  const scene = await openLeased('at-most-once')
  const { world, account, id } = scene
  await world.messages.lock(account, id)
  await world.messages.unlock(account, id)
  await world.advance(lease)
  expect(await claimAll(scene)).toEqual([undefined, undefined])
  expect(await world.read(id)).toMatchObject({ status: 'L' })
})

test('a waiting phone gets the message that it leases exactly when it is due', async () => {
  const { world, account, phone, id } = await openLeased('at-least-once')
  await world.messages.edit(account, id, { sendAt: world.time + minute })
  let isOver = false
  const given = world.claims.next(account, phone, { wait: hour }).finally(() => {
    isOver = true
  })
  await world.flush()
  await world.messages.edit(account, id, { sendAt: world.time + second })
  await world.advance(second - 1)
  await world.flush()
  expect(isOver).toBe(false)
  await world.advance(1)
  expect(await given).toMatchObject({ id, lease: { holder: phone } })
})
