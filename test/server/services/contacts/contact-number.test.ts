import { expect, test } from 'vitest'
import { ContactService } from '../../../../src/server/services/contacts/contact-service.js'
import { GroupService } from '../../../../src/server/services/contacts/group-service.js'
import { temporaryFolder } from '../../../temporary-folder.js'
import { FakeClock } from '../../../util/async/fake-clock.js'
import { createObservers } from '../../observers.js'
import { openStore } from '../../store/lowdb/lowdb-rig.js'
import { accountWith } from '../../store/rig.js'

const account = accountWith('a')
const [before, after] = ['+12025550143', '+12025550144']

async function openContacts(): Promise<ContactService> {
  const store = await openStore(await temporaryFolder())
  const context = { store, clock: new FakeClock(), newId: () => 'x', ...createObservers() }
  await store.accounts.create(account)
  const contacts = new ContactService(context, new GroupService(context))
  await contacts.add(account, { number: before, name: 'Ada' })
  return contacts
}

test('a contact that is edited while it gets another number keeps the edit', async () => {
  const contacts = await openContacts()
  const results = await Promise.allSettled([
    contacts.edit(account, before, { number: after }),
    contacts.edit(account, before, { name: 'Ada Lovelace' }),
  ])
  expect(results).toMatchObject([
    { status: 'rejected', reason: { code: 'precondition_failed' } },
    { status: 'fulfilled' },
  ])
  expect(await contacts.getPage(account, { count: 9 })).toMatchObject([
    { number: before, name: 'Ada Lovelace' },
  ])
})

test('a contact that is removed while it gets another number is removed', async () => {
  const contacts = await openContacts()
  const results = await Promise.allSettled([
    contacts.edit(account, before, { number: after }),
    contacts.remove(account, before),
  ])
  expect(results).toMatchObject([
    { status: 'rejected', reason: { code: 'not_found' } },
    { status: 'fulfilled' },
  ])
  expect(await contacts.getPage(account, { count: 9 })).toEqual([])
})
