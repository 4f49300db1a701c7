import { setImmediate } from 'node:timers/promises'
import type { Engine } from './engine/engine.js'
import type { Transaction } from './engine/transaction.js'

/** What a slice of a longer piece of work came to. */
export interface DeletedBatch {
  /** Number of records that were removed. */
  readonly removed: number
  readonly isLast: boolean
}

/** Runs each slice in a transaction of its own, and lets others run in between; yields what was removed when it is durable. */
export async function* deleteInBatches(
  engine: Engine,
  slice: (transaction: Transaction) => DeletedBatch,
): AsyncGenerator<number> {
  for (;;) {
    const { removed, isLast } = await engine.transact(slice)
    yield removed
    if (isLast) return
    await setImmediate()
  }
}
