import type { DoNotTextEntry } from '../../../../src/domain/account/account.js'
import type { ClaimDecision } from '../../../../src/domain/message/claim.js'
import {
  getAvailableTime,
  isWaiting,
  type Message,
  type MessageChange,
} from '../../../../src/domain/message/message.js'
import type { QueueDepth } from '../../../../src/domain/message/queue-depth.js'
import type { ReceivedText } from '../../../../src/domain/phone/received-text.js'
import type { EventName } from '../../../../src/domain/webhook/event.js'
import { RelayError } from '../../../../src/errors.js'
import type {
  DecideMessage,
  DecisionFacts,
  MessageChangeOptions,
  Retention,
} from '../../../../src/server/store/message-store.js'
import type { DecideReceivedText } from '../../../../src/server/store/received-text-store.js'
import { start } from '../rig.js'
import { findHeld, measureDepth } from './model-leases.js'
import { createState, type ModelEvent, type ModelState, removeAccount } from './model-state.js'

/** The promises of the store in the simplest form, without files and indexes. */
export class Model {
  now = start
  /** The ids of all messages so far. */
  readonly ids: string[] = []
  /** Removed accounts so far. */
  removals = 0
  texts = 0
  state: ModelState = createState()

  /** Runs `body`; restores the state if it throws. */
  atomically<T>(body: () => T): T {
    const before = { ...this.state }
    try {
      return body()
    } catch (error) {
      this.state = before
      throw error
    }
  }

  get(id: string): Message | undefined {
    return this.state.messages.find(message => message.id === id)
  }

  of(account: string): Message[] {
    return this.state.messages.filter(message => message.account === account)
  }

  /** Waiting messages in the order of claims. */
  queue(account: string): Message[] {
    const waiting = this.of(account).filter(isWaiting)
    return waiting.sort((a, b) => getAvailableTime(a) - getAvailableTime(b))
  }

  /** The queue of an account, with times in whole seconds. */
  depth(account: string): QueueDepth {
    return measureDepth(this.queue(account), this.now)
  }

  /** Counts an event of an account in a span of time, in milliseconds. */
  count(account: string, event: EventName, from: number, to: number): number {
    const own = this.state.counted.filter(each => each.account === account && each.event === event)
    return own.filter(({ at }) => at >= from && at < to).length
  }

  expiredLeases(): string[] {
    const hasEnded = ({ lease }: Message) => lease !== undefined && lease.until <= this.now
    const ended = this.state.messages.filter(isWaiting).filter(hasEnded)
    return ended.map(({ id }) => id).sort()
  }

  change(
    account: string,
    id: string,
    decide: DecideMessage,
    options: MessageChangeOptions = {},
  ): Message | undefined {
    const { idempotencyKey: once } = options
    const result = this.state.results.find(each => each.once.key === once?.key)
    if (once !== undefined && result !== undefined && result.once.until > this.now) {
      if (result.once.digest === once.digest) return result.message
      throw new RelayError('invalid_request', 'used')
    }
    const found = this.get(id)
    const current = found?.account === account ? found : undefined
    const number = options.number ?? current?.number ?? ''
    this.#apply(id, account, decide(current, this.#facts(account, number)))
    const message = this.get(id)
    if (once !== undefined && message !== undefined) {
      const others = this.state.results.filter(each => each.once.key !== once.key)
      this.state.results = [...others, { once, message }]
    }
    return message
  }

