import type { Message } from '../../../domain/message/message.js'
import { removableStatuses } from '../../../domain/message/message-retention.js'
import type { Retention } from '../message-store.js'
import { type DeletedBatch, deleteInBatches } from './delete-in-batches.js'
import type { Engine } from './engine/engine.js'
import type { Transaction } from './engine/transaction.js'
import type { MessageListIndex } from './indexes/message-list-index.js'

/** Messages and blocks looked at in one transaction, more or less. */
const maxExamined = 4000
/** Messages removed in one transaction, not counting the rest of a block. */
const maxDeleted = 250
/** An event is recorded a moment after the time its message has as `statusAt`, in milliseconds. */
const eventDelay = 1000

interface BlockPosition {
  readonly account: string
  readonly list: MessageListIndex
  readonly block: number
}

/** Whether a message of the account that has its status since `statusAt` is to be removed. */
type IsOld = (account: string, statusAt: number) => boolean

/**
 * Removes messages that were final or deleted for long. A block of a list in which none is old yet is not looked
 * into again before one can be: what becomes final later is younger than the last look.
 */
export class OldMessageDeleter {
  readonly #engine: Engine
  readonly #now: () => number
  /** Of each block of a list: nothing in it is to be removed that is older than this, in milliseconds since the epoch. */
  #quiet = new WeakMap<MessageListIndex, number[]>()
  #latest = 0

  constructor(engine: Engine, now: () => number) {
    this.#engine = engine
    this.#now = now
  }

  /** Removes what is older, in slices; yields how many at a time. */
  async *deleteOld(retention: Retention): AsyncGenerator<number> {
    // A clock that was put back would make blocks quiet for too long.
    if (retention.before < this.#latest) this.#quiet = new WeakMap()
    this.#latest = retention.before
    const places = this.#places(retention.before)
    try {
      yield* deleteInBatches(this.#engine, transaction =>
        this.#slice(transaction, places, retention),
      )
    } catch (error) {
      // What was removed is there again.
      this.#quiet = new WeakMap()
      throw error
    }
  }

  /** The blocks that may hold something old. */
  *#places(before: number): Generator<BlockPosition, undefined> {
    for (const [account, list] of this.#engine.indexes.messages.lists()) {
      const quiet = this.#quietOf(list)
      for (let block = 0; block < list.blocks; block += 1) {
        if (list.hasBlock(block) && (quiet[block] ?? 0) < before) yield { account, list, block }
      }
    }
  }

  #slice(
    transaction: Transaction,
    places: Generator<BlockPosition, undefined>,
    retention: Retention,
  ): DeletedBatch {
    const isOld = createOldCheck(this.#engine, transaction, retention)
    let removed = 0
    let looked = 0
    while (removed < maxDeleted && looked < maxExamined) {
      const place = places.next().value
      if (place === undefined) return { removed, isLast: true }
      const ids = place.list.listIdsInBlock(place.block, removableStatuses)
      looked += ids.length + 1
      removed += this.#removeFrom(ids, place, transaction, isOld)
    }
    return { removed, isLast: false }
  }

  #removeFrom(
    ids: readonly string[],
    { account, list, block }: BlockPosition,
    transaction: Transaction,
    isOld: IsOld,
  ): number {
    const old: Message[] = []
    let quiet = this.#now()
    for (const id of ids) {
      const message = transaction.get('message', id)
      if (message === undefined) continue
      if (isOld(account, message.statusAt)) old.push(message)
      else quiet = Math.min(quiet, message.statusAt)
    }
    transaction.removeMessages(old)
    this.#quietOf(list)[block] = quiet
    return old.length
  }

  #quietOf(list: MessageListIndex): number[] {
    const known = this.#quiet.get(list) ?? []
    this.#quiet.set(list, known)
    return known
  }
}

/** Tells what is old; subscriptions are looked through when that first depends on them. */
function createOldCheck(
  engine: Engine,
  transaction: Transaction,
  { before, always }: Retention,
): IsOld {
  let waiting: ReadonlyMap<string, number> | undefined
  return (account, statusAt) => {
    if (statusAt >= before) return false
    if (statusAt < always) return true
    waiting ??= findUndeliveredSince(engine, transaction)
    return statusAt < (waiting.get(account) ?? Number.POSITIVE_INFINITY) - eventDelay
  }
}

/** For each account with events to deliver, when the oldest of them was recorded. */
function findUndeliveredSince(engine: Engine, transaction: Transaction): Map<string, number> {
  const since = new Map<string, number>()
  for (const { account, event, cursor } of transaction.values('subscription')) {
    const at = engine.indexes.events.listAfter(account, event, cursor, 1)[0]?.at
    if (at !== undefined) since.set(account, Math.min(since.get(account) ?? at, at))
  }
  return since
}
