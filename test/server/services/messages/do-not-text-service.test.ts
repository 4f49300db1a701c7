import { describe, expect, test } from 'vitest'
import type { Account } from '../../../../src/domain/account/account.js'
import { hour, lease, minute, refusal, World } from '../world.js'

const listed = '+12025550143'
const free = '+12025550144'

async function open() {
  const world = await World.open()
  const account = await world.account()
  return { world, account, phone: await world.phone(account) }
}

type Scope = Parameters<World['doNotText']['add']>[0]

const scopes: [string, (account: Account) => Scope][] = [
  ['the whole relay', () => ({ scope: '*', country: '' })],
  ['the account', ({ id, country }) => ({ scope: id, country })],
]

describe.each(scopes)('a number on the list of %s', (_, scopeOf) => {
  test('blocks waiting messages, also scheduled and failed ones', async () => {
    const { world, account, phone } = await open()
    const failed = await world.create(account)
    await world.next(account, phone)
    await world.failed(account, phone, failed.id)
    const scheduled = await world.create(account, { at: world.time + hour })
    const other = await world.create(account, { to: free })
    await world.doNotText.add(scopeOf(account), listed)
    const states = await Promise.all([failed, scheduled, other].map(({ id }) => world.read(id)))
    expect(states.map(message => message?.status)).toEqual(['B', 'B', 'N'])
  })

  test('does not block a leased message', async () => {
    const { world, account, phone } = await open()
    const { id } = await world.create(account)
    await world.next(account, phone)
    await world.doNotText.add(scopeOf(account), listed)
    expect(await world.read(id)).toMatchObject({ status: 'N', lease: { holder: phone } })
    expect(await world.sent(account, phone, id)).toMatchObject({ status: 'S' })
  })

  test('blocks a message at NEXT after its phone reported a failure', async () => {
    const { world, account, phone } = await open()
    const { id } = await world.create(account)
    await world.next(account, phone)
    await world.doNotText.add(scopeOf(account), listed)
    await world.failed(account, phone, id)
    await world.advance(15 * minute)
    expect(await world.next(account, phone)).toBeUndefined()
    expect(await world.read(id)).toMatchObject({ status: 'B' })
  })

  test('blocks a message at NEXT after its lease, and the phone gets another one', async () => {
    const { world, account, phone } = await open()
    const silent = await world.create(account)
    await world.next(account, await world.phone(account))
    await world.doNotText.add(scopeOf(account), listed)
    await world.advance(lease)
    const behind = await world.create(account, { to: free })
    expect(await world.next(account, phone)).toBe(behind.id)
    expect(await world.read(silent.id)).toMatchObject({ status: 'B' })
  })

  test('is listed once, with the time of its first addition, also after a restart', async () => {
    const { world, account } = await open()
    const first = await world.doNotText.add(scopeOf(account), listed)
    await world.advance(hour)
    expect(await world.doNotText.add(scopeOf(account), '+1-202-555-0143')).toEqual(first)
    await world.restart()
    expect(await world.doNotText.list(scopeOf(account))).toEqual([first])
    expect(await world.create(account)).toMatchObject({ status: 'B' })
  })
})

test("the relay's list applies to the waiting messages of all accounts", async () => {
  const { world, account } = await open()
  const other = await world.account()
  const created = [await world.create(account), await world.create(other)]
  await world.doNotText.add({ scope: '*', country: '' }, listed)
  const states = await Promise.all(created.map(({ id }) => world.read(id)))
  expect(states.map(message => message?.status)).toEqual(['B', 'B'])
})

test("the relay's list accepts only international numbers", async () => {
  const { world } = await open()
  const error = await refusal(world.doNotText.add({ scope: '*', country: '' }, '202-555-0143'))
  expect(error).toMatchObject({ code: 'invalid_parameter' })
})

test('a number on both lists is blocked until both remove it', async () => {
  const { world, account } = await open()
  for (const [, scopeOf] of scopes) await world.doNotText.add(scopeOf(account), listed)
  await world.doNotText.remove({ scope: '*', country: '' }, listed)
  expect(await world.create(account)).toMatchObject({ status: 'B' })
  await world.doNotText.remove({ scope: account.id, country: 'US' }, listed)
  expect(await world.create(account)).toMatchObject({ status: 'N' })
})