  claim(
    account: string,
    holder: string,
    decide: (message: Message, facts: DecisionFacts) => ClaimDecision,
  ): Message | undefined {
    const held = findHeld(this.of(account), holder, this.now)
    const due = this.queue(account).filter(message => getAvailableTime(message) <= this.now)
    for (const message of [...held, ...due]) {
      const decision = decide(message, this.#facts(account, message.number))
      this.#apply(message.id, account, decision)
      if (decision.given) return this.get(message.id)
    }
    return undefined
  }

  block(entry: DoNotTextEntry, decide: (message: Message) => MessageChange): DoNotTextEntry {
    const same = (each: DoNotTextEntry) =>
      each.scope === entry.scope && each.number === entry.number
    const listed = this.state.blocks.find(same)
    if (listed !== undefined) return listed
    this.state.blocks = [...this.state.blocks, entry]
    this.#recordListing('number.blocked', entry)
    for (const message of this.state.messages.filter(isWaiting)) {
      const isLeased = (message.lease?.until ?? 0) > entry.at
      const applies = ['*', message.account].includes(entry.scope)
      if (message.number !== entry.number || isLeased || !applies) continue
      this.#apply(message.id, message.account, decide(message))
    }
    return entry
  }

  unblock(scope: string, number: string): DoNotTextEntry | undefined {
    const removed = this.state.blocks.find(each => each.scope === scope && each.number === number)
    this.state.blocks = this.state.blocks.filter(each => each !== removed)
    if (removed !== undefined) this.#recordListing('number.unblocked', removed)
    return removed
  }

  receive(
    received: ReceivedText,
    decide: DecideReceivedText,
    blocks: (message: Message) => MessageChange,
  ): ReceivedText {
    const { id, account, number = '', once, createdAt } = received
    const same = (each: ReceivedText) => each.account === account && each.once?.key === once?.key
    const before = once === undefined ? undefined : this.state.received.find(same)
    if (before?.once?.digest === once?.digest && before !== undefined) return before
    if (before !== undefined) throw new RelayError('invalid_request', 'used')
    const own = this.state.blocks.find(each => each.scope === account && each.number === number)
    const { blocked } = this.#facts(account, number)
    const { block, unblock, events } = decide({ listed: own, blocked, replies: [] })
    this.state.received = [...this.state.received, received]
    for (const event of events) this.#record({ account, event, message: id, at: createdAt })
    if (block !== undefined) this.block(block, blocks)
    if (unblock === true) this.unblock(account, number)
    return received
  }

  /** Deletes the oldest texts, up to one with an undelivered event; returns the number. */
  purgeReceived(before: number): number {
    const { received, subscriptions } = this.state
    const undelivered = new Set(
      subscriptions.flatMap(each => each.pending.map(({ message }) => message)),
    )
    const isRetained = (each: ReceivedText) => each.createdAt >= before || undelivered.has(each.id)
    const retaining = new Set<string>()
    this.state.received = received.filter(each => {
      if (isRetained(each)) retaining.add(each.account)
      return retaining.has(each.account)
    })
    return received.length - this.state.received.length
  }

  subscribe(id: string, account: string, event: EventName): void {
    const subscription = { id, account, event, triggered: 0, pending: [] }
    this.state.subscriptions = [...this.state.subscriptions, subscription]
  }

  unsubscribe(id: string): boolean {
    const others = this.state.subscriptions.filter(each => each.id !== id)
    const isRemoved = others.length < this.state.subscriptions.length
    this.state.subscriptions = others
    return isRemoved
  }

  deliver(id: string, message: string): void {
    this.state.subscriptions = this.state.subscriptions.map(each => {
      if (each.id !== id) return each
      const done = each.pending.find(event => event.message === message)
      const pending = each.pending.filter(event => event !== done)
      return { ...each, pending, triggered: each.triggered + 1 }
    })
  }

  /** Deletes expired messages without undelivered events; returns the number. */
  purge({ before, always }: Retention): number {
    const isRetained = ({ account, status, statusAt }: Message): boolean => {
      if (!'SFBD'.includes(status) || statusAt >= before) return true
      const own = this.state.subscriptions.filter(each => each.account === account)
      const isUndelivered = own.some(each => each.pending.some(({ at }) => at <= statusAt + 1000))
      return isUndelivered && statusAt >= always
    }
    const { messages } = this.state
    this.state.messages = messages.filter(isRetained)
    return messages.length - this.state.messages.length
  }

  /** Deletes old delivered events; returns the number. */
  purgeEvents(before: number): number {
    const { events, subscriptions } = this.state
    const undelivered = new Set(subscriptions.flatMap(each => each.pending))
    this.state.events = events.filter(event => event.at >= before || undelivered.has(event))
    return events.length - this.state.events.length
  }

  removeAccount(account: string): void {
    this.removals += 1
    this.state = removeAccount(this.state, account)
  }

  #facts(account: string, number: string): DecisionFacts {
    const counts = (entry: DoNotTextEntry) => ['*', account].includes(entry.scope)
    return { blocked: this.state.blocks.some(entry => counts(entry) && entry.number === number) }
  }

  #apply(id: string, account: string, { message, events = [] }: MessageChange): void {
    if (message === null) {
      this.state.messages = this.state.messages.filter(each => each.id !== id)
    } else if (message !== undefined) {
      const at = this.state.messages.findIndex(each => each.id === id)
      const { messages } = this.state
      this.state.messages = at === -1 ? [...messages, message] : messages.with(at, message)
    }
    for (const event of events) this.#record({ account, event, message: id, at: this.now })
  }

  #recordListing(event: EventName, { scope, number: message }: DoNotTextEntry): void {
    if (scope !== '*') this.#record({ account: scope, event, message, at: this.now })
  }

  #record(event: ModelEvent): void {
    this.state.events = [...this.state.events, event]
    this.state.counted = [...this.state.counted, event]
    this.state.subscriptions = this.state.subscriptions.map(each =>
      each.account === event.account && each.event === event.event
        ? { ...each, pending: [...each.pending, event] }
        : each,
    )
  }
}
