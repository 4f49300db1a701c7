// The records of the embedded store, as they are in memory and in the files.
//
// The document is a Map for each kind of record. A change is an entry: kind, key and the whole
// record, or its changed fields (`field-changes`) where these are less than half of the record.
// Entries are the elements of the journal's lines; `applyEntry` brings them into the document.

import type { Account, DoNotTextEntry, Token } from '../../../../domain/account/account.js'
import type { Invitation, Person } from '../../../../domain/account/person.js'
import type { SecretUrl } from '../../../../domain/account/secret-url.js'
import type { AuditEntry } from '../../../../domain/audit/audit-entry.js'
import type { Contact } from '../../../../domain/contact/contact.js'
import type { Message } from '../../../../domain/message/message.js'
import type { DeletedCounts } from '../../../../domain/message/message-counts.js'
import type { PhoneRecord } from '../../../../domain/phone/phone-status.js'
import type { ReceivedText } from '../../../../domain/phone/received-text.js'
import type { RelayEvent } from '../../../../domain/webhook/event.js'
import type { Subscription } from '../../../../domain/webhook/subscription.js'
import { RelayError } from '../../../../errors.js'
import {
  type ResourceName,
  type ResourceRecords,
  resourceNames,
} from '../../../../resources/resources.js'
import type { StoredResult } from '../../message-store.js'
import { MessageTable } from '../message-table/message-table.js'
import { applyFieldChanges, type FieldChanges } from './field-changes.js'

export interface Records extends ResourceRecords {
  readonly account: Account
  readonly token: Token
  readonly message: Message
  readonly subscription: Subscription
  readonly capability: SecretUrl
  readonly person: Person
  readonly invitation: Invitation
  readonly phone: PhoneRecord
  readonly contact: Contact
  readonly received: ReceivedText
  readonly tally: DeletedCounts
  readonly block: DoNotTextEntry
  readonly once: StoredResult
  readonly audit: AuditEntry
  /**
   * Record of an event, keyed by its number. One that was imported from a store that numbers the
   * events of each account is keyed by account, a space and its number.
   */
  readonly event: RelayEvent
  /**
   * Record of the highest numbers of deleted events: with the key `events` of all of them, with
   * account, space and event name of those that were purged.
   */
  readonly meta: { readonly seq: number }
}

export type AccountRecordKind = 'person' | 'invitation' | 'capability' | 'phone' | ResourceName

export type Kind = keyof Records

export interface RecordMap<T> {
  readonly size: number
  has(key: string): boolean
  get(key: string): T | undefined
  set(key: string, record: T): unknown
  delete(key: string): boolean
  keys(): Iterable<string>
  values(): Iterable<T>
  entries(): Iterable<[string, T]>
  [Symbol.iterator](): Iterator<[string, T]>
}

/** The content of the store: the document that lowdb holds. Records are replaced, not mutated. */
export type Collections = { readonly [K in Kind]: RecordMap<Records[K]> }

/** A journal entry with a whole record; `null` if it was removed. */
export type WholeEntry = {
  readonly [K in Kind]: readonly [kind: K, key: string, value: Records[K] | null]
}[Kind]

export type PatchEntry = readonly [kind: Kind, key: string, changes: FieldChanges, how: 'patch']

export type Entry = WholeEntry | PatchEntry

export function createCollections(): Collections {
  return {
    account: new Map(),
    token: new Map(),
    person: new Map(),
    invitation: new Map(),
    message: new MessageTable(),
    subscription: new Map(),
    capability: new Map(),
    // The order of the kinds in exports.
    mailbox: new Map(),
    phone: new Map(),
    ...createResourceMaps(),
    contact: new Map(),
    received: new Map(),
    tally: new Map(),
    block: new Map(),
    once: new Map(),
    audit: new Map(),
    event: new Map(),
    meta: new Map(),
  }
}

function createResourceMaps(): Pick<Collections, Exclude<ResourceName, 'mailbox'>> {
  return Object.fromEntries(resourceNames.map(name => [name, new Map()])) as never
}

export function findEventKey(data: Collections, account: string, seq: number): string | undefined {
  const keys = [String(seq), buildImportedEventKey(account, seq)]
  return keys.find(key => data.event.get(key)?.account === account)
}

export function buildImportedEventKey(account: string, seq: number): string {
  return `${account} ${seq}`
}

export function getMessageTable(data: Collections): MessageTable {
  return data.message as MessageTable
}

export function isPatch(entry: Entry): entry is PatchEntry {
  return entry[3] === 'patch'
}

export function applyLine(data: Collections, block: Buffer, start: number, end: number): void {
  if (getMessageTable(data).setFromLine(block, start, end)) return
  applyEntries(data, JSON.parse(block.toString('utf8', start, end)))
}

/**
 * Applies the entries of a journal line to the records; ignores a trailer. Throws `damaged_data`
 * for an unknown kind, so that no tool drops its records.
 */
export function applyEntries(data: Collections, value: unknown): void {
  if (!Array.isArray(value)) return
  for (const entry of value as Entry[]) {
    if (!isKind(data, entry[0])) throw unknownKindError(entry[0])
    applyEntry(data, entry)
  }
}

function unknownKindError(kind: unknown): RelayError {
  const name = JSON.stringify(kind)
  return new RelayError('damaged_data', `The data directory has records of unknown kind ${name}.`, {
    hint: 'Nothing was changed. Use the version of smsrelay that wrote them.',
  })
}

/** Applies a journal entry to the records; ignores changed fields of a missing record. */
function applyEntry(data: Collections, entry: Entry): void {
  const [kind, key, value] = entry
  const map = data[kind] as RecordMap<object>
  const before = map.get(key)
  if (value === null) map.delete(key)
  else if (!isPatch(entry)) map.set(shareKey(key, value), value)
  else if (before !== undefined) map.set(key, applyFieldChanges(before, entry[2]))
}

/** Uses the record's `id` as its key, the same string object, which saves memory and hashing. */
function shareKey(key: string, value: object): string {
  return 'id' in value && value.id === key ? value.id : key
}

export function isKind(data: Collections, kind: unknown): kind is Kind {
  return typeof kind === 'string' && Object.hasOwn(data, kind)
}

export function buildDoNotTextKey(scope: string, number: string): string {
  return `${scope} ${number}`
}
