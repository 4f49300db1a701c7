import type { Message } from '../../../domain/message/message.js'
import { eventDelay, removableStatuses } from '../../../domain/message/message-retention.js'
import type { Retention } from '../message-store.js'
import { type DeletedBatch, deleteInBatches } from './delete-in-batches.js'
import type { Transactions } from './engine/engine.js'
import type { Transaction } from './engine/transaction.js'
import type { MessageListBlock } from './indexes/message-list-block.js'
import { getMessageTable } from './records/collections.js'

/** Approximate number of messages and index blocks examined in one transaction. */
const maxExamined = 4000
/** Messages deleted in one transaction, except the rest of an index block. */
const maxDeleted = 250

interface BlockPosition {
  readonly account: string
  readonly block: MessageListBlock
}

type IsOld = (account: string, statusAt: number) => boolean

/**
 * Deletes expired messages as `MessageStore.purge` describes. It remembers for each block of a list
 * the oldest message that did not expire, and skips the block until that can have expired: messages
 * that become final later are younger.
 */
export class OldMessageDeleter {
  readonly #engine: Transactions
  readonly #now: () => number
  /**
   * By block of the store's message index: the `statusAt` of its oldest message that did not
   * expire.
   */
  #oldest = new WeakMap<MessageListBlock, number>()
  #lastBefore = 0

  constructor(engine: Transactions, now: () => number) {
    this.#engine = engine
    this.#now = now
  }

  async *deleteOld(retention: Retention): AsyncGenerator<number> {
    // After the clock was set back, blocks of the message index would be skipped for too long.
    if (retention.before < this.#lastBefore) this.#oldest = new WeakMap()
    this.#lastBefore = retention.before
    const blocks = this.#findBlocks(retention.before)
    try {
      yield* deleteInBatches(this.#engine, transaction =>
        this.#deleteBatch(transaction, blocks, retention),
      )
    } catch (error) {
      // The store undid the last batch of deletions, so its messages exist again.
      this.#oldest = new WeakMap()
      throw error
    }
  }

  *#findBlocks(before: number): Generator<BlockPosition, undefined> {
    for (const [account, list] of this.#engine.indexes.messages.lists()) {
      for (const block of [...list.blocks])
        if ((this.#oldest.get(block) ?? 0) < before) yield { account, block }
    }
  }

  #deleteBatch(
    transaction: Transaction,
    blocks: Generator<BlockPosition, undefined>,
    retention: Retention,
  ): DeletedBatch {
    const isOld = createOldCheck(this.#engine, transaction, retention)
    let removed = 0
    let examined = 0
    while (removed < maxDeleted && examined < maxExamined) {
      const position = blocks.next().value
      if (position === undefined) return { removed, isLast: true }
      const slots = position.block.list(removableStatuses)
      examined += slots.length + 1
      removed += this.#deleteFrom(slots, position, transaction, isOld)
    }
    return { removed, isLast: false }
  }

  #deleteFrom(
    slots: readonly number[],
    { account, block }: BlockPosition,
    transaction: Transaction,
    isOld: IsOld,
  ): number {
    const messages = getMessageTable(this.#engine.data)
    const old: Message[] = []
    let oldest = this.#now()
    for (const slot of slots) {
      const { statusAt } = messages.getHead(slot)
      if (isOld(account, statusAt)) old.push(messages.getAt(slot) as Message)
      else oldest = Math.min(oldest, statusAt)
    }
    transaction.removeMessages(old)
    this.#oldest.set(block, oldest)
    return old.length
  }
}

function createOldCheck(
  engine: Transactions,
  transaction: Transaction,
  { before, always }: Retention,
): IsOld {
  let undelivered: ReadonlyMap<string, number> | undefined
  return (account, statusAt) => {
    if (statusAt >= before) return false
    if (statusAt < always) return true
    undelivered ??= findUndeliveredSince(engine, transaction)
    return statusAt < (undelivered.get(account) ?? Number.POSITIVE_INFINITY) - eventDelay
  }
}

function findUndeliveredSince(engine: Transactions, transaction: Transaction): Map<string, number> {
  const since = new Map<string, number>()
  for (const { account, event, cursor } of transaction.values('subscription')) {
    const at = engine.indexes.events.listAfter(account, event, cursor, 1)[0]?.at
    if (at !== undefined) since.set(account, Math.min(since.get(account) ?? at, at))
  }
  return since
}
