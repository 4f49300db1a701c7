import type { Claimed } from '../../../domain/message/claim.js'
import { dueAt, type Message } from '../../../domain/message/message.js'
import type { QueueDepth } from '../../../domain/message/queue-depth.js'
import { RelayError } from '../../../errors.js'
import type {
  ChangeOptions,
  Decide,
  Facts,
  MessageQuery,
  MessageStore,
  Once,
  Retention,
} from '../store.js'
import { OldMessages } from './delete-old-messages.js'
import type { Engine } from './engine/engine.js'
import type { Transaction } from './engine/transaction.js'

/** Results that are forgotten in one transaction; they are in order of time. */
const forgetAtMost = 10_000

/** Messages on the {@link Engine}. */
export class LowdbMessages implements MessageStore {
  readonly #engine: Engine
  readonly #now: () => number
  readonly #old: OldMessages

  constructor(engine: Engine, now: () => number) {
    this.#engine = engine
    this.#now = now
    this.#old = new OldMessages(engine, now)
  }

  async get(id: string): Promise<Message | undefined> {
    return await this.#engine.read(() => this.#engine.data.message.get(id))
  }

  async list(query: MessageQuery): Promise<Message[]> {
    const { message } = this.#engine.data
    return await this.#engine.read(() =>
      this.#engine.indexes.messages
        .ranked(query.account)
        .page(query.statuses, query.start, query.count, query.order)
        .map(id => message.get(id))
        .filter(found => found !== undefined),
    )
  }

  change(id: string, decide: Decide, options: ChangeOptions = {}): Promise<Message | undefined> {
    return this.#engine.transact(transaction => {
      const repeated = options.once && findRepeated(transaction, options.once, this.#now())
      if (repeated !== undefined) return repeated
      const current = transaction.get('message', id)
      const account = options.account ?? current?.account ?? ''
      const facts = transaction.facts(account, options.number ?? current?.number ?? '')
      const change = decide(current, facts)
      const message = transaction.apply(id, account, change, this.#now())
      if (options.once && message) keep(transaction, options.once, message)
      return message
    })
  }

  claim(
    account: string,
    holder: string,
    now: number,
    decide: (message: Message, facts: Facts) => Claimed,
  ): Promise<Message | undefined> {
    return this.#engine.transact(transaction => {
      const offer = (id: string): Claimed => {
        const message = transaction.get('message', id) as Message
        const claimed = decide(message, transaction.facts(account, message.number))
        transaction.apply(id, account, claimed, now)
        return claimed
      }
      return this.#claimHeld(account, holder, now, offer) ?? this.#claimDue(account, now, offer)
    })
  }

  nextAvailable(account: string): number | undefined {
    return this.#engine.indexes.messages.first(account)?.at
  }

  async queue(account: string, now: number): Promise<QueueDepth> {
    const { indexes, data } = this.#engine
    return await this.#engine.read(() => {
      const depth = indexes.messages.depth(account, now)
      const first = data.message.get(indexes.messages.first(account)?.id ?? '')
      const isDue = depth.due > 0 && first !== undefined
      return isDue ? { ...depth, oldestDueAt: dueAt(first) } : depth
    })
  }

  async forgetOnce(now: number): Promise<void> {
    await this.#engine.transact(transaction => {
      const gone: string[] = []
      for (const [key, kept] of transaction.pairs('once')) {
        if (kept.until > now || gone.length === forgetAtMost) break
        gone.push(key)
      }
      for (const key of gone) transaction.put('once', key, null)
    })
  }

  purge(retention: Retention): AsyncGenerator<number> {
    return this.#old.remove(retention)
  }

  lapsed(now: number): Message[] {
    const { indexes, data } = this.#engine
    return [...indexes.messages.leased()]
      .map(id => data.message.get(id))
      .filter(message => message?.lease !== undefined && message.lease.until <= now)
      .filter(message => message !== undefined)
  }

  #claimHeld(
    account: string,
    holder: string,
    now: number,
    offer: (id: string) => Claimed,
  ): Message | undefined {
    const { indexes, data } = this.#engine
    const held = data.message.get(indexes.messages.heldBy(holder) ?? '')
    if (held?.account !== account || (held.lease?.until ?? 0) <= now) return undefined
    return offer(held.id).given ? data.message.get(held.id) : undefined
  }

  #claimDue(account: string, now: number, offer: (id: string) => Claimed): Message | undefined {
    const { indexes, data } = this.#engine
    for (;;) {
      const first = indexes.messages.first(account)
      if (first === undefined || first.at > now) return undefined
      const claimed = offer(first.id)
      if (claimed.given) return data.message.get(first.id)
      if (claimed.message === undefined) return undefined
    }
  }
}

function findRepeated(transaction: Transaction, once: Once, now: number): Message | undefined {
  const kept = transaction.get('once', onceKey(once))
  if (kept === undefined || kept.until <= now) return undefined
  if (kept.digest === once.digest) return kept.message
  throw new RelayError(
    'invalid_request',
    'This `Idempotency-Key` was used for another request; use a new one for each message.',
  )
}

function keep(transaction: Transaction, once: Once, message: Message): void {
  const { digest, until } = once
  transaction.put('once', onceKey(once), { digest, until, message })
}

function onceKey(once: Once): string {
  return `${once.account} ${once.key}`
}
