import { expect, test } from 'vitest'
import type { Mailbox } from '../../../../src/domain/account/mailbox.js'
import { accountWith, start } from '../rig.js'
import type { CreateDatabase, StoreOptions } from './test-database.js'

/** Records that an account has few of, with mailboxes as the example. */
export function testAccountRecords(createDatabase: CreateDatabase): void {
  const newStore = async (options: StoreOptions = {}) => (await createDatabase()).open(options)
  const mailbox = (id: string, account = 'a'): Mailbox => ({
    ...{ id, account, name: '', hash: id, destinations: [], senders: [] },
    ...{ subject: 'never', length: 160, createdAt: start },
  })

  test('account records are created, replaced, listed and removed durably', async () => {
    const database = await createDatabase()
    const store = await database.open()
    for (const each of [mailbox('1'), mailbox('2', 'b'), mailbox('3')]) {
      expect(await store.mailboxes.change(each.id, () => each)).toEqual(each)
    }
    const moved = { ...mailbox('3'), createdAt: start + 1 }
    await store.mailboxes.change('3', current => (current?.createdAt === start ? moved : null))
    expect(await store.mailboxes.change('2', () => null)).toBeUndefined()
    expect(await store.mailboxes.change('none', () => null)).toBeUndefined()
    for (const reader of [store, await database.openCopy()]) {
      expect(await reader.mailboxes.list('a')).toEqual([mailbox('1'), moved])
      expect(await reader.mailboxes.list()).toHaveLength(2)
      expect(await reader.mailboxes.get('2')).toBeUndefined()
      expect(await reader.mailboxes.get('3')).toEqual(moved)
    }
  })

  test('account records are removed with their account, and those of others stay', async () => {
    const store = await newStore()
    for (const id of ['a', 'b']) await store.accounts.create(accountWith(id))
    await store.mailboxes.change('1', () => mailbox('1'))
    await store.mailboxes.change('2', () => mailbox('2', 'b'))
    await store.accounts.remove('a')
    expect(await store.mailboxes.list()).toEqual([mailbox('2', 'b')])
  })
}
