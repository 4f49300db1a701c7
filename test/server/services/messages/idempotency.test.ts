import { expect, test } from 'vitest'
import { hour, refusal, World } from '../world.js'

async function open() {
  const world = await World.open()
  const account = await world.account()
  const count = async () =>
    (await world.messages.list(account, { filter: 'all', start: 0, count: 100, order: 'asc' }))
      .length
  return { world, account, phone: await world.phone(account), count }
}

const draft = { destination: '+12025550143', text: 'hello' }

test('the first result stays after the message is edited, sent and deleted', async () => {
  const { world, account, phone, count } = await open()
  const first = await world.create(account, {}, 'k')
  await world.messages.edit(account, first.id, { text: 'edited' })
  expect(await world.create(account, {}, 'k')).toEqual(first)
  await world.next(account, phone)
  await world.sent(account, phone, first.id)
  expect(await world.create(account, {}, 'k')).toEqual(first)
  await world.messages.remove(account, first.id)
  expect(await world.create(account, {}, 'k')).toEqual(first)
  expect(await count()).toBe(0)
})

test('the first result of a blocked message stays', async () => {
  const { world, account } = await open()
  const scope = { scope: account.id, country: 'US' }
  await world.doNotText.add(scope, '+12025550143')
  const first = await world.create(account, {}, 'k')
  await world.doNotText.remove(scope, '+12025550143')
  expect(await world.create(account, {}, 'k')).toEqual(first)
  expect(first.status).toBe('B')
})

test.each([
  ['text', { ...draft, text: 'other' }],
  ['destination', { ...draft, destination: '+12025550144' }],
  ['spelling of the destination', { ...draft, destination: '+1 202 555 0143' }],
  ['time', { ...draft, sendAt: Date.UTC(2040, 0, 1) }],
])('the same key with another %s is invalid_request and creates nothing', async (_, other) => {
  const { world, account, count } = await open()
  await world.create(account, {}, 'k')
  const error = await refusal(world.messages.accept(account, other, 'api', 'k'))
  expect(error).toMatchObject({ code: 'invalid_request' })
  expect(await count()).toBe(1)
})

test('a failed request does not use its key', async () => {
  const { world, account } = await open()
  const bad = world.messages.accept(account, { ...draft, destination: 'abc' }, 'api', 'k')
  expect(await refusal(bad)).toMatchObject({ code: 'invalid_parameter' })
  expect(await world.create(account, {}, 'k')).toMatchObject({ status: 'N' })
})

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

test('a key survives a restart', async () => {
  const { world, account } = await open()
  const first = await world.create(account, {}, 'k')
  await world.restart()
  expect(await world.create(account, {}, 'k')).toEqual(first)
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
