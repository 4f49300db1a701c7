import type { DoNotTextEntry } from '../../../domain/account/account.js'
import { isNotification } from '../../../domain/phone/received-mms.js'
import type { ReceivedText } from '../../../domain/phone/received-text.js'
import { RelayError } from '../../../errors.js'
import type { DecideWaiting } from '../do-not-text-store.js'
import type {
  DecideReceivedText,
  ReceivedTextQuery,
  ReceivedTextStore,
} from '../received-text-store.js'
import { type DeletedBatch, deleteInBatches } from './delete-in-batches.js'
import { createPassedCheck } from './delete-old-events.js'
import type { Transactions } from './engine/engine.js'
import type { Transaction } from './engine/transaction.js'
import { addDoNotTextEntry, removeDoNotTextEntry } from './lowdb-do-not-text.js'
import { buildDoNotTextKey } from './records/collections.js'
import { blockFirst } from './waiting-messages.js'

const maxStepsPerTransaction = 250

export class LowdbReceivedTexts implements ReceivedTextStore {
  readonly #engine: Transactions

  constructor(engine: Transactions) {
    this.#engine = engine
  }

  async get(id: string): Promise<ReceivedText | undefined> {
    return await this.#engine.read(() => this.#engine.data.received.get(id))
  }

  async list(query: ReceivedTextQuery): Promise<ReceivedText[]> {
    return await this.#engine.read(() => {
      const found: ReceivedText[] = []
      for (let before = query.before; found.length < query.count; ) {
        const page = this.#readPage({ ...query, before })
        const isListed = (each: ReceivedText) => query.selection !== 'text' || !isNotification(each)
        found.push(...page.filter(isListed))
        if (page.length < query.count) break
        before = page.at(-1)?.id
      }
      return found.slice(0, query.count)
    })
  }

  #readPage(query: ReceivedTextQuery): ReceivedText[] {
    const { data, indexes } = this.#engine
    const ids = indexes.receivedTexts.getPage(query)
    return ids.map(id => data.received.get(id)).filter(found => found !== undefined)
  }

  async add(
    received: ReceivedText,
    decide: DecideReceivedText,
    decideWaiting: DecideWaiting,
  ): Promise<ReceivedText> {
    return await this.#engine.transact(transaction => {
      const repeated = this.#findRepeated(transaction, received)
      if (repeated !== undefined) return repeated
      const replies = this.#engine.indexes.receivedTexts.listReplies(received)
      const { record, added } = addReceivedText(transaction, received, decide, replies)
      blockFirst(this.#engine, transaction, added, received.createdAt, decideWaiting)
      return record
    })
  }

  purge(before: number): AsyncGenerator<number> {
    const lists = this.#engine.indexes.receivedTexts.lists()
    let current = lists.next().value
    return deleteInBatches(this.#engine, (transaction): DeletedBatch => {
      const hasPassed = createPassedCheck(transaction)
      const isDelivered = ({ account, event: seq }: ReceivedText): boolean =>
        seq === undefined || hasPassed({ account, event: 'message.received', seq })
      let removed = 0
      for (let step = 0; step < maxStepsPerTransaction && current !== undefined; step += 1) {
        const first = transaction.get('received', current[1].first ?? '')
        if (first !== undefined && first.createdAt < before && isDelivered(first)) {
          transaction.put('received', first.id, null)
          removed += 1
        } else current = lists.next().value
      }
      return { removed, isLast: current === undefined }
    })
  }

  #findRepeated(
    transaction: Transaction,
    { account, once }: ReceivedText,
  ): ReceivedText | undefined {
    if (once === undefined) return undefined
    const id = this.#engine.indexes.receivedTexts.findByKey(account, once.key)
    const stored = id === undefined ? undefined : transaction.get('received', id)
    if (stored === undefined || stored.once?.digest === once.digest) return stored
    throw new RelayError(
      'invalid_request',
      'This `Idempotency-Key` was used for another text; use a new one for each.',
    )
  }
}

function addReceivedText(
  transaction: Transaction,
  received: ReceivedText,
  decide: DecideReceivedText,
  replies: readonly number[],
): { readonly record: ReceivedText; readonly added: readonly DoNotTextEntry[] } {
  const { id, account, number = '', createdAt } = received
  const listed = transaction.get('block', buildDoNotTextKey(account, number))
  const { blocked } = transaction.getDecisionFacts(account, number)
  const { block, unblock = false, events, reply } = decide({ listed, blocked, replies })
  const seq = events.map(event => transaction.recordEvent(account, event, id, createdAt)).at(-1)
  const record: ReceivedText = {
    ...received,
    ...(seq === undefined ? {} : { event: seq }),
    ...(reply === undefined ? {} : { reply: reply.id }),
  }
  transaction.put('received', id, record)
  const isAdded = block !== undefined && addDoNotTextEntry(transaction, block, createdAt)
  if (unblock && listed !== undefined) removeDoNotTextEntry(transaction, listed, createdAt)
  if (reply !== undefined) {
    const creation = { message: reply, events: ['message.create'] } as const
    transaction.applyChange(reply.id, account, creation, createdAt)
  }
  return { record, added: isAdded ? [block] : [] }
}
