import { expect, test } from 'vitest'
import { type AuditEntry, auditActions } from '../../../../../src/domain/audit/audit-entry.js'
import type { Message } from '../../../../../src/domain/message/message.js'
import { withAudit } from '../../../../../src/server/store/audit-scope.js'
import type { AuditQuery } from '../../../../../src/server/store/audit-store.js'
import type { Store } from '../../../../../src/server/store/store.js'
import { accept, accountWith, start } from '../../rig.js'
import type { CreateDatabase } from '../test-database.js'
import { auditedChanges, auditOf, findParts, prepareChanges } from './audited-changes.js'

function entryWith(at: number, changes: Partial<AuditEntry> = {}): AuditEntry {
  return {
    id: `entry-${String(at).padStart(4, '0')}`,
    account: 'a',
    at: start + at,
    action: 'group.create',
    actor: { kind: 'person', id: 'p1', name: 'Ada@example.com' },
    ...changes,
  }
}

const entries = [
  entryWith(1, { target: { kind: 'group', id: 'g1', name: 'Küche' } }),
  entryWith(2, { account: 'b', actor: { kind: 'key', name: 'API key' } }),
  entryWith(3, { action: 'group.delete', address: '192.0.2.1', detail: '50 % done_' }),
  entryWith(4, { action: 'subscription.pause', device: 'curl', request: 'r-1' }),
  entryWith(5, { action: 'person.sign_in', refused: true, address: '2001:db8::1' }),
  entryWith(6, { account: '*', action: 'do_not_text.add', actor: { kind: 'administration' } }),
]

async function append(store: Store, added: readonly AuditEntry[]): Promise<void> {
  await Promise.all(added.map(entry => store.auditLog.append(entry)))
}

async function listIds(store: Store, query: Partial<AuditQuery>): Promise<number[]> {
  const page = await store.auditLog.getPage({ count: 100, ...query })
  return page.map(({ at }) => at - start)
}

const filters: readonly (readonly [Partial<AuditQuery>, readonly number[]])[] = [
  [{}, [6, 5, 4, 3, 2, 1]],
  [{ account: 'a' }, [5, 4, 3, 1]],
  [{ account: 'a', count: 2 }, [5, 4]],
  [{ account: 'a', before: 'entry-0004' }, [3, 1]],
  [{ before: 'entry-0003' }, [2, 1]],
  [{ since: start + 2, until: start + 4 }, [3, 2]],
  [{ action: 'group' }, [3, 2, 1]],
  [{ action: 'group.delete' }, [3]],
  [{ action: 'grou' }, []],
  [{ account: 'a', actor: 'ADA@' }, [5, 4, 3, 1]],
  [{ actor: 'api key' }, [2]],
  [{ actor: '%' }, []],
  [{ target: 'küche' }, [1]],
  [{ target: 'g1' }, [1]],
  [{ address: '192.0.2.1' }, [3]],
  [{ account: 'a', action: 'group', actor: 'p1', target: 'group', address: '192.0.2.1' }, []],
]

/** A message that is changed without an effect. */
function touch(message: Message | undefined) {
  return message === undefined ? {} : { message: { ...message } }
}

