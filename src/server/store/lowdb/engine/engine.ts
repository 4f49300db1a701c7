import { setImmediate } from 'node:timers/promises'
import { Low } from 'lowdb'
import { errorText, isRelayError, RelayError } from '../../../../errors.js'
import type { StoreChange } from '../../store.js'
import { Indexes } from '../indexes/indexes.js'
import { JournalAdapter, type JournalAdapterOptions } from '../journal/journal-adapter.js'
import { type Collections, createCollections } from '../records/collections.js'
import { Transaction } from './transaction.js'

/** Transactions that one write makes durable. */
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

/**
 * Runs transactions one after the other in memory, makes those of one turn of the event loop durable with
 * one write, and undoes them all when that write fails, because memory must never be ahead of a refusal.
 */
export class Engine {
  readonly #db: Low<Collections>
  readonly #adapter: JournalAdapter
  readonly indexes: Indexes
  readonly #listeners = new Set<(notice: StoreChange) => void>()
  #pending: TransactionGroup | undefined
  #settled: Promise<void> | undefined
  #loop: Promise<void> | undefined
  #closed = false

  private constructor(db: Low<Collections>, adapter: JournalAdapter) {
    this.#db = db
    this.#adapter = adapter
    this.indexes = new Indexes(db.data)
  }

  /** Opens a data directory. Throws `damaged_data`, `configuration`. */
  static async open(directory: string, options: JournalAdapterOptions = {}): Promise<Engine> {
    const adapter = new JournalAdapter(directory, options)
    const db = new Low<Collections>(adapter, createCollections())
    await db.read()
    return new Engine(db, adapter)
  }

  /** The records. They may be ahead of the disk: what leaves the store goes through {@link read}. */
  get data(): Collections {
    return this.#db.data
  }

  /**
   * Runs `body`; resolves to its result when everything it changed or saw is durable. Throws what it throws,
   * when what it saw is durable, and `unavailable`.
   */
  async transact<T>(body: (transaction: Transaction) => T): Promise<T> {
    if (this.#closed) throw new RelayError('unavailable', 'The service is stopping.')
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

  /** Resolves to what `body` sees when all of that is durable. */
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

  /** Calls `listener` after each durable change; the returned function ends that. */
  watch(listener: (notice: StoreChange) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Makes everything durable and closes the files. */
  async close(): Promise<void> {
    this.#closed = true
    await this.#loop
    await this.#adapter.close()
  }

  #enqueue(transaction: Transaction): void {
    this.#pending ??= new TransactionGroup()
    this.#pending.transactions.push(transaction)
    this.#settled = this.#pending.settled
    this.#loop ??= this.#run()
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
    try {
      await this.#db.write()
    } catch (cause) {
      this.#refuse(group, cause)
      return
    }
    if (this.#pending === undefined) this.#settled = undefined
    group.resolve()
    for (const { storeChanges: notices } of group.transactions) this.#tell(notices)
  }

  /** What came after the group was decided on what it changed, so it falls with it. */
  #refuse(group: TransactionGroup, cause: unknown): void {
    const groups = this.#pending === undefined ? [group] : [group, this.#pending]
    this.#pending = undefined
    this.#settled = undefined
    const transactions = groups.flatMap(each => each.transactions)
    for (const transaction of transactions.toReversed()) transaction.undo()
    const why = errorText(cause)
    const error = new RelayError('unavailable', `The change could not be stored: ${why}`, { cause })
    for (const { reject } of groups) reject(error)
  }

  /** What a listener throws must not stop the commits: it is thrown where nobody waits. */
  #tell(notices: readonly StoreChange[]): void {
    for (const notice of notices) {
      for (const listener of this.#listeners) {
        try {
          listener(notice)
        } catch (error) {
          queueMicrotask(() => {
            throw error
          })
        }
      }
    }
  }
}
