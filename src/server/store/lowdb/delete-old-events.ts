import type { RelayEvent } from '../../../domain/webhook/event.js'
import { type DeletedBatch, deleteInBatches } from './delete-in-batches.js'
import type { Engine } from './engine/engine.js'
import type { Transaction } from './engine/transaction.js'
import { buildEventListKey } from './indexes/event-index.js'

/** Events removed, and logs passed, in one transaction. */
const maxStepsPerTransaction = 500

/**
 * Removes events recorded before `before`, and the oldest of an account and name of which there are more than `most`,
 * each only when every subscription to it has passed it; in slices, and yields how many at a time.
 */
export function deleteOldEvents(
  engine: Engine,
  before: number,
  most: number,
): AsyncGenerator<number> {
  const logs = engine.indexes.events.lists()
  let log = logs.next().value
  return deleteInBatches(engine, (transaction): DeletedBatch => {
    const isDone = createPassedCheck(transaction)
    const gone = new Map<string, number>()
    let removed = 0
    for (let step = 0; step < maxStepsPerTransaction && log !== undefined; step += 1) {
      const { first, size } = log
      const isOld = first !== undefined && (first.at < before || size > most)
      if (isOld && isDone(first)) {
        transaction.put('event', String(first.seq), null)
        gone.set(buildEventListKey(first.account, first.event), first.seq)
        removed += 1
      } else log = logs.next().value
    }
    if (removed > 0) transaction.put('meta', 'events', { seq: engine.indexes.events.lastSeq })
    for (const [key, seq] of gone) transaction.put('meta', key, { seq })
    return { removed, isLast: log === undefined }
  })
}

/** Tells whether every subscription to an event has passed it; they are looked through when it is first asked. */
function createPassedCheck(transaction: Transaction): (event: RelayEvent) => boolean {
  let cursors: ReadonlyMap<string, number> | undefined
  return ({ account, event, seq }) => {
    cursors ??= findLeastCursors(transaction)
    return (cursors.get(buildEventListKey(account, event)) ?? seq) >= seq
  }
}

/** How far the last of the subscriptions to each log has come. */
export function findLeastCursors(transaction: Transaction): Map<string, number> {
  const cursors = new Map<string, number>()
  for (const { account, event, cursor } of transaction.values('subscription')) {
    const key = buildEventListKey(account, event)
    cursors.set(key, Math.min(cursors.get(key) ?? cursor, cursor))
  }
  return cursors
}
