import { describe, expect, test } from 'vitest'
import type { DeliveryMode } from '../../../../src/domain/account/account.js'
import { refusal, World } from '../world.js'

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
