import type { Account, DoNotTextEntry, Token } from '../../../../domain/account/account.js'
import type { Mailbox } from '../../../../domain/account/mailbox.js'
import type { SecretUrl } from '../../../../domain/account/secret-url.js'
import type { Message } from '../../../../domain/message/message.js'
import type { DeletedCounts } from '../../../../domain/message/message-counts.js'
import type { PhoneRecord } from '../../../../domain/phone/phone-status.js'
import type { ReceivedText } from '../../../../domain/phone/received-text.js'
import type { RelayEvent } from '../../../../domain/webhook/event.js'
import type { Subscription } from '../../../../domain/webhook/subscription.js'
import { applyFieldChanges, type FieldChanges } from './field-changes.js'

/** The kept result of a request that may be repeated. */
export interface IdempotencyRecord {
  readonly digest: string
  readonly until: number
  /** The message as it was first answered. */
  readonly message: Message
}

/** The kinds of records and what each holds. */
export interface Records {
  readonly account: Account
  readonly token: Token
  readonly message: Message
  readonly subscription: Subscription
  readonly capability: SecretUrl
  readonly mailbox: Mailbox
  readonly phone: PhoneRecord
  readonly received: ReceivedText
  readonly tally: DeletedCounts
  /** Keyed by scope, a space and the canonical number. */
  readonly block: DoNotTextEntry
  /** Keyed by account, a space and the idempotency key. */
  readonly once: IdempotencyRecord
  /** Keyed by sequence number. */
  readonly event: RelayEvent
  /**
   * `events` holds the highest sequence number of events that are no longer kept; an account, a space and the name of
   * an event that of those that were removed for their age or number.
   */
  readonly meta: { readonly seq: number }
}

/** The kinds of records of an account that are few enough to be searched through. */
export type AccountRecordKind = 'capability' | 'mailbox' | 'phone'

/** Name of a kind of record. */
export type Kind = keyof Records

/** The whole content of the store: the document that lowdb holds. Records are replaced, never changed. */
export type Collections = { readonly [K in Kind]: Map<string, Records[K]> }

/** A record as it is now; `null` where it was removed. */
export type WholeEntry = {
  readonly [K in Kind]: readonly [kind: K, key: string, value: Records[K] | null]
}[Kind]

/** What changed of a record that was there. */
export type PatchEntry = readonly [kind: Kind, key: string, changes: FieldChanges, how: 'patch']

/** One change of one record. */
export type Entry = WholeEntry | PatchEntry

/** A store with nothing in it. */
export function createCollections(): Collections {
  return {
    account: new Map(),
    token: new Map(),
    message: new Map(),
    subscription: new Map(),
    capability: new Map(),
    mailbox: new Map(),
    phone: new Map(),
    received: new Map(),
    tally: new Map(),
    block: new Map(),
    once: new Map(),
    event: new Map(),
    meta: new Map(),
  }
}

/** Whether an entry has changed fields only. */
export function isPatch(entry: Entry): entry is PatchEntry {
  return entry[3] === 'patch'
}

/** Applies an entry to the collections; changes of a record that was lost are lost with it. */
export function applyEntry(data: Collections, entry: Entry): void {
  const [kind, key, value] = entry
  const map = data[kind] as Map<string, object>
  const before = map.get(key)
  if (value === null) map.delete(key)
  else if (!isPatch(entry)) map.set(shareKey(key, value), value)
  else if (before !== undefined) map.set(key, applyFieldChanges(before, entry[2]))
}

/** The key as the text that the record has itself, where it has it: kept once, and hashed once. */
function shareKey(key: string, value: object): string {
  return 'id' in value && value.id === key ? value.id : key
}

/** Whether `kind` names a collection. */
export function isKind(data: Collections, kind: unknown): kind is Kind {
  return typeof kind === 'string' && Object.hasOwn(data, kind)
}
