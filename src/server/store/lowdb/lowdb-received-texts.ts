import type { Change, Message } from '../../../domain/message/message.js'
import type { Received } from '../../../domain/phone/received-text.js'
import { RelayError } from '../../../errors.js'
import type { DecideReceived, ReceivedQuery, ReceivedStore } from '../store.js'
import { inSlices, type Slice } from './delete-in-batches.js'
import { leastCursors } from './delete-old-events.js'
import type { Engine } from './engine/engine.js'
import type { Transaction } from './engine/transaction.js'
import { blockKey, listNumbers } from './lowdb-do-not-text.js'

/** Texts removed in one transaction. */
const removeAtMost = 250

/** Received texts on the {@link Engine}. */
export class LowdbReceived implements ReceivedStore {
  readonly #engine: Engine

  constructor(engine: Engine) {
    this.#engine = engine
  }

  async get(id: string): Promise<Received | undefined> {
    return await this.#engine.read(() => this.#engine.data.received.get(id))
  }

  async list({ account, count, before }: ReceivedQuery): Promise<Received[]> {
    const { data, indexes } = this.#engine
    return await this.#engine.read(() =>
      indexes.received
        .page(account, count, before)
        .map(id => data.received.get(id))
        .filter(found => found !== undefined),
    )
  }

  async add(
    received: Received,
    decide: DecideReceived,
    blocks: (message: Message) => Change,
  ): Promise<Received> {
    return await this.#engine.transact(transaction => {
      const repeated = this.#findRepeated(transaction, received)
      if (repeated !== undefined) return repeated
      const { id, account, number = '' } = received
      const key = blockKey(account, number)
      const { block, unblock = false, events } = decide(transaction.get('block', key))
      const seq = events
        .map(event => transaction.record(account, event, id, received.createdAt))
        .at(-1)
      const kept = seq === undefined ? received : { ...received, event: seq }
      transaction.put('received', id, kept)
      if (block !== undefined) {
        const listing = { entries: [block], now: received.createdAt, decide: blocks }
        listNumbers(this.#engine, transaction, listing)
      }
      if (unblock) transaction.put('block', key, null)
      return kept
    })
  }

  purge(before: number): AsyncGenerator<number> {
    const lists = this.#engine.indexes.received.lists()
    let current = lists.next().value
    return inSlices(this.#engine, (transaction): Slice => {
      let cursors: ReadonlyMap<string, number> | undefined
      const isTold = ({ account, event }: Received): boolean => {
        if (event === undefined) return true
        cursors ??= leastCursors(transaction)
        return (cursors.get(`${account} message.received`) ?? event) >= event
      }
      let removed = 0
      for (let step = 0; step < removeAtMost && current !== undefined; step += 1) {
        const first = transaction.get('received', current[1].first ?? '')
        if (first !== undefined && first.createdAt < before && isTold(first)) {
          transaction.put('received', first.id, null)
          removed += 1
        } else current = lists.next().value
      }
      return { removed, isLast: current === undefined }
    })
  }

  #findRepeated(transaction: Transaction, { account, once }: Received): Received | undefined {
    if (once === undefined) return undefined
    const id = this.#engine.indexes.received.byKey(account, once.key)
    const kept = id === undefined ? undefined : transaction.get('received', id)
    if (kept === undefined || kept.once?.digest === once.digest) return kept
    throw new RelayError(
      'invalid_request',
      'This `Idempotency-Key` was used for another text; use a new one for each.',
    )
  }
}
