import type { Account, DoNotTextEntry, Token } from '../../domain/account/account.js'
import type { Invitation, Person } from '../../domain/account/person.js'
import type { SecretUrl } from '../../domain/account/secret-url.js'
import type { AuditEntry, AuditFilter } from '../../domain/audit/audit-entry.js'
import type { Contact } from '../../domain/contact/contact.js'
import type { Message } from '../../domain/message/message.js'
import type { PhoneRecord } from '../../domain/phone/phone-status.js'
import type { EventName } from '../../domain/webhook/event.js'
import type { Subscription } from '../../domain/webhook/subscription.js'
import type { ResourceRecords } from '../../resources/resources.js'

/** A page of the audit log to read from the store, the newest entries first. */
export interface AuditQuery extends AuditFilter {
  /** Account of the audit entries; absent: all accounts, and the relay itself. */
  readonly account?: string | undefined
  readonly count: number
  /** Only audit entries before the one with this identifier. */
  readonly before?: string | undefined
}

/** Store of the audit log. Its entries stay when their account is removed. */
export interface AuditStore {
  get(id: string): Promise<AuditEntry | undefined>
  /** Stores an entry, and with it an event about it; replaces that with the same identifier. */
  append(entry: AuditEntry, event?: EventName): Promise<void>
  getPage(query: AuditQuery): Promise<AuditEntry[]>
  /**
   * Deletes audit entries from before `before`, in milliseconds since the epoch. Works in batches
   * like `MessageStore.purge`.
   */
  purge(before: number): AsyncGenerator<number>
}

/** The stored records whose changes the audit log can have, by the names of their kinds. */
export interface AuditedRecords extends ResourceRecords {
  readonly account: Account
  readonly person: Person
  readonly invitation: Invitation
  readonly token: Token
  readonly secret_url: SecretUrl
  readonly phone: PhoneRecord
  readonly contact: Contact
  readonly do_not_text: DoNotTextEntry
  readonly subscription: Subscription
  readonly message: Message
}

export type AuditedKind = keyof AuditedRecords

/** A record of the store before and after a change; undefined if it does not exist. */
export interface RecordChange<K extends AuditedKind = AuditedKind> {
  readonly kind: K
  readonly before: AuditedRecords[K] | undefined
  readonly after: AuditedRecords[K] | undefined
}

export interface AuditAppend {
  readonly entry: AuditEntry
  readonly event?: EventName
}

/** What one call of a service adds to the audit log, in the commits of its changes. */
export interface CommitAudit {
  /**
   * Describes changes that the store is about to commit, after those that it confirmed: the entry
   * to store in the same commit, or undefined. It replaces an earlier one of this call.
   */
  describe(changes: readonly RecordChange[]): AuditAppend | undefined
  /** Told by the store which changes have become durable, together with their entry. */
  confirm(changes: readonly RecordChange[]): void
}
