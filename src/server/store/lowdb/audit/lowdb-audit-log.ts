// The audit log of the embedded store: records of the kind `audit`, by identifier.
// - Identifiers grow with time, so that their order is that of the entries.
// - `indexes/audit-index.ts` has the identifiers of all entries, and those of each account.
// - A page with a filter looks at the entries from the newest one on, until it is full.
// - Old entries are deleted from the oldest one on, in small transactions.
import { setImmediate } from 'node:timers/promises'
import { type AuditEntry, matchesAuditFilter } from '../../../../domain/audit/audit-entry.js'
import type { EventName } from '../../../../domain/webhook/event.js'
import type { AuditQuery, AuditStore } from '../../audit-store.js'
import type { Engine } from '../engine/engine.js'

const deletedPerTransaction = 250

export class LowdbAuditLog implements AuditStore {
  readonly #engine: Engine

  constructor(engine: Engine) {
    this.#engine = engine
  }

  async get(id: string): Promise<AuditEntry | undefined> {
    return await this.#engine.read(() => this.#engine.data.audit.get(id))
  }

  async append(entry: AuditEntry, event?: EventName): Promise<void> {
    const { id, account, at } = entry
    await this.#engine.transact(transaction => {
      transaction.put('audit', id, entry)
      if (event === undefined || transaction.get('account', account) === undefined) return
      transaction.recordEvent(account, event, id, at)
    })
  }

  async getPage({ account, before, count, ...filter }: AuditQuery): Promise<AuditEntry[]> {
    const { data, indexes } = this.#engine
    return await this.#engine.read(() => {
      const page: AuditEntry[] = []
      for (const id of indexes.audit.listBack(account, before)) {
        const entry = data.audit.get(id)
        if (entry !== undefined && matchesAuditFilter(entry, filter)) page.push(entry)
        if (page.length === count) break
      }
      return page
    })
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
