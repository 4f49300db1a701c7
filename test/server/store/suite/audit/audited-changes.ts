import type { AuditEntry } from '../../../../../src/domain/audit/audit-entry.js'
import type { CommitAudit, RecordChange } from '../../../../../src/server/store/audit-store.js'
import type { Store } from '../../../../../src/server/store/store.js'
import { accept, accountWith, draftWith, messageWith, start } from '../../rig.js'

/** A change of the store that the audit log has. */
export interface AuditedChange {
  readonly name: string
  readonly prepare?: (store: Store) => Promise<unknown>
  readonly run: (store: Store) => Promise<unknown>
  readonly isDone: (store: Store) => Promise<boolean>
}

const owned = { account: 'a', createdAt: start }
const token = { ...owned, kind: 'login' as const, expiresAt: start + 1e9 }
const person = { ...owned, email: 'p@example.com', passwordHash: 'hash', role: 'reader' as const }
const invitation = { ...owned, email: 'i@example.com', role: 'reader' as const, expiresAt: start }
const mailbox = {
  ...{ ...owned, name: 'Orders', destinations: [], senders: [], subject: 'never' as const },
  length: 1,
}

const recordStores = [
  ['people', person],
  ['invitations', invitation],
  ['secretUrls', { ...owned, hash: 'hash' }],
  ['mailboxes', mailbox],
  ['phones', { ...owned, name: 'desk', driver: 'modem', lastSeenAt: start }],
  ['groups', { ...owned, name: 'Crew' }],
  ['templates', { ...owned, name: 'Hello', text: 'Hi' }],
] as const

/** A record that is created, one that is changed and one that is removed. */
function listRecordChanges([name, record]: (typeof recordStores)[number]): AuditedChange[] {
  const withId = (id: string) => {
    const unique = `${name}-${id}`
    const names = 'name' in record ? { name: unique } : {}
    const emails = 'email' in record ? { email: `${unique}@example.com` } : {}
    return { ...record, id: unique, ...names, ...emails }
  }
  const get = async (store: Store, id: string) => await store[name].get(`${name}-${id}`)
  const put = async (store: Store, id: string, decided: object | null) =>
    await store[name].change(`${name}-${id}`, () => decided as never)
  return [
    {
      name: `${name}.create`,
      run: async store => await put(store, 'new', withId('new')),
      isDone: async store => (await get(store, 'new')) !== undefined,
    },
    {
      name: `${name}.change`,
      prepare: async store => await put(store, 'old', withId('old')),
      run: async store => await put(store, 'old', { ...withId('old'), mark: 1 }),
      isDone: async store => 'mark' in ((await get(store, 'old')) ?? {}),
    },
    {
      name: `${name}.remove`,
      prepare: async store => await put(store, 'gone', withId('gone')),
      run: async store => await put(store, 'gone', null),
      isDone: async store => (await get(store, 'gone')) === undefined,
    },
  ]
}

const accountChanges: AuditedChange[] = [
  {
    name: 'accounts.create',
    run: async store => await store.accounts.create(accountWith('new')),
    isDone: async store => await store.accounts.has('new'),
  },
  {
    name: 'accounts.change',
    run: async store => await store.accounts.change('a', each => ({ ...each, country: 'DE' })),
    isDone: async store => (await store.accounts.list())[0]?.country === 'DE',
  },
  {
    name: 'accounts.remove',
    prepare: async store => await store.accounts.create(accountWith('gone')),
    run: async store => await store.accounts.remove('gone'),
    isDone: async store => !(await store.accounts.has('gone')),
  },
  {
    name: 'tokens.put',
    run: async store => await store.tokens.put({ ...token, id: 't-new' }),
    isDone: async store => (await store.tokens.get('t-new')) !== undefined,
  },
  {
    name: 'tokens.remove',
    prepare: async store => await store.tokens.put({ ...token, id: 't-gone' }),
    run: async store => await store.tokens.remove({ id: 't-gone' }),
    isDone: async store => (await store.tokens.get('t-gone')) === undefined,
  },
  {
    name: 'tokens.removeAll',
    prepare: async store => await store.tokens.put({ ...token, id: 't-p', person: 'p' }),
    run: async store => await store.tokens.remove({ account: 'a', kind: 'login', person: 'p' }),
    isDone: async store => (await store.tokens.get('t-p')) === undefined,
  },
]