export function testAuditLog(createDatabase: CreateDatabase): void {
  test('the audit log has durable entries, the newest first', async () => {
    const database = await createDatabase()
    const store = await database.open()
    await append(store, entries)
    await append(store, entries.slice(0, 1))
    for (const reader of [store, await database.openCopy()]) {
      expect(await reader.auditLog.getPage({ count: 100 })).toEqual(entries.toReversed())
      expect(await reader.auditLog.get('entry-0003')).toEqual(entries[2])
      expect(await reader.auditLog.get('entry-0009')).toBeUndefined()
    }
  })

  test('a page of the audit log has what its filters name', async () => {
    const store = await (await createDatabase()).open()
    await append(store, entries)
    for (const [query, ids] of filters)
      expect(await listIds(store, query), JSON.stringify(query)).toEqual(ids)
  })

  test('entries of the audit log stay when their account is removed', async () => {
    const store = await (await createDatabase()).open()
    await store.accounts.create(accountWith('a'))
    await append(store, entries)
    await store.accounts.remove('a')
    expect(await listIds(store, { account: 'a' })).toEqual([5, 4, 3, 1])
  })

  test('an entry of the audit log is stored with its event, once', async () => {
    const database = await createDatabase()
    const store = await database.open()
    await store.accounts.create(accountWith('a'))
    const heard: string[] = []
    store.watch(({ account, events }) => heard.push(...events.map(name => `${account} ${name}`)))
    const [first, other] = [entryWith(1), entryWith(2, { account: 'gone' })]
    for (const entry of [first, other]) await store.auditLog.append(entry, 'person.signed_in')
    await append(store, [entryWith(3)])
    expect(heard).toContain('a person.signed_in')
    const reader = await database.openCopy()
    const events = await reader.events.listAfter('a', 'person.signed_in', 0, 10)
    expect(events).toMatchObject([{ message: first.id, at: first.at }])
    expect(await reader.events.listAfter('gone', 'person.signed_in', 0, 10)).toEqual([])
    expect(await listIds(reader, {})).toEqual([3, 2, 1])
  })

  test('old entries of the audit log are deleted in batches', async () => {
    const database = await createDatabase()
    const store = await database.open()
    await append(
      store,
      Array.from({ length: 1100 }, (_, at) => entryWith(at)),
    )
    let removed = 0
    for await (const batch of store.auditLog.purge(start + 1050)) removed += batch
    expect(removed).toBe(1050)
    const reader = await database.openCopy()
    expect(await listIds(reader, { account: 'a', count: 2000 })).toHaveLength(50)
    expect(await listIds(reader, { before: 'entry-1051' })).toEqual([1050])
  })

  test('a change of each kind is stored with its entry of the audit log', async () => {
    const database = await createDatabase()
    const store = await database.open()
    await prepareChanges(store)
    for (const change of auditedChanges) {
      const { audit, confirmed } = auditOf(change.name)
      expect(await findParts(store, change), change.name).toEqual([false, false])
      await withAudit(audit, async () => await change.run(store))
      const reader = await database.openCopy()
      expect(await findParts(reader, change), change.name).toEqual([true, true])
      const entry = await reader.auditLog.get(change.name)
      expect(entry?.detail, change.name).toBe(`${confirmed.length} changes`)
      expect(confirmed.length, change.name).toBeGreaterThan(0)
    }
  })

  test('calls at once have entries of their own, and what they wake has none', async () => {
    const database = await createDatabase()
    const store = await database.open()
    await prepareChanges(store)
    const ids = Array.from({ length: 6 }, (_, at) => `call-${at}`)
    const woken: Promise<unknown>[] = []
    const create = async (id: string) => {
      await accept(store, `m-${id}`)
      await store.subscriptions.change('s-old', each => ({
        ...each,
        triggered: each.triggered + 1,
      }))
    }
    const wake = async () => await store.messages.change('a', 'm-old', each => touch(each))
    const stop = store.watch(({ messages }) => {
      if (messages.some(id => id.startsWith('m-call'))) woken.push(wake())
    })
    const calls = ids.map(id => ({ id, ...auditOf(id) }))
    await Promise.all([
      ...calls.map(async ({ id, audit }) => await withAudit(audit, async () => await create(id))),
      ...ids.map(async id => await create(`plain-${id}`)),
    ])
    stop()
    await Promise.all(woken)
    expect(woken.length).toBeGreaterThan(0)
    for (const { id, confirmed } of calls) {
      const changed = confirmed.map(({ kind, after }) => `${kind} ${(after as Message).id}`)
      expect(new Set(changed)).toEqual(new Set([`message m-${id}`, 'subscription s-old']))
      expect((await store.auditLog.get(id))?.detail).toBe('1 changes')
    }
  })

  test('a call that changes nothing has no entry in the audit log', async () => {
    const store = await (await createDatabase()).open()
    await prepareChanges(store)
    const { audit, confirmed } = auditOf('nothing')
    await withAudit(audit, async () => {
      await store.accounts.change('a', each => each)
      await store.contacts.changeAll('a', ['+3'], (_, current) => current)
      await store.doNotText.remove('a', '+9', start)
      await store.tokens.remove({ id: 'unknown' })
      await store.tokens.remove({ account: 'unknown', kind: 'login' })
      await store.subscriptions.remove('unknown')
      await store.subscriptions.change('s-old', each => each)
      const refuse = (): never => {
        throw new Error('refused')
      }
      await expect(store.groups.change('groups-old', refuse)).rejects.toThrow('refused')
      await expect(store.messages.change('a', 'm-old', refuse)).rejects.toThrow('refused')
    })
    expect(confirmed).toEqual([])
    expect(await listIds(store, {})).toEqual([])
  })

  test('names of audit actions are unique and have a resource and a verb', () => {
    expect(new Set(auditActions).size).toBe(auditActions.length)
    for (const action of auditActions) expect(action).toMatch(/^[a-z_]+\.[a-z_]+$/)
  })
}
