// The audit log of the embedded store: records of the kind `audit`, by identifier.
// - Identifiers grow with time, so that their order is that of the entries.
// - `indexes/audit-index.ts` has the identifiers of all entries, and those of each account.
// - A page with a filter looks at the entries from the newest one on, until it is full. Other work
//   runs meanwhile.
// - Old entries are deleted from the oldest one on, in small transactions.
import { setImmediate } from 'node:timers/promises'
import { type AuditEntry, matchesAuditFilter } from '../../../../domain/audit/audit-entry.js'
import type { EventName } from '../../../../domain/webhook/event.js'
import type { AuditQuery, AuditStore } from '../../audit-store.js'
import type { Transactions } from '../engine/engine.js'

const deletedPerTransaction = 250
/** Entries that a page looks at in one turn of the event loop. */
const scannedPerTurn = 2000

export class LowdbAuditLog implements AuditStore {
  readonly #engine: Transactions

  constructor(engine: Transactions) {
    this.#engine = engine
  }

  async get(id: string): Promise<AuditEntry | undefined> {
    return await this.#engine.read(() => this.#engine.data.audit.get(id))
  }

  async append(entry: AuditEntry, event?: EventName): Promise<void> {
    await this.#engine.transact(transaction =>
      transaction.appendAudit({ entry, ...(event && { event }) }),
    )
  }

  async getPage({ account, before, count, ...filter }: AuditQuery): Promise<AuditEntry[]> {
    const { data, indexes } = this.#engine
    const page: AuditEntry[] = []
    let last = before
    const isComplete = (): boolean => {
      let scanned = 0
      for (const id of indexes.audit.listBack(account, last)) {
        const entry = data.audit.get(id)
        if (entry !== undefined && matchesAuditFilter(entry, filter)) page.push(entry)
        if (page.length === count) return true
        last = id
        scanned += 1
        if (scanned === scannedPerTurn) return false
      }
      return true
    }
    while (!(await this.#engine.read(isComplete))) await setImmediate()
    return page
  }

  async *purge(before: number): AsyncGenerator<number> {
    for (;;) {
      const removed = await this.#engine.transact(transaction => {
        const first = this.#engine.indexes.audit.listFirst(deletedPerTransaction)
        const old = first.filter(id => (transaction.get('audit', id)?.at ?? before) < before)
        for (const id of old) transaction.put('audit', id, null)
        return old.length
      })
      yield removed
      if (removed < deletedPerTransaction) return
      await setImmediate()
    }
  }
}
