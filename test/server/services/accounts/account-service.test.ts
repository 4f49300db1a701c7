import { describe, expect, test } from 'vitest'
import type { DeliveryMode } from '../../../../src/domain/account/account.js'
import { AccountService } from '../../../../src/server/services/accounts/account-service.js'
import { toTokenId } from '../../../../src/server/services/accounts/session-token.js'
import { refusal, World } from '../world.js'

const page = { filter: 'all', start: 0, count: 100, order: 'asc' } as const
const hook = { event: 'message.create', url: 'http://127.0.0.1:9/', method: 'POST' } as const

/** An account that owns a record of each kind. */
async function openFull(world: World, email: string) {
  const account = await world.account({ email })
  const { token } = await world.tokens.issue(account.secretKey, account.appKey)
  const phone = await world.phone(account)
  await world.create(account, {}, 'k')
  await world.next(account, phone)
  const subscription = await world.subscriptions.create(account, { ...hook, post: true })
  const scope = { scope: account.id, country: 'US' }
  await world.doNotText.add(scope, '+12025550199')
  const everything = async () => ({
    account: await world.store.accounts.get(account.id),
    byEmail: await world.store.accounts.findByEmail(email),
    bySecretKey: await world.store.accounts.findBySecretKey(account.secretKey),
    messages: await world.messages.list(account, page),
    held: await world.next(account, phone),
    subscription: await world.store.subscriptions.get(subscription.id),
    events: await world.store.events.listAfter(account.id, 'message.create', 0, 100),
    doNotText: await world.doNotText.list(scope),
    token: await world.tokens.getCaller(toTokenId(token)).then(
      caller => caller.kind,
      error => error.code,
    ),
  })
  return { account, everything }
}

describe('removing an account', () => {
  const nothing = {
    messages: [],
    events: [],
    doNotText: [],
    token: 'invalid_token',
  }

  test('removes all its records and no others, also after a restart', async () => {
    const world = await World.open()
    const ann = await openFull(world, 'ann@example.com')
    const bob = await openFull(world, 'bob@example.com')
    await world.doNotText.add({ scope: '*', country: '' }, '+12025550198')
    const before = await bob.everything()
    await world.accounts.remove('ANN@example.com')
    expect(await ann.everything()).toEqual(nothing)
    expect(await bob.everything()).toEqual(before)
    await world.restart()
    expect(await ann.everything()).toEqual(nothing)
    expect(await bob.everything()).toEqual(before)
    expect(await world.doNotText.list({ scope: '*', country: '' })).toHaveLength(1)
    expect(await world.accounts.list()).toEqual([bob.account])
  })

  test('frees its address and its idempotency keys', async () => {
    const world = await World.open()
    const ann = await openFull(world, 'ann@example.com')
    const [first] = await world.messages.list(ann.account, page)
    await world.accounts.remove('ann@example.com')
    const again = await openFull(world, 'ann@example.com')
    const [second] = await world.messages.list(again.account, page)
    expect(again.account.id).not.toBe(ann.account.id)
    expect(second?.id).not.toBe(first?.id)
  })

  test('does not restart the numbers of events', async () => {
    const world = await World.open()
    const ann = await openFull(world, 'ann@example.com')
    const [last] = (await ann.everything()).events
    await world.accounts.remove('ann@example.com')
    await world.restart()
    const bob = await openFull(world, 'bob@example.com')
    const [next] = (await bob.everything()).events
    // After the message of the first account follows its number.blocked.
    expect(next?.seq).toBe((last?.seq ?? 0) + 2)
  })
})

describe('a new account', () => {
  test('has random keys, and a random password by default', async () => {
    const world = await World.open()
    const created = [
      await world.accounts.create({ email: 'a@example.com' }),
      await world.accounts.create({ email: 'b@example.com' }),
    ]
    const secrets = created.flatMap(({ account, password, apiKey }) => [
      account.secretKey,
      account.appKey,
      password,
      apiKey,
    ])
    expect(new Set(secrets).size).toBe(8)
    expect(Math.min(...secrets.map(secret => secret.length))).toBeGreaterThanOrEqual(43)
  })

  test('has neither its password nor its API key in plain text in the store', async () => {
    const world = await World.open()
    const { account, password, apiKey } = await world.accounts.create({ email: 'a@example.com' })
    const stored = JSON.stringify(await world.store.accounts.get(account.id))
    expect(stored).not.toContain(password)
    expect(stored).not.toContain(apiKey)
  })

  test.each<[string, object]>([
    ['no address', { email: '' }],
    ['an address without a host', { email: 'ann@' }],
    ['an address of two', { email: 'a@b@c' }],
    ['an address with a colon', { email: 'ann:x@example.com' }],
    ['an address with a space', { email: 'a nn@example.com' }],
    ['a long address', { email: `${'a'.repeat(251)}@b.c` }],
    ['a short password', { password: 'seven 7' }],
    ['a common password', { password: 'Password1' }],
    ['an endless password', { password: 'x'.repeat(1025) }],
    ['an unknown country', { country: 'XX' }],
    ['a country of three letters', { country: 'USA' }],
    ['an unknown mode', { mode: 'at-will' as DeliveryMode }],
  ])('with %s is an error', async (_, wrong) => {
    const world = await World.open()
    const error = await refusal(world.accounts.create({ email: 'ann@example.com', ...wrong }))
    expect(error).toMatchObject({ code: 'invalid_parameter' })
    expect(await world.accounts.list()).toEqual([])
  })

  test('with the address of another one is an error, in any letter case', async () => {
    const world = await World.open()
    const attempts = ['ann@example.com', 'ANN@example.com'].map(email =>
      world.accounts.create({ email }).then(
        () => 'created',
        error => error.code,
      ),
    )
    expect((await Promise.all(attempts)).toSorted()).toEqual(['created', 'invalid_parameter'])
    expect(await world.accounts.list()).toHaveLength(1)
  })
})

test('a change of settings applies to later messages', async () => {
  const world = await World.open()
  const { email } = await world.account()
  const account = await world.accounts.change(email, { country: 'de' })
  expect(account).toMatchObject({ country: 'DE', mode: 'at-least-once' })
  expect(await world.create(account, { to: '030 123456' })).toMatchObject({ number: '+4930123456' })
  for (const wrong of [{ country: 'XX' }, { mode: 'at-will' as DeliveryMode }]) {
    const error = await refusal(world.accounts.change(email, wrong))
    expect(error).toMatchObject({ code: 'invalid_parameter' })
  }
  expect(await world.accounts.get(email)).toEqual(account)
})

test('of several nodes that create the first account, one does', async () => {
  const world = await World.open()
  const nodes = [1, 2, 3].map(() => new AccountService(world.context))
  const created = await Promise.all(nodes.map(node => node.createFirst({ email: 'o@localhost' })))
  const [owner, ...others] = created.filter(each => each !== undefined)
  expect(others).toEqual([])
  expect(await world.accounts.list()).toEqual([owner?.account])
  expect(await world.accounts.findOwner()).toEqual(owner?.account)
  expect(await world.accounts.createFirst({ email: 'p@localhost' })).toBeUndefined()
})

test('of several first accounts at the same time, one is the owner', async () => {
  const world = await World.open()
  const nodes = ['a', 'b', 'c'].map(name => ({ name, node: new AccountService(world.context) }))
  const created = await Promise.all(
    nodes.map(({ name, node }) => node.create({ email: `${name}@localhost` })),
  )
  const owners = created.filter(({ account }) => account.ownerSince !== null)
  expect(owners).toHaveLength(1)
  expect(await world.accounts.list()).toHaveLength(3)
})
