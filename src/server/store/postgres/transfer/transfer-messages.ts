import {
  getAvailableTime,
  getDueTime,
  isWaiting,
  type Message,
} from '../../../../domain/message/message.js'
import { normalizeEmail } from '../../account-store.js'
import type { Records } from '../../lowdb/records/collections.js'
import { toEventCode, toEventName } from '../events/event-code.js'
import { type MessageRow, rowToMessage, toDoc } from '../message-rows/message-row.js'
import { bigint, json, type Row, type TransferTable, text, toIdEntry } from './transfer-table.js'

/** Leaves out the columns that are null, of fields that the record does not have. */
function withoutNulls<T>(fields: Readonly<Record<string, unknown>>): T {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null)) as T
}

export const accountTable: TransferTable<'account'> = {
  kind: 'account',
  table: 'account',
  columns: {
    ...{ id: text, version: bigint, email: text, secret_key: text, created_at: bigint, doc: json },
  },
  order: 'created_at, id',
  toRow: record => ({
    id: record.id,
    version: 1,
    email: normalizeEmail(record.email),
    secret_key: record.secretKey,
    created_at: record.createdAt,
    doc: record,
  }),
  toEntry: toIdEntry,
}

export const tokenTable: TransferTable<'token'> = {
  kind: 'token',
  table: 'token',
  columns: {
    ...{ id: text, account: text, kind: text, expires_at: bigint, claims: bigint },
    ...{ person: text, login: json },
  },
  order: 'id',
  toRow: ({ expiresAt, claims = 0, ...record }) => ({ ...record, expires_at: expiresAt, claims }),
  toEntry: row => {
    const { id, account: owner, kind, expires_at: expiresAt, claims, person, login } = row
    const counted = claims === 0 ? null : claims
    const record = withoutNulls<Records['token']>({
      ...{ id, account: owner, kind, expiresAt, claims: counted, person, login },
    })
    return { key: record.id, record }
  },
}

export const messageTable: TransferTable<'message'> = {
  kind: 'message',
  table: 'message',
  columns: {
    ...{ account: text, id: text, version: bigint, status: '"char"', available_at: bigint },
    ...{ due_at: bigint, status_at: bigint, holder: text, lease_until: bigint },
    ...{ lease_claim: bigint, last_holder: text, number: text, doc: json },
  },
  order: 'account, id',
  toRow: toMessageRow,
  toEntry: row => {
    const record = rowToMessage(row as unknown as MessageRow)
    return { key: record.id, record }
  },
}

function toMessageRow(record: Message): Row {
  const { lease } = record
  return {
    account: record.account,
    id: record.id,
    version: 1,
    status: record.status,
    available_at: isWaiting(record) ? getAvailableTime(record) : null,
    due_at: getDueTime(record),
    status_at: record.statusAt,
    holder: lease?.holder,
    lease_until: lease?.until,
    lease_claim: lease?.claim,
    last_holder: record.lastHolder,
    number: record.number,
    doc: toDoc(record),
  }
}

export const idempotencyKeyTable: TransferTable<'once'> = {
  kind: 'once',
  table: 'idempotency_key',
  columns: { account: text, key: text, digest: text, until: bigint, message: text, doc: json },
  order: 'until, account, key',
  toRow: ({ digest, until, message: first }, key) => ({
    account: first.account,
    key: key.slice(first.account.length + 1),
    digest,
    until,
    message: first.id,
    doc: toDoc(first),
  }),
  toEntry: row => {
    const { account: owner, key, digest, until, message: id, doc: fields } = row
    const first = { ...(fields as object), id, account: owner } as Message
    const record = { digest, until, message: first } as Records['once']
    return { key: `${owner} ${key}`, record }
  },
}

export const eventTable: TransferTable<'event'> = {
  kind: 'event',
  table: 'event',
  columns: { account: text, name: 'smallint', seq: bigint, object: text, at: bigint },
  order: 'account, seq',
  toRow: ({ account: owner, event: name, seq, message: object, at }) => ({
    ...{ account: owner, name: toEventCode(name), seq, object, at },
  }),
  toEntry: ({ account: owner, name, seq, object, at }) => {
    const fields = { seq, account: owner, event: toEventName(name as number), message: object, at }
    return { key: `${owner} ${seq}`, record: fields as Records['event'] }
  },
}