const listChanges: AuditedChange[] = [
  {
    name: 'contacts.create',
    run: async ({ contacts }) =>
      await contacts.changeAll('a', ['+1', '+2'], number => ({ ...owned, number, name: 'Ann' })),
    isDone: async ({ contacts }) => (await contacts.find('a', ['+1'])).length === 1,
  },
  {
    name: 'contacts.remove',
    prepare: async ({ contacts }) =>
      await contacts.changeAll('a', ['+3'], number => ({ ...owned, number, name: 'Bob' })),
    run: async ({ contacts }) => await contacts.changeAll('a', ['+3'], () => null),
    isDone: async ({ contacts }) => (await contacts.find('a', ['+3'])).length === 0,
  },
  {
    name: 'doNotText.add',
    run: async ({ doNotText }) =>
      await doNotText.add([{ scope: 'a', number: '+4', at: start }], start, () => ({})),
    isDone: async ({ doNotText }) => (await doNotText.findListed('a', ['+4'])).length === 1,
  },
  {
    name: 'doNotText.remove',
    prepare: async ({ doNotText }) =>
      await doNotText.add([{ scope: 'a', number: '+5', at: start }], start, () => ({})),
    run: async ({ doNotText }) => await doNotText.remove('a', '+5', start),
    isDone: async ({ doNotText }) => (await doNotText.findListed('a', ['+5'])).length === 0,
  },
]

const messageChanges: AuditedChange[] = [
  {
    name: 'subscriptions.create',
    run: async ({ subscriptions }) => await subscriptions.create(draftWith('s-new')),
    isDone: async ({ subscriptions }) => (await subscriptions.get('s-new')) !== undefined,
  },
  {
    name: 'subscriptions.change',
    prepare: async ({ subscriptions }) => await subscriptions.create(draftWith('s-old')),
    run: async ({ subscriptions }) =>
      await subscriptions.change('s-old', each => ({ ...each, triggered: 7 })),
    isDone: async ({ subscriptions }) => (await subscriptions.get('s-old'))?.triggered === 7,
  },
  {
    name: 'subscriptions.remove',
    prepare: async ({ subscriptions }) => await subscriptions.create(draftWith('s-gone')),
    run: async ({ subscriptions }) => await subscriptions.remove('s-gone'),
    isDone: async ({ subscriptions }) => (await subscriptions.get('s-gone')) === undefined,
  },
  {
    name: 'messages.change',
    prepare: async store => await accept(store, 'm-old'),
    run: async ({ messages }) =>
      await messages.change('a', 'm-old', each =>
        each ? { message: { ...each, text: 'new' } } : {},
      ),
    isDone: async ({ messages }) => (await messages.get('a', 'm-old'))?.text === 'new',
  },
  {
    name: 'messages.changeAll',
    run: async ({ messages }) =>
      await messages.changeAll(
        ['m1', 'm2', 'm3'].map(id => ({
          ...{ account: 'a', id, options: { number: '+12025550143' } },
          decide: () => ({ message: messageWith(id), events: ['message.create'] }),
        })),
      ),
    isDone: async ({ messages }) => (await messages.get('a', 'm3')) !== undefined,
  },
]

/** A change of each kind that a store can audit, in an account `a`. */
export const auditedChanges: readonly AuditedChange[] = [
  ...accountChanges,
  ...recordStores.flatMap(listRecordChanges),
  ...listChanges,
  ...messageChanges,
]

/** Creates the account of the changes, and what they change. */
export async function prepareChanges(store: Store): Promise<void> {
  await store.accounts.create(accountWith('a'))
  for (const { prepare } of auditedChanges) await prepare?.(store)
}

/** The audit of one change, whose entry has the name of the change as its identifier. */
export function auditOf(id: string) {
  const confirmed: RecordChange[] = []
  const audit: CommitAudit = {
    describe: changes => ({ entry: createEntry(id, changes.length) }),
    confirm: changes => void confirmed.push(...changes),
  }
  return { audit, confirmed }
}

function createEntry(id: string, count: number): AuditEntry {
  const actor = { kind: 'person', id: 'p1', name: 'Ada@example.com' } as const
  return { id, account: 'a', at: start, action: 'group.change', actor, detail: `${count} changes` }
}

/** Of a change: whether a store has it, and whether it has its entry. */
export async function findParts(store: Store, { name, isDone }: AuditedChange) {
  return [await isDone(store), (await store.auditLog.get(name)) !== undefined] as const
}
