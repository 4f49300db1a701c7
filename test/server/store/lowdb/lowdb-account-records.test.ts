import { expect, test } from 'vitest'
import type { Mailbox } from '../../../../src/domain/account/mailbox.js'
import { accountWith, newFolder, newStore, openCopy, openStore, start } from '../rig.js'

const mailbox = (id: string, account = 'a'): Mailbox => ({
  ...{ id, account, name: '', hash: id, destinations: [], senders: [] },
  ...{ subject: 'never', length: 160, createdAt: start },
})

test('records of an account are made, replaced, listed and removed, for good', async () => {
  const folder = await newFolder()
  const store = await openStore(folder)
  for (const made of [mailbox('1'), mailbox('2', 'b'), mailbox('3')]) {
    expect(await store.mailboxes.change(made.id, () => made)).toEqual(made)
  }
  const moved = { ...mailbox('3'), createdAt: start + 1 }
  await store.mailboxes.change('3', current => (current?.createdAt === start ? moved : null))
  expect(await store.mailboxes.change('2', () => null)).toBeUndefined()
  expect(await store.mailboxes.change('none', () => null)).toBeUndefined()
  for (const reader of [store, await openCopy(folder)]) {
    expect(await reader.mailboxes.list('a')).toEqual([mailbox('1'), moved])
    expect(await reader.mailboxes.list()).toHaveLength(2)
    expect(await reader.mailboxes.get('2')).toBeUndefined()
    expect(await reader.mailboxes.get('3')).toEqual(moved)
  }
})

test('records go with their account, and those of another stay', async () => {
  const store = await newStore()
  for (const id of ['a', 'b']) await store.accounts.create(accountWith(id))
  await store.mailboxes.change('1', () => mailbox('1'))
  await store.mailboxes.change('2', () => mailbox('2', 'b'))
  await store.accounts.remove('a')
  expect(await store.mailboxes.list()).toEqual([mailbox('2', 'b')])
})
