import { describe, expect, test } from 'vitest'
import {
  accountLimits,
  type RecordLimitName,
  recordLimitNames,
} from '../../../../../src/domain/account-limits.js'
import type { Store } from '../../../../../src/server/store/store.js'
import { accountWith, start } from '../../rig.js'
import type { CreateDatabase } from '../test-database.js'

/** A record that is complete enough for the tables and indexes of its kind. */
async function create(store: Store, name: RecordLimitName, n: number, account = 'a') {
  const id = `${account}${n}`
  if (name === 'contacts') {
    const number = `+1202555010${n}`
    const contact = { account, number, name: '', createdAt: start }
    return await store.contacts.changeAll(account, [number], () => contact)
  }
  const own = { text: '', hash: id, email: `${id}@example.com`, destinations: [], senders: [] }
  const record = { ...own, id, account, name: id, createdAt: start }
  return await store[name].change(id, () => record as never)
}

/** What an account has as many of as its limit allows is refused in the commit that creates it. */
export function testRecordLimits(createDatabase: CreateDatabase): void {
  describe.each(recordLimitNames)('the limit of %s', name => {
    test('holds for requests at once, on any node, and for nobody else', async () => {
      const database = await createDatabase()
      const store = await database.open()
      await store.accounts.create(accountWith('a', { limits: { [name]: 3 } }))
      await store.accounts.create(accountWith('b'))
      await create(store, name, 0)
      const nodes = store.isShared ? [store, await database.openCopy()] : [store, store]
      const results = await Promise.allSettled(
        [1, 2, 3, 4, 5, 6].map(async n => await create(nodes[n % 2] ?? store, name, n)),
      )
      expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(2)
      expect(results.flatMap(each => (each.status === 'rejected' ? each.reason : []))).toEqual(
        Array.from({ length: 4 }, () =>
          expect.objectContaining({
            code: 'invalid_state',
            message: expect.stringMatching(
              new RegExp(`may have 3 ${accountLimits[name].label}, and has as many`, 'i'),
            ),
          }),
        ),
      )
      expect(await store[name].count('a')).toBe(3)
      await create(store, name, 1, 'b')
      await store.accounts.change('a', account => ({ ...account, limits: {} }))
      await create(store, name, 7)
    })
  })

  test('one more token ends the oldest of its key or person', async () => {
    const store = await (await createDatabase()).open()
    await store.accounts.create(accountWith('a'))
    const put = async (id: string, expiresAt: number, kind: 'api' | 'app' = 'api') =>
      await store.tokens.put({ id, account: 'a', kind, expiresAt }, 3)
    await put('other', start, 'app')
    for (const n of [0, 3, 1, 2, 4]) await put(`t${n}`, start + n)
    expect(await store.tokens.countMost('a')).toBe(3)
    const left = await Promise.all(
      ['other', 't0', 't1', 't2', 't3', 't4'].map(async id => (await store.tokens.get(id))?.id),
    )
    expect(left.filter(id => id !== undefined)).toEqual(['other', 't2', 't3', 't4'])
  })
}
