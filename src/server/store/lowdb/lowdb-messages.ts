import { setImmediate } from 'node:timers/promises'
import type { DoNotTextEntry } from '../../../domain/account/account.js'
import { getDueTime, type Message } from '../../../domain/message/message.js'
import type { BatchResult, ClaimedBatch } from '../../../domain/message/message-batch.js'
import type { StatusCounts } from '../../../domain/message/message-counts.js'
import type { MessageCriteria } from '../../../domain/message/message-criteria.js'
import { idempotencyKeyLifetime } from '../../../domain/message/message-retention.js'
import { addDepths, type QueueDepth } from '../../../domain/message/queue-depth.js'
import { RelayError } from '../../../errors.js'
import type {
  BatchClaim,
  DecideClaim,
  DecideMessage,
  DecisionFacts,
  FoundMessages,
  IdempotencyKey,
  LaterPlace,
  MessageChangeOptions,
  MessageChangeRequest,
  MessageClaim,
  MessagePlace,
  MessageQuery,
  MessageStore,
  Retention,
  StoredResult,
} from '../message-store.js'
import { getStoredResult, getUnexpired } from '../stored-result.js'
import { OldMessageDeleter } from './delete-old-messages.js'
import type { Transactions } from './engine/engine.js'
import type { Transaction } from './engine/transaction.js'
import { searchMessages } from './indexes/search-messages.js'
import { LowdbClaims } from './lowdb-claims.js'
import { getMessageTable } from './records/collections.js'
import { scanWaitingTo } from './waiting-messages.js'

const maxKeysPerTransaction = 10_000
/** Waiting messages that are looked at in one turn. */
const maxScanned = 20_000

export class LowdbMessages implements MessageStore {
  readonly searchSizes = { first: 250, later: 2500, page: 20_000 }
  readonly #engine: Transactions
  readonly #now: () => number
  readonly #old: OldMessageDeleter
  readonly #claims: LowdbClaims

  constructor(engine: Transactions, now: () => number) {
    this.#engine = engine
    this.#now = now
    this.#old = new OldMessageDeleter(engine, now)
    this.#claims = new LowdbClaims(engine)
  }

  get(account: string, id: string): Promise<Message | undefined> {
    return this.#engine.read(() => onlyOf(account, this.#engine.data.message.get(id)))
  }

  async list(query: MessageQuery): Promise<Message[]> {
    const messages = getMessageTable(this.#engine.data)
    return await this.#engine.read(() =>
      this.#engine.indexes.messages
        .getList(query.account)
        .getPage(query.statuses, query.start, query.count, query.order)
        .map(slot => messages.getAt(slot))
        .filter(found => found !== undefined),
    )
  }

