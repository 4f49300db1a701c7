import { expect, onTestFinished, test } from 'vitest'
import { AuditService } from '../../../../src/server/services/audit/audit-service.js'
import { auditService } from '../../../../src/server/services/audit/audited-services.js'
import { contactRules } from '../../../../src/server/services/audit/contact-rules.js'
import { ContactService } from '../../../../src/server/services/contacts/contact-service.js'
import { GroupService } from '../../../../src/server/services/contacts/group-service.js'
import { actFor } from '../../../../src/server/store/audit-scope.js'
import type { Store } from '../../../../src/server/store/store.js'
import { temporaryFolder } from '../../../temporary-folder.js'
import { FakeClock } from '../../../util/async/fake-clock.js'
import { createObservers } from '../../observers.js'
import { getJournalLength, openCuts, openStore } from '../../store/lowdb/lowdb-rig.js'
import { openStore as openPostgres } from '../../store/postgres/postgres-rig.js'
import { openMigratedDatabase, runSql } from '../../store/postgres/test-postgres.js'
import { accountWith, formatPlace } from '../../store/rig.js'

const account = accountWith('a')
const origin = { actor: { kind: 'person', id: 'p1', name: 'Ada@example.com' } } as const
const number = '+12025550143'

async function createContacts(store: Store): Promise<ContactService> {
  let created = 0
  const newId = () => formatPlace(created++)
  const context = { store, clock: new FakeClock(), newId, ...createObservers() }
  await store.accounts.create(account)
  const contacts = new ContactService(context, new GroupService(context))
  auditService(contacts, contactRules, new AuditService(context))
  return contacts
}

/** The names of all groups, and those of the groups that the audit log has. */
async function readGroups({ groups, auditLog }: Store) {
  const entries = await auditLog.getPage({ account: account.id, action: 'group', count: 100 })
  return {
    groups: (await groups.list(account.id)).map(({ name }) => name).sort(),
    logged: entries.map(({ target }) => target?.name).sort(),
  }
}

const options = { dryRun: false, skipInvalid: false }
const drafts = [{ number, groups: ['Crew', 'Staff'] }]

/** Imports the contacts for a person of the account. */
async function importAll(contacts: ContactService) {
  return await actFor(origin, async () => await contacts.importAll(account, drafts, options))
}

test('a crash leaves each group of an import with its audit entry, or neither', async () => {
  const folder = await temporaryFolder()
  const store = await openStore(folder)
  const contacts = await createContacts(store)
  const begin = await getJournalLength(folder)
  await importAll(contacts)
  const seen = new Set<number>()
  for await (const { end, store: cut } of openCuts(folder, begin)) {
    const { groups, logged } = await readGroups(cut)
    expect(logged, `at ${end}`).toEqual(groups)
    seen.add(groups.length)
  }
  expect([...seen]).toEqual([0, 1, 2])
})

test('PostgreSQL refuses a group of an import whose audit entry cannot be stored', async () => {
  const url = await openMigratedDatabase()
  const store = await openPostgres(url)
  const contacts = await createContacts(store)
  const refuse = `
    create function refuse() returns trigger language plpgsql as
      $$ begin raise exception 'no entry' using errcode = '22000'; end $$;
    create trigger refuse before insert on audit_entry for each row
      when (new.action = 'group.create' and new.target like '%staff%') execute function refuse()`
  await runSql(url, refuse)
  onTestFinished(async () => void (await runSql(url, 'drop function refuse cascade')))
  await expect(importAll(contacts)).rejects.toThrow('no entry')
  expect(await readGroups(store)).toEqual({ groups: ['Crew'], logged: ['Crew'] })
  expect(await store.contacts.count(account.id)).toBe(0)
})
