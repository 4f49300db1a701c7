import type { Message, MessageChange } from '../../../domain/message/message.js'
import type { ReceivedText } from '../../../domain/phone/received-text.js'
import { RelayError } from '../../../errors.js'
import type {
  DecideReceivedText,
  ReceivedTextQuery,
  ReceivedTextStore,
} from '../received-text-store.js'
import { type DeletedBatch, deleteInBatches } from './delete-in-batches.js'
import { findLeastCursors } from './delete-old-events.js'
import type { Engine } from './engine/engine.js'
import type { Transaction } from './engine/transaction.js'
import { addDoNotTextEntries, buildDoNotTextKey } from './lowdb-do-not-text.js'

/** Texts removed in one transaction. */
const maxDeleted = 250

/** Received texts on the {@link Engine}. */
export class LowdbReceivedTexts implements ReceivedTextStore {
  readonly #engine: Engine

  constructor(engine: Engine) {
    this.#engine = engine
  }

  async get(id: string): Promise<ReceivedText | undefined> {
    return await this.#engine.read(() => this.#engine.data.received.get(id))
  }

  async list({ account, count, before }: ReceivedTextQuery): Promise<ReceivedText[]> {
    const { data, indexes } = this.#engine
    return await this.#engine.read(() =>
      indexes.receivedTexts
        .getPage(account, count, before)
        .map(id => data.received.get(id))
        .filter(found => found !== undefined),
    )
  }

  async add(
    received: ReceivedText,
    decide: DecideReceivedText,
    blocks: (message: Message) => MessageChange,
  ): Promise<ReceivedText> {
    return await this.#engine.transact(transaction => {
      const repeated = this.#findRepeated(transaction, received)
      if (repeated !== undefined) return repeated
      const { id, account, number = '' } = received
      const key = buildDoNotTextKey(account, number)
      const { block, unblock = false, events } = decide(transaction.get('block', key))
      const seq = events
        .map(event => transaction.recordEvent(account, event, id, received.createdAt))
        .at(-1)
      const kept = seq === undefined ? received : { ...received, event: seq }
      transaction.put('received', id, kept)
      if (block !== undefined) {
        const listing = { entries: [block], now: received.createdAt, decide: blocks }
        addDoNotTextEntries(this.#engine, transaction, listing)
      }
      if (unblock) transaction.put('block', key, null)
      return kept
    })
  }

  purge(before: number): AsyncGenerator<number> {
    const lists = this.#engine.indexes.receivedTexts.lists()
    let current = lists.next().value
    return deleteInBatches(this.#engine, (transaction): DeletedBatch => {
      let cursors: ReadonlyMap<string, number> | undefined
      const isTold = ({ account, event }: ReceivedText): boolean => {
        if (event === undefined) return true
        cursors ??= findLeastCursors(transaction)
        return (cursors.get(`${account} message.received`) ?? event) >= event
      }
      let removed = 0
      for (let step = 0; step < maxDeleted && current !== undefined; step += 1) {
        const first = transaction.get('received', current[1].first ?? '')
        if (first !== undefined && first.createdAt < before && isTold(first)) {
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
    const kept = id === undefined ? undefined : transaction.get('received', id)
    if (kept === undefined || kept.once?.digest === once.digest) return kept
    throw new RelayError(
      'invalid_request',
      'This `Idempotency-Key` was used for another text; use a new one for each.',
    )
  }
}
