import { describe, expect, test } from 'vitest'
import type { Account } from '../../../../src/domain/account/account.js'
import type { DoNotTextScope } from '../../../../src/server/services/messages/do-not-text-service.js'
import { hour, lease, minute, refusal, World } from '../world.js'

const listed = '+12025550143'
const free = '+12025550144'

async function open() {
  const world = await World.open()
  const account = await world.account()
  return { world, account, phone: await world.phone(account) }
}

const scopes: [string, (account: Account) => DoNotTextScope][] = [
  ['the whole service', () => ({ scope: '*', country: '' })],
  ['the account', ({ id, country }) => ({ scope: id, country })],
]

describe.each(scopes)('a number on the list of %s', (_, scopeOf) => {
  test('blocks a message at creation, and others not', async () => {
    const { world, account } = await open()
    await world.blocklist.add(scopeOf(account), listed)
    expect(await world.create(account, { to: listed })).toMatchObject({ status: 'B' })
    expect(await world.create(account, { to: free })).toMatchObject({ status: 'N' })
  })

  test('blocks a message however the number is written', async () => {
    const { world, account } = await open()
    await world.blocklist.add(scopeOf(account), '+1 (202) 555-0143')
    for (const to of ['(202) 555-0143', '202-555-0143', '+1.202.555.0143', '1 202 555 0143']) {
      expect([to, (await world.create(account, { to })).status]).toEqual([to, 'B'])
    }
  })

  test('blocks a message that is edited to it', async () => {
    const { world, account } = await open()
    await world.blocklist.add(scopeOf(account), listed)
    const { id } = await world.create(account, { to: free })
    const edited = await world.messages.edit(account, id, { destination: listed })
    expect(edited).toMatchObject({ status: 'B', destination: listed })
  })

  test('blocks what is waiting for it, scheduled and failed messages included', async () => {
    const { world, account, phone } = await open()
    const failed = await world.create(account)
    await world.next(account, phone)
    await world.failed(account, phone, failed.id)
    const scheduled = await world.create(account, { at: world.time + hour })
    const other = await world.create(account, { to: free })
    await world.blocklist.add(scopeOf(account), listed)
    const states = await Promise.all([failed, scheduled, other].map(({ id }) => world.read(id)))
    expect(states.map(message => message?.status)).toEqual(['B', 'B', 'N'])
  })

  test('leaves what a phone has in hand to the phone', async () => {
    const { world, account, phone } = await open()
    const { id } = await world.create(account)
    await world.next(account, phone)
    await world.blocklist.add(scopeOf(account), listed)
    expect(await world.read(id)).toMatchObject({ status: 'N', lease: { holder: phone } })
    expect(await world.sent(account, phone, id)).toMatchObject({ status: 'S' })
  })

  test('blocks at NEXT what a phone failed to send meanwhile', async () => {
    const { world, account, phone } = await open()
    const { id } = await world.create(account)
    await world.next(account, phone)
    await world.blocklist.add(scopeOf(account), listed)
    await world.failed(account, phone, id)
    await world.advance(15 * minute)
    expect(await world.next(account, phone)).toBeUndefined()
    expect(await world.read(id)).toMatchObject({ status: 'B' })
  })

  test('blocks at NEXT what a phone never reported, and the one behind it is given', async () => {
    const { world, account, phone } = await open()
    const silent = await world.create(account)
    await world.next(account, await world.phone(account))
    await world.blocklist.add(scopeOf(account), listed)
    await world.advance(lease)
    const behind = await world.create(account, { to: free })
    expect(await world.next(account, phone)).toBe(behind.id)
    expect(await world.read(silent.id)).toMatchObject({ status: 'B' })
  })

  test('leaves sent and failed messages alone', async () => {
    const { world, account, phone } = await open()
    const { id } = await world.create(account)
    await world.next(account, phone)
    await world.sent(account, phone, id)
    await world.blocklist.add(scopeOf(account), listed)
    expect(await world.read(id)).toMatchObject({ status: 'S' })
  })

  test('is taken off again: new messages go, blocked ones stay blocked', async () => {
    const { world, account, phone } = await open()
    const blocked = await world.create(account)
    await world.blocklist.add(scopeOf(account), listed)
    await world.blocklist.remove(scopeOf(account), '+1 202 555 0143')
    expect(await world.blocklist.list(scopeOf(account))).toEqual([])
    const { id } = await world.create(account)
    expect(await world.next(account, phone)).toBe(id)
    expect(await world.read(blocked.id)).toMatchObject({ status: 'B' })
  })

  test('is listed once, with the time it was first listed, over a restart', async () => {
    const { world, account } = await open()
    const first = await world.blocklist.add(scopeOf(account), listed)
    await world.advance(hour)
    expect(await world.blocklist.add(scopeOf(account), '+1-202-555-0143')).toEqual(first)
    await world.restart()
    expect(await world.blocklist.list(scopeOf(account))).toEqual([first])
    expect(await world.create(account)).toMatchObject({ status: 'B' })
  })

  test('that is not listed cannot be taken off', async () => {
    const { world, account } = await open()
    const gone = await refusal(world.blocklist.remove(scopeOf(account), listed))
    expect(gone).toMatchObject({ code: 'not_found' })
  })

  test.each(['', 'abc', '+1', '12', '+12025550143x', '+1202555014300000000'])(
    'cannot be %j',
    async number => {
      const { world, account } = await open()
      const scope = scopeOf(account)
      for (const act of [world.blocklist.add, world.blocklist.remove]) {
        const error = await refusal(act.call(world.blocklist, scope, number))
        expect(error).toMatchObject({ code: 'invalid_parameter' })
      }
    },
  )
})

test('the list of one account does not count for another', async () => {
  const { world, account } = await open()
  const other = await world.account()
  await world.blocklist.add({ scope: account.id, country: 'US' }, listed)
  expect(await world.create(other)).toMatchObject({ status: 'N' })
  expect(await world.blocklist.list({ scope: other.id, country: 'US' })).toEqual([])
})

test('the list of the whole service counts for messages of every account that wait', async () => {
  const { world, account } = await open()
  const other = await world.account()
  const made = [await world.create(account), await world.create(other)]
  await world.blocklist.add({ scope: '*', country: '' }, listed)
  const states = await Promise.all(made.map(({ id }) => world.read(id)))
  expect(states.map(message => message?.status)).toEqual(['B', 'B'])
})

test('the list of the whole service takes international numbers only', async () => {
  const { world } = await open()
  const error = await refusal(world.blocklist.add({ scope: '*', country: '' }, '202-555-0143'))
  expect(error).toMatchObject({ code: 'invalid_parameter' })
})

test('a number blocked by both lists waits for both to let it go', async () => {
  const { world, account } = await open()
  for (const [, scopeOf] of scopes) await world.blocklist.add(scopeOf(account), listed)
  await world.blocklist.remove({ scope: '*', country: '' }, listed)
  expect(await world.create(account)).toMatchObject({ status: 'B' })
  await world.blocklist.remove({ scope: account.id, country: 'US' }, listed)
  expect(await world.create(account)).toMatchObject({ status: 'N' })
})
