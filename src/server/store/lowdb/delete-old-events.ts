import type { RelayEvent } from '../../../domain/webhook/event.js'
import { type DeletedBatch, deleteInBatches } from './delete-in-batches.js'
import type { Transactions } from './engine/engine.js'
import type { Transaction } from './engine/transaction.js'
import { buildEventListKey } from './indexes/event-index.js'
import { findEventKey } from './records/collections.js'

/** Events deleted and event lists skipped in one transaction. */
const maxStepsPerTransaction = 500

export function deleteOldEvents(
  engine: Transactions,
  before: number,
  maxPerName: number,
): AsyncGenerator<number> {
  const lists = engine.indexes.events.lists()
  let list = lists.next().value
  return deleteInBatches(engine, (transaction): DeletedBatch => {
    const hasPassed = createPassedCheck(transaction)
    const lastDeleted = new Map<string, number>()
    let removed = 0
    for (let step = 0; step < maxStepsPerTransaction && list !== undefined; step += 1) {
      const { first, size } = list
      const isOld = first !== undefined && (first.at < before || size > maxPerName)
      if (isOld && hasPassed(first)) {
        const key = findEventKey(engine.data, first.account, first.seq)
        if (key !== undefined) transaction.put('event', key, null)
        lastDeleted.set(buildEventListKey(first.account, first.event), first.seq)
        removed += 1
      } else list = lists.next().value
    }
    if (removed > 0) transaction.put('meta', 'events', { seq: engine.indexes.events.lastSeq })
    for (const [key, seq] of lastDeleted) transaction.put('meta', key, { seq })
    return { removed, isLast: list === undefined }
  })
}

type EventPosition = Pick<RelayEvent, 'account' | 'event' | 'seq'>

export function createPassedCheck(transaction: Transaction): (event: EventPosition) => boolean {
  let cursors: ReadonlyMap<string, number> | undefined
  return ({ account, event, seq }) => {
    cursors ??= findLowestCursors(transaction)
    return (cursors.get(buildEventListKey(account, event)) ?? seq) >= seq
  }
}

function findLowestCursors(transaction: Transaction): Map<string, number> {
  const cursors = new Map<string, number>()
  for (const { account, event, cursor } of transaction.values('subscription')) {
    const key = buildEventListKey(account, event)
    cursors.set(key, Math.min(cursors.get(key) ?? cursor, cursor))
  }
  return cursors
}
