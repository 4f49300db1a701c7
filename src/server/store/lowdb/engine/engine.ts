// The engine of the embedded store: transactions on records in memory.
//
// 1. `transact` runs a function on a Transaction, which changes the records and their indexes at
//    once, so that later transactions see it.
// 2. The transactions of one turn of the event loop, and those that come during a write, form a
//    group. One write of the journal adapter makes a group durable.
// 3. Then the callers get their results and the listeners are called.
// 4. If the write fails, the group and the one behind it are undone and rejected: records in memory
//    must never be based on a change that was rejected.
//
// `transaction` holds the changes and counts deleted messages for statistics.
import { setImmediate } from 'node:timers/promises'
import { Low } from 'lowdb'
import { errorText, isRelayError, RelayError } from '../../../../errors.js'
import { Metrics } from '../../../../util/collections/metrics.js'
import { getAudit, withoutAudit } from '../../audit-scope.js'
import type { CommitAudit, RecordChange } from '../../audit-store.js'
import { CommitMetrics } from '../../commit-metrics.js'
import type { StoreChange, StoreFailure } from '../../store.js'
import { Indexes } from '../indexes/indexes.js'
import { JournalAdapter, type JournalAdapterOptions } from '../journal/journal-adapter.js'
import { type Collections, createCollections } from '../records/collections.js'
import { Transaction } from './transaction.js'

class TransactionGroup {
  readonly transactions: Transaction[] = []
  resolve: () => void = () => {}
  reject: (error: unknown) => void = () => {}
  readonly settled = new Promise<void>((resolve, reject) => {
    this.resolve = resolve
    this.reject = reject
  })

  constructor() {
    this.settled.catch(() => {})
  }
}

export type Transactions = Pick<Engine, 'data' | 'indexes' | 'transact' | 'read'>

/** Milliseconds after which a write counts as stuck in the disk. */
const maxWriteTime = 5000

export class Engine {
  readonly #db: Low<Collections>
  readonly #adapter: JournalAdapter
  readonly #commits: CommitMetrics
  readonly indexes: Indexes
  readonly #listeners = new Set<(change: StoreChange) => void>()
  #pending: TransactionGroup | undefined
  #settled: Promise<void> | undefined
  #loop: Promise<void> | undefined
  #isClosed = false
  #writingSince: number | undefined

  private constructor(db: Low<Collections>, adapter: JournalAdapter, commits: CommitMetrics) {
    this.#db = db
    this.#adapter = adapter
    this.#commits = commits
    this.indexes = new Indexes(db.data)
  }

  static async open(directory: string, options: JournalAdapterOptions = {}): Promise<Engine> {
    const { metrics = new Metrics() } = options
    const adapter = new JournalAdapter(directory, { ...options, metrics })
    const db = new Low<Collections>(adapter, createCollections())
    await db.read()
    return new Engine(db, adapter, new CommitMetrics(metrics))
  }

  /**
   * The store's records, which may be ahead of the disk: results of the store go through {@link
   * read}.
   */
  get data(): Collections {
    return this.#db.data
  }

  /**
   * Runs `body` as a transaction; resolves to its result when everything that it changed or saw is
   * durable. Rejects with the error of `body` then, or with `unavailable`. In an audited call the
   * entry of its changes is part of the transaction.
   */
  transact<T>(body: (transaction: Transaction) => T): Promise<T> {
    const audit = getAudit()
    return audit === undefined ? this.#transact(body) : this.#transactAudited(body, audit)
  }

  async #transactAudited<T>(body: (transaction: Transaction) => T, audit: CommitAudit): Promise<T> {
    let changes: readonly RecordChange[] = []
    const result = await this.#transact(transaction => {
      const result = body(transaction)
      changes = transaction.auditedChanges
      const append = changes.length === 0 ? undefined : audit.describe(changes)
      if (append !== undefined) transaction.appendAudit(append)
      return result
    })
    if (changes.length > 0) audit.confirm(changes)
    return result
  }

  async #transact<T>(body: (transaction: Transaction) => T): Promise<T> {
    if (this.#isClosed) throw new RelayError('unavailable', 'The relay is stopping.')
    const transaction = new Transaction(this.data, this.indexes)
    let result: T
    try {
      result = body(transaction)
    } catch (error) {
      transaction.undo()
      await this.#settled
      throw error
    }
    if (!transaction.isEmpty) this.#enqueue(transaction)
    await this.#settled
    return result
  }

  /**
   * Reads from the store; resolves to the result of `body` when everything that it saw is durable.
   */
  async read<T>(body: () => T): Promise<T> {
    for (;;) {
      const result = body()
      if (this.#settled === undefined) return result
      try {
        await this.#settled
        return result
      } catch (error) {
        if (!isRelayError(error, 'unavailable')) throw error
      }
    }
  }

  watch(listener: (change: StoreChange) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /**
   * Finds out why the store cannot write. After a failed write it tries again, with a line that has
   * no changes.
   */
  async findWriteFailure(): Promise<Omit<StoreFailure, 'check'> | undefined> {
    if (this.#isClosed) return { reason: 'The store is closed.' }
    const waited = this.#writingSince === undefined ? 0 : performance.now() - this.#writingSince
    if (waited > maxWriteTime) {
      const reason = `The disk has not answered for ${Math.floor(waited / 1000)} s.`
      return { reason, isStuck: true }
    }
    if (this.#adapter.isFailing) {
      this.#enqueue(new Transaction(this.data, this.indexes))
      await this.#settled?.catch(() => {})
    }
    const reason = await this.#adapter.findWriteFailure()
    return reason === undefined ? undefined : { reason }
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await this.#loop
    await this.#adapter.close()
  }

  #enqueue(transaction: Transaction): void {
    this.#pending ??= new TransactionGroup()
    this.#pending.transactions.push(transaction)
    this.#settled = this.#pending.settled
    this.#loop ??= withoutAudit(async () => await this.#run())
  }

  async #run(): Promise<void> {
    await setImmediate()
    while (this.#pending !== undefined) {
      const group = this.#pending
      this.#pending = undefined
      await this.#commit(group)
    }
    this.#loop = undefined
  }

  async #commit(group: TransactionGroup): Promise<void> {
    for (const { entries } of group.transactions) this.#adapter.stage(entries)
    const startedAt = performance.now()
    this.#writingSince = startedAt
    try {
      await this.#db.write()
    } catch (cause) {
      this.#rollBack(group, cause)
      return
    } finally {
      this.#writingSince = undefined
    }
    this.#commits.observe(performance.now() - startedAt, group.transactions.length)
    if (this.#pending === undefined) this.#settled = undefined
    group.resolve()
    for (const { storeChanges } of group.transactions) this.#notify(storeChanges)
  }

  #rollBack(group: TransactionGroup, cause: unknown): void {
    const groups = this.#pending === undefined ? [group] : [group, this.#pending]
    this.#pending = undefined
    this.#settled = undefined
    const transactions = groups.flatMap(each => each.transactions)
    for (const transaction of transactions.toReversed()) transaction.undo()
    const reason = errorText(cause)
    const error = new RelayError('unavailable', `The change could not be stored: ${reason}`, {
      cause,
    })
    for (const { reject } of groups) reject(error)
  }

  /** An error of a store listener must not stop the commits, so it is thrown outside of them. */
  #notify(changes: readonly StoreChange[]): void {
    for (const change of changes) {
      for (const listener of this.#listeners) {
        try {
          listener(change)
        } catch (error) {
          queueMicrotask(() => {
            throw error
          })
        }
      }
    }
  }
}
