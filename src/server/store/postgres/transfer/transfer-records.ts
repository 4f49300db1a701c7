import type { Person } from '../../../../domain/account/person.js'
import { buildActorText, buildTargetText } from '../../../../domain/audit/audit-entry.js'
import { buildContactKey } from '../../../../domain/contact/contact.js'
import { buildListKey } from '../../../../domain/list-key.js'
import type { EventName } from '../../../../domain/webhook/event.js'
import type { Resource } from '../../../../resources/resource.js'
import { type ResourceName, resourceNames, resources } from '../../../../resources/resources.js'
import { normalizeEmail } from '../../account-store.js'
import type { Records } from '../../lowdb/records/collections.js'
import { listUniqueKeys, type UniqueKey } from '../../resource-store.js'
import { toEventCode, toEventName } from '../events/event-code.js'
import {
  bigint,
  json,
  jsonb,
  type Row,
  type TransferTable,
  text,
  toIdEntry,
} from './transfer-table.js'

/** Columns of every table whose rows hold a whole record. */
const recordColumns = { id: text, account: text, version: bigint, created_at: bigint, doc: json }

interface AccountRecord {
  readonly id: string
  readonly account: string
  readonly createdAt?: number
}

function toRecordRow(record: AccountRecord): Row {
  const { id, account, createdAt = 0 } = record
  return { id, account, version: 1, created_at: createdAt, doc: record }
}

function createRecordTable<
  K extends 'capability' | 'person' | 'invitation' | 'phone' | ResourceName,
>(
  kind: K,
  table: string = kind,
  keys: readonly Pick<UniqueKey, 'column' | 'read'>[] = [],
): TransferTable<K> {
  return {
    ...{ kind, table, order: 'created_at, id' },
    columns: { ...recordColumns, ...Object.fromEntries(keys.map(({ column }) => [column, text])) },
    toRow: record => ({
      ...toRecordRow(record),
      ...Object.fromEntries(keys.map(({ column, read }) => [column, read(record)])),
    }),
    toEntry: toIdEntry,
  }
}

export const secretUrlTable = createRecordTable('capability', 'secret_url')

export const personTable = createRecordTable('person', 'person', [
  { column: 'email', read: record => normalizeEmail((record as Person).email) },
])

export const invitationTable = createRecordTable('invitation')

export const phoneTable: TransferTable<'phone'> = {
  ...createRecordTable('phone'),
  toRow: record => ({ ...toRecordRow(record), created_at: record.firstNextAt ?? 0 }),
}

export const resourceTables = resourceNames.map(kind => {
  const resource: Resource = resources[kind]
  return createRecordTable(kind, resource.table, listUniqueKeys(resource))
})

export const contactTable: TransferTable<'contact'> = {
  kind: 'contact',
  table: 'contact',
  columns: {
    account: text,
    number: text,
    version: bigint,
    sort_key: text,
    groups: jsonb,
    doc: json,
  },
  order: 'account, sort_key',
  toRow: record => ({
    account: record.account,
    number: record.number,
    version: 1,
    sort_key: buildContactKey(record),
    groups: record.groups ?? [],
    doc: record,
  }),
  toEntry: ({ account, number, doc }) => ({
    key: `${account} ${number}`,
    record: doc as Records['contact'],
  }),
}

/** Numbers the rows of each group, from 1. */
function createCounter(): (group: string) => number {
  const counts = new Map<string, number>()
  return group => {
    const count = (counts.get(group) ?? 0) + 1
    counts.set(group, count)
    return count
  }
}

export function createSubscriptionTable(): TransferTable<'subscription'> {
  const count = createCounter()
  return {
    kind: 'subscription',
    table: 'subscription',
    columns: { ...recordColumns, place: 'int', name: 'smallint', cursor: bigint },
    order: 'created_at, id',
    toRow: ({ id, account, event, cursor, ...fields }) => ({
      ...{ id, account, version: 1, place: count(account), name: toEventCode(event), cursor },
      created_at: fields.createdAt,
      doc: fields,
    }),
    toEntry: ({ id, account, name, cursor, doc }) => {
      const event: EventName = toEventName(name as number)
      const record = { ...(doc as object), id, account, event, cursor }
      return { key: id as string, record: record as Records['subscription'] }
    },
  }
}

export const auditTransferTable: TransferTable<'audit'> = {
  kind: 'audit',
  table: 'audit_entry',
  columns: {
    ...{ id: text, account: text, at: bigint, action: text },
    ...{ actor: text, target: text, address: text, doc: json },
  },
  order: 'id',
  toRow: entry => ({
    ...{ id: entry.id, account: entry.account, at: entry.at, action: entry.action },
    actor: buildActorText(entry),
    target: buildTargetText(entry),
    address: entry.address,
    doc: entry,
  }),
  toEntry: toIdEntry,
}

export const doNotTextTable: TransferTable<'block'> = {
  kind: 'block',
  table: 'do_not_text',
  columns: { scope: text, number: text, list_key: text, doc: json },
  order: 'scope, list_key',
  toRow: record => ({
    scope: record.scope,
    number: record.number,
    list_key: buildListKey(record.at, record.number),
    doc: record,
  }),
  toEntry: ({ scope, number, doc }) => ({
    key: `${scope} ${number}`,
    record: doc as Records['block'],
  }),
}

export function createReceivedTextTable(): TransferTable<'received'> {
  const count = createCounter()
  return {
    kind: 'received',
    table: 'received_text',
    columns: {
      ...{ id: text, account: text, number: text, created_at: bigint, once_key: text },
      ...{ event: bigint, reply: bigint, doc: json },
    },
    order: 'account, id',
    toRow: record => ({
      ...{ id: record.id, account: record.account, number: record.number },
      created_at: record.createdAt,
      once_key: record.once?.key,
      event: record.event,
      reply: record.reply && count(`${record.account} ${record.number}`),
      doc: record,
    }),
    toEntry: ({ id, event, doc }) => {
      const record = { ...(doc as Records['received']), ...(event === null ? {} : { event }) }
      return { key: id as string, record: record as Records['received'] }
    },
  }
}
