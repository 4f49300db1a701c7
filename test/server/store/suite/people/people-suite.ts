import { expect, test } from 'vitest'
import type { Person } from '../../../../../src/domain/account/person.js'
import { accountWith, start } from '../../rig.js'
import type { CreateDatabase } from '../test-database.js'

/** People, whose e-mail addresses are unique together with those of accounts, and owners. */
export function testPeople(createDatabase: CreateDatabase): void {
  const person = (id: string, email: string, account = 'a'): Person => ({
    ...{ id, account, email, passwordHash: 'p', role: 'reader', createdAt: start },
  })

  test('a person is found by e-mail in any case, and removed with the account', async () => {
    const database = await createDatabase()
    const store = await database.open()
    for (const id of ['a', 'b']) await store.accounts.create(accountWith(id))
    const [eve, bob] = [person('1', 'Eve@x.org'), person('2', 'bob@x.org', 'b')]
    for (const each of [eve, bob]) await store.people.change(each.id, () => each)
    const promoted = { ...eve, role: 'admin', lastSignInAt: start } as const
    expect(await store.people.change('1', () => promoted)).toEqual(promoted)
    for (const reader of [store, await database.openCopy()]) {
      expect(await reader.people.get('1')).toEqual(promoted)
      expect(await reader.people.findByEmail('eVe@X.org')).toEqual(promoted)
      expect(await reader.people.list('a')).toEqual([promoted])
    }
    await store.accounts.remove('a')
    expect(await store.people.list()).toEqual([bob])
    await store.accounts.create(accountWith('c', { email: 'eve@x.org' }))
  })

  test('an account may be the owner only if it is or was', async () => {
    const store = await (await createDatabase()).open()
    const times = { a: null, b: start, c: null, d: start + 1 }
    for (const [id, ownerSince] of Object.entries(times))
      await store.accounts.create(accountWith(id, { ownerSince }))
    const listed = await store.accounts.list('owners')
    expect(listed.map(({ id }) => id).sort()).toEqual(['b', 'd'])
  })

  test('an e-mail address belongs to one person or account, until it is free', async () => {
    const store = await (await createDatabase()).open()
    await store.accounts.create(accountWith('a', { email: 'ada@x.org' }))
    const taken = {
      code: 'invalid_parameter',
      message: expect.stringContaining('already signs in'),
    }
    const wrong = store.people.change('1', () => person('1', 'ADA@x.org'))
    await expect(wrong).rejects.toMatchObject(taken)
    const results = await Promise.allSettled([
      store.people.change('2', () => person('2', 'eve@x.org')),
      store.people.change('3', () => person('3', 'EVE@x.org')),
      store.accounts.create(accountWith('b', { email: 'Eve@x.org' })),
    ])
    expect(results.filter(each => each.status === 'fulfilled')).toHaveLength(1)
    for (const id of ['2', '3']) await store.people.change(id, () => null)
    await store.accounts.remove('b')
    await store.people.change('4', () => person('4', 'eve@x.org'))
    const moved = store.accounts.change('a', found => ({ ...found, email: 'eve@X.org' }))
    await expect(moved).rejects.toMatchObject(taken)
    await store.people.change('4', () => person('4', 'new@x.org'))
    await store.accounts.change('a', found => ({ ...found, email: 'eve@X.org' }))
    const back = store.people.change('4', () => person('4', 'Eve@x.org'))
    await expect(back).rejects.toMatchObject(taken)
    expect(await store.people.get('4')).toMatchObject({ email: 'new@x.org' })
  })
}