  async search(
    query: MessageQuery,
    criteria: MessageCriteria,
    count: number,
  ): Promise<FoundMessages> {
    const { data, indexes } = this.#engine
    const messages = getMessageTable(data)
    return await this.#engine.read(() =>
      searchMessages(indexes.messages.getList(query.account), messages, query, criteria, count),
    )
  }

  async listLater(account: string, after: LaterPlace, count: number): Promise<Message[]> {
    const { data, indexes } = this.#engine
    return await this.#engine.read(() => {
      const ids = indexes.messages.listLater(account, after, count)
      return ids.flatMap(id => data.message.get(id) ?? [])
    })
  }

  async *findWaitingTo(
    entries: readonly Pick<DoNotTextEntry, 'scope' | 'number'>[],
  ): AsyncGenerator<MessagePlace[]> {
    let scanned = 0
    for (const block of scanWaitingTo(this.#engine, entries)) {
      if (block.found.length > 0) yield block.found
      scanned += block.scanned
      if (block.found.length === 0 && scanned < maxScanned) continue
      await setImmediate()
      scanned = 0
    }
  }

  async countStatuses(account: string): Promise<StatusCounts> {
    return await this.#engine.read(() => this.#engine.indexes.messages.countStatuses(account))
  }

  change(
    account: string,
    id: string,
    decide: DecideMessage,
    options?: MessageChangeOptions,
  ): Promise<Message | undefined> {
    return this.#engine.transact(transaction =>
      this.#change(transaction, { account, id, decide, ...(options && { options }) }),
    )
  }

  async changeAll(changes: readonly MessageChangeRequest[]): Promise<BatchResult[]> {
    return await this.#engine.transact(transaction =>
      changes.map(change => {
        try {
          return { message: this.#change(transaction, change) }
        } catch (error) {
          if (error instanceof RelayError) return { error }
          throw error
        }
      }),
    )
  }

  claim(claim: MessageClaim, decide: DecideClaim): Promise<Message | undefined> {
    return this.#claims.claim(claim, decide)
  }

  claimBatch(batch: BatchClaim, decide: DecideClaim): Promise<ClaimedBatch | undefined> {
    return this.#claims.claimBatch(batch, decide)
  }

  async findNextAvailable(account: string): Promise<number | undefined> {
    return this.#engine.indexes.messages.findFirstAvailable(account)?.at
  }

  async findNextHeld(
    account: string,
    holder: string,
    now: number,
    since?: number,
  ): Promise<number | undefined> {
    return this.#claims.findNextHeld(account, holder, now, since)
  }

  async listHeld(account: string, holder: string, now: number, count: number): Promise<Message[]> {
    const { data, indexes } = this.#engine
    return await this.#engine.read(() => {
      const ids = indexes.messages.leases.findRunning(holder, now).slice(0, count)
      return ids.flatMap(id => onlyOf(account, data.message.get(id)) ?? [])
    })
  }

  async getQueueDepth(account: string | undefined, now: number): Promise<QueueDepth> {
    return await this.#engine.read(() => {
      if (account !== undefined) return this.#getQueueDepth(account, now)
      const accounts = [...this.#engine.data.account.keys()]
      return addDepths(accounts.map(each => this.#getQueueDepth(each, now)))
    })
  }

  async findResults(
    account: string,
    keys: readonly string[],
  ): Promise<(StoredResult | undefined)[]> {
    const { once } = this.#engine.data
    const stored = await this.#engine.read(() =>
      keys.map(key => once.get(buildRecordKey({ account, key }))),
    )
    return stored.map(each => getUnexpired(each, this.#now()))
  }

  async deleteExpiredKeys(now: number): Promise<void> {
    await this.#engine.transact(transaction => {
      const expired: string[] = []
      // Idempotency keys are stored in order of creation; those of copies among them end later.
      for (const [key, { until }] of transaction.pairs('once')) {
        if (until > now + idempotencyKeyLifetime) continue
        if (until > now || expired.length === maxKeysPerTransaction) break
        expired.push(key)
      }
      for (const key of expired) transaction.put('once', key, null)
    })
  }

  purge(retention: Retention): AsyncGenerator<number> {
    return this.#old.deleteOld(retention)
  }

  async listExpiredLeases(
    accounts: readonly string[],
    now: number,
    count: number,
  ): Promise<Message[]> {
    const { indexes, data } = this.#engine
    const found: Message[] = []
    if (accounts.length === 0) return found
    for (const id of indexes.messages.leases.findEnded(now)) {
      const message = data.message.get(id)
      if (message !== undefined && accounts.includes(message.account)) found.push(message)
      if (found.length === count) break
    }
    return found
  }

  #change(
    transaction: Transaction,
    { account, id, decide, options = {} }: MessageChangeRequest,
  ): Message | undefined {
    const { idempotencyKey } = options
    if (idempotencyKey !== undefined) {
      const stored = transaction.get('once', buildRecordKey(idempotencyKey))
      const repeated = getStoredResult(stored, idempotencyKey, this.#now())
      if (repeated !== undefined) return repeated
    }
    const current = onlyOf(account, transaction.get('message', id))
    const number = options.number ?? current?.number ?? ''
    const change = decide(current, this.#getFacts(transaction, account, number, options))
    const message = transaction.applyChange(id, account, change, this.#now())
    if (idempotencyKey && message) saveIdempotencyKey(transaction, idempotencyKey, message)
    return message
  }

  #getFacts(
    transaction: Transaction,
    account: string,
    number: string,
    { copyKey, original }: MessageChangeOptions,
  ): DecisionFacts {
    const facts = transaction.getDecisionFacts(account, number)
    if (copyKey !== undefined) {
      const copy = transaction.get('once', buildRecordKey({ account, key: copyKey }))
      return { ...facts, isSentAgain: getUnexpired(copy, this.#now()) !== undefined }
    }
    if (original === undefined) return facts
    return { ...facts, original: onlyOf(account, transaction.get('message', original)) }
  }

  #getQueueDepth(account: string, now: number): QueueDepth {
    const { indexes, data } = this.#engine
    const depth = indexes.messages.getQueueDepth(account, now)
    const first = data.message.get(indexes.messages.findFirstAvailable(account)?.id ?? '')
    const isDue = depth.due > 0 && first !== undefined
    return isDue ? { ...depth, oldestDueAt: getDueTime(first) } : depth
  }
}

function onlyOf(account: string, message: Message | undefined): Message | undefined {
  return message?.account === account ? message : undefined
}

function saveIdempotencyKey(transaction: Transaction, key: IdempotencyKey, message: Message): void {
  const { digest, until } = key
  transaction.put('once', buildRecordKey(key), { digest, until, message })
}

function buildRecordKey({ account, key }: Pick<IdempotencyKey, 'account' | 'key'>): string {
  return `${account} ${key}`
}
