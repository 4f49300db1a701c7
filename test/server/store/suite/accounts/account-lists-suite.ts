import { expect, test } from 'vitest'
import type { Token } from '../../../../../src/domain/account/account.js'
import { buildListKey, type ListPageQuery } from '../../../../../src/domain/list-key.js'
import type { Mailbox } from '../../../../../src/resources/mailbox.js'
import { accountWith, start } from '../../rig.js'
import type { CreateDatabase } from '../test-database.js'

/** Lists that are read in pages by their keys, with mailboxes as the example of records. */
export function testAccountLists(createDatabase: CreateDatabase): void {
  const key = buildListKey(start + 1, '3')
  const cases = [
    [{ count: 9 }, '1 2 3 4'],
    [{ count: 2 }, '1 2'],
    [{ count: 9, after: key }, '4'],
    [{ count: 3, order: 'desc' }, '4 3 2'],
    [{ count: 9, after: key, order: 'desc' }, '2 1'],
  ] as const satisfies readonly (readonly [ListPageQuery, string])[]
  const times = [
    ['4', start + 2],
    ['2', start + 1],
    ['3', start + 1],
    ['1', start],
  ] as const

  const join = (records: readonly { readonly id: string }[]): string =>
    records.map(({ id }) => id).join(' ')

  test('the mailboxes of an account are paged by creation and counted', async () => {
    const database = await createDatabase()
    const store = await database.open()
    const create = async (id: string, createdAt: number, account = 'a') => {
      const mailbox: Mailbox = {
        ...{ id, account, name: '', hash: id, destinations: [], senders: [] },
        ...{ subject: 'never', length: 160, createdAt },
      }
      await store.mailboxes.change(id, () => mailbox)
    }
    for (const [id, at] of times) await create(id, at)
    await create('other', start, 'b')
    for (const { mailboxes } of [store, await database.openCopy()]) {
      for (const [query, ids] of cases) expect(join(await mailboxes.getPage('a', query))).toBe(ids)
      expect(await mailboxes.getPage('c', { count: 9, order: 'desc' })).toEqual([])
      expect([await mailboxes.count('a'), await mailboxes.count('c')]).toEqual([4, 0])
    }
  })

  test('the login tokens of one who signs in are listed from the one that ends last', async () => {
    const database = await createDatabase()
    const store = await database.open()
    const put = async (id: string, expiresAt: number, rest: Partial<Token> = {}) =>
      await store.tokens.put({ id, account: 'a', kind: 'login', expiresAt, ...rest })
    for (const [id, at] of times) await put(id, at)
    await put('app', start + 9, { kind: 'app' })
    await put('person', start + 9, { person: 'p' })
    await store.tokens.extend('2', start + 3)
    await put('removed', start + 9)
    await store.tokens.remove({ id: 'removed' })
    for (const { tokens } of [store, await database.openCopy()]) {
      for (const [now, count, ids, total] of [
        [start - 1, 9, '2 4 3 1', 4],
        [start - 1, 2, '2 4', 4],
        [start + 1, 9, '2 4', 2],
        [start + 9, 9, '', 0],
      ] as const) {
        const found = await tokens.listLatest({ account: 'a', kind: 'login' }, { now, count })
        expect([join(found.tokens), found.total]).toEqual([ids, total])
      }
      const signer = { account: 'a', kind: 'login', person: 'p' } as const
      const ofPerson = await tokens.listLatest(signer, { now: start, count: 9 })
      expect(join(ofPerson.tokens)).toBe('person')
    }
  })

  test('accounts are paged by creation, and those in at-most-once mode are listed', async () => {
    const database = await createDatabase()
    const store = await database.open()
    for (const [id, createdAt] of times) {
      const mode = id === '3' ? 'at-most-once' : 'at-least-once'
      await store.accounts.create(accountWith(id, { createdAt, mode }))
    }
    await store.accounts.change('2', found => ({ ...found, mode: 'at-most-once' }))
    for (const { accounts } of [store, await database.openCopy()]) {
      for (const [query, ids] of cases) expect(join(await accounts.getPage(query))).toBe(ids)
      expect(join(await accounts.list('at-most-once'))).toBe('2 3')
    }
  })
}
