import type { AuditEntry, AuditFilter } from '../../domain/audit/audit-entry.js'
import type { EventName } from '../../domain/webhook/event.js'

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
  /** Stores an entry, and with it an event about it. */
  append(entry: AuditEntry, event?: EventName): Promise<void>
  getPage(query: AuditQuery): Promise<AuditEntry[]>
  /**
   * Deletes audit entries from before `before`, in milliseconds since the epoch. Works in batches
   * like `MessageStore.purge`.
   */
  purge(before: number): AsyncGenerator<number>
}
