import type { ClaimDecision } from '../../../domain/message/claim.js'
import { getDueTime, isWaiting, type Message } from '../../../domain/message/message.js'
import type { QueueDepth } from '../../../domain/message/queue-depth.js'
import type { SearchWords } from '../../../domain/message/search-words.js'
import { RelayError } from '../../../errors.js'
import type {
  DecideMessage,
  DecisionFacts,
  FoundMessages,
  IdempotencyKey,
  MessageChangeOptions,
  MessageQuery,
  MessageStore,
  Retention,
} from '../message-store.js'
import { OldMessageDeleter } from './delete-old-messages.js'
import type { Engine } from './engine/engine.js'
import type { Transaction } from './engine/transaction.js'
import { getMessageTable } from './records/collections.js'

const maxKeysPerTransaction = 10_000

export class LowdbMessages implements MessageStore {
  readonly #engine: Engine
  readonly #now: () => number
  readonly #old: OldMessageDeleter

  constructor(engine: Engine, now: () => number) {
    this.#engine = engine
    this.#now = now
    this.#old = new OldMessageDeleter(engine, now)
  }

  get(id: string): Promise<Message | undefined> {
    return this.#engine.read(() => this.#engine.data.message.get(id))
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

  async search(query: MessageQuery, words: SearchWords, count: number): Promise<FoundMessages> {
    const { data, indexes } = this.#engine
    const messages = getMessageTable(data)
    const matches = messages.createMatcher(words)
    return await this.#engine.read(() => {
      const slots = indexes.messages
        .getList(query.account)
        .getPage(query.statuses, query.start, query.count, query.order)
      const found: Message[] = []
      let seen = 0
      for (; seen < slots.length && found.length < count; seen += 1) {
        const slot = slots[seen] as number
        const message = matches(slot) ? messages.getAt(slot) : undefined
        if (message !== undefined) found.push(message)
      }
      return { messages: found, seen }
    })
  }

  change(
    id: string,
    decide: DecideMessage,
    options: MessageChangeOptions = {},
  ): Promise<Message | undefined> {
    return this.#engine.transact(transaction => {
      const { idempotencyKey } = options
      const repeated = idempotencyKey && findRepeated(transaction, idempotencyKey, this.#now())
      if (repeated !== undefined) return repeated
      const current = transaction.get('message', id)
      const account = options.account ?? current?.account ?? ''
      const facts = transaction.getDecisionFacts(account, options.number ?? current?.number ?? '')
      const change = decide(current, facts)
      const message = transaction.applyChange(id, account, change, this.#now())
      if (idempotencyKey && message) saveIdempotencyKey(transaction, idempotencyKey, message)
      return message
    })
  }

  claim(
    account: string,
    holder: string,
    now: number,
    decide: (message: Message, facts: DecisionFacts) => ClaimDecision,
  ): Promise<Message | undefined> {
    return this.#engine.transact(transaction => {
      const offer = (id: string): ClaimDecision => {
        const message = transaction.get('message', id) as Message
        const decision = decide(message, transaction.getDecisionFacts(account, message.number))
        transaction.applyChange(id, account, decision, now)
        return decision
      }
      return this.#claimLeased(account, holder, now, offer) ?? this.#claimDue(account, now, offer)
    })
  }

  nextAvailable(account: string): number | undefined {
    return this.#engine.indexes.messages.findFirstAvailable(account)?.at
  }

  nextHeld(account: string, holder: string, now: number): number | undefined {
    const { indexes, data } = this.#engine
    const times = indexes.messages.leases
      .findRunning(holder, now)
      .map(id => data.message.get(id))
      .filter(message => message !== undefined)
      .filter(message => message.account === account)
      .map(message => getDueTime(message))
    return times.length === 0 ? undefined : Math.min(...times)
  }

  findHolder(id: string): string | undefined {
    const message = this.#engine.data.message.get(id)
    return message !== undefined && isWaiting(message) ? message.lease?.holder : undefined
  }

  async getQueueDepth(account: string, now: number): Promise<QueueDepth> {
    const { indexes, data } = this.#engine
    return await this.#engine.read(() => {
      const depth = indexes.messages.getQueueDepth(account, now)
      const first = data.message.get(indexes.messages.findFirstAvailable(account)?.id ?? '')
      const isDue = depth.due > 0 && first !== undefined
      return isDue ? { ...depth, oldestDueAt: getDueTime(first) } : depth
    })
  }

  async deleteExpiredIdempotencyKeys(now: number): Promise<void> {
    await this.#engine.transact(transaction => {
      const expired: string[] = []
      // Idempotency keys are stored in order of creation.
      for (const [key, { until }] of transaction.pairs('once')) {
        if (until > now || expired.length === maxKeysPerTransaction) break
        expired.push(key)
      }
      for (const key of expired) transaction.put('once', key, null)
    })
  }

  purge(retention: Retention): AsyncGenerator<number> {
    return this.#old.deleteOld(retention)
  }

  expiredLeases(now: number): Message[] {
    const { indexes, data } = this.#engine
    return [...indexes.messages.leases.ids()]
      .map(id => data.message.get(id))
      .filter(message => message !== undefined)
      .filter(({ lease }) => lease !== undefined && lease.until <= now)
  }

  #claimLeased(
    account: string,
    holder: string,
    now: number,
    offer: (id: string) => ClaimDecision,
  ): Message | undefined {
    const { indexes, data } = this.#engine
    for (const id of indexes.messages.leases.findRunning(holder, now)) {
      if (data.message.get(id)?.account === account && offer(id).given) return data.message.get(id)
    }
    return undefined
  }

  #claimDue(
    account: string,
    now: number,
    offer: (id: string) => ClaimDecision,
  ): Message | undefined {
    const { indexes, data } = this.#engine
    for (;;) {
      const first = indexes.messages.findFirstAvailable(account)
      if (first === undefined || first.at > now) return undefined
      const decision = offer(first.id)
      if (decision.given) return data.message.get(first.id)
      if (decision.message === undefined) return undefined
    }
  }
}

function findRepeated(
  transaction: Transaction,
  key: IdempotencyKey,
  now: number,
): Message | undefined {
  const stored = transaction.get('once', buildIdempotencyRecordKey(key))
  if (stored === undefined || stored.until <= now) return undefined
  if (stored.digest === key.digest) return stored.message
  throw new RelayError(
    'invalid_request',
    'This `Idempotency-Key` was used for another request; use a new one for each message.',
  )
}

function saveIdempotencyKey(transaction: Transaction, key: IdempotencyKey, message: Message): void {
  const { digest, until } = key
  transaction.put('once', buildIdempotencyRecordKey(key), { digest, until, message })
}

function buildIdempotencyRecordKey({ account, key }: IdempotencyKey): string {
  return `${account} ${key}`
}
