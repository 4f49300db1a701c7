import { setImmediate } from 'node:timers/promises'
import type { Transactions } from './engine/engine.js'
import type { Transaction } from './engine/transaction.js'

export interface DeletedBatch {
  readonly removed: number
  readonly isLast: boolean
}

/**
 * Deletes stored records, each batch in its own transaction, and lets other work run between them;
 * yields the number of deleted records of each durable batch.
 */
export async function* deleteInBatches(
  engine: Transactions,
  deleteBatch: (transaction: Transaction) => DeletedBatch,
): AsyncGenerator<number> {
  for (;;) {
    const { removed, isLast } = await engine.transact(deleteBatch)
    yield removed
    if (isLast) return
    await setImmediate()
  }
}
