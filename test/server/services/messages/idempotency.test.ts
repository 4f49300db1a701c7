import { expect, test } from 'vitest'
import { hour, World } from '../world.js'

async function open() {
  const world = await World.open()
  const account = await world.account()
  const count = async () =>
    (await world.messages.list(account, { filter: 'all', start: 0, count: 100, order: 'asc' }))
      .length
  return { world, account, phone: await world.phone(account), count }
}

test('a key is valid for 24 hours, to the millisecond', async () => {
  const { world, account } = await open()
  const first = await world.create(account, {}, 'k')
  await world.advance(24 * hour - 1)
  expect((await world.create(account, {}, 'k')).id).toBe(first.id)
  await world.advance(1)
  const second = await world.create(account, {}, 'k')
  expect(second.id).not.toBe(first.id)
  expect((await world.create(account, {}, 'k')).id).toBe(second.id)
})

test.each(['success', 'failure'] as const)(
  'a %s reported twice under one key counts once',
  async verb => {
    const { world, account, phone } = await open()
    const { id } = await world.create(account)
    await world.next(account, phone)
    const outcome =
      verb === 'success'
        ? { success: { parts: 1 } }
        : { failure: { error: 'x', outcome: 'failed' as const } }
    const report = async () =>
      await world.claims.report(account, phone, { id, key: 'r', ...outcome })
    const first = await report()
    await world.advance(hour)
    expect(await report()).toEqual(first)
  },
)
