import type { DoNotTextEntry } from '../../../../../src/domain/account/account.js'
import type { ClaimDecision } from '../../../../../src/domain/message/claim.js'
import {
  getAvailableTime,
  getDueTime,
  isWaiting,
  type Message,
  type MessageChange,
} from '../../../../../src/domain/message/message.js'
import type { QueueDepth } from '../../../../../src/domain/message/queue-depth.js'
import type {
  ReceivedText,
  ReceivedTextDecision,
} from '../../../../../src/domain/phone/received-text.js'
import type { EventName } from '../../../../../src/domain/webhook/event.js'
import { RelayError } from '../../../../../src/errors.js'
import type {
  DecideMessage,
  DecisionFacts,
  IdempotencyKey,
  MessageChangeOptions,
  Retention,
} from '../../../../../src/server/store/message-store.js'
import { start } from '../../rig.js'

export interface ModelEvent {
  readonly account: string
  readonly event: EventName
  readonly message: string
  readonly at: number
}

export interface ModelSubscription {
  readonly id: string
  readonly account: string
  readonly event: EventName
  readonly triggered: number
  /** Events not yet delivered. */
  readonly pending: readonly ModelEvent[]
}

interface State {
  /** In order of creation. */
  messages: readonly Message[]
  events: readonly ModelEvent[]
  subscriptions: readonly ModelSubscription[]
  blocks: readonly DoNotTextEntry[]
  kept: readonly { readonly once: IdempotencyKey; readonly message: Message }[]
  /** Every event there ever was. */
  counted: readonly ModelEvent[]
  /** In order of their identifiers. */
  received: readonly ReceivedText[]
}

/** What the store promises, written down as one would without files and indexes. */
export class Model {
  now = start
  /** Every id that was ever given to a message. */
  readonly ids: string[] = []
  /** Number of texts that were told of. */
  texts = 0
  state: State = {
    messages: [],
    events: [],
    subscriptions: [],
    blocks: [],
    kept: [],
    counted: [],
    received: [],
  }

  /** Makes `body` atomic: nothing is left of it when it throws. */
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

  /** Waiting messages in the order of NEXT. */
  queue(account: string): Message[] {
    const waiting = this.of(account).filter(isWaiting)
    return waiting.sort((a, b) => getAvailableTime(a) - getAvailableTime(b))
  }

  /** How much of an account waits, by the second. */
  depth(account: string): QueueDepth {
    const hasCome = (at: number) => Math.floor(at / 1000) <= Math.floor(this.now / 1000)
    const queue = this.queue(account)
    const due = queue.filter(message => hasCome(getAvailableTime(message)))
    const leased = queue.filter(({ lease }) => lease !== undefined && !hasCome(lease.until))
    const [first] = due
    return {
      ...{ waiting: queue.length, due: due.length, leased: leased.length },
      ...(first === undefined ? {} : { oldestDueAt: getDueTime(first) }),
    }
  }

  /** How often an event was recorded in a span, in milliseconds. */
  count(account: string, event: EventName, from: number, to: number): number {
    const own = this.state.counted.filter(each => each.account === account && each.event === event)
    return own.filter(({ at }) => at >= from && at < to).length
  }

  lapsed(): string[] {
    const ended = this.state.messages.filter(
      message => (message.lease?.until ?? this.now + 1) <= this.now,
    )
    return ended.map(message => message.id).sort()
  }

  change(
    id: string,
    decide: DecideMessage,
    options: MessageChangeOptions = {},
  ): Message | undefined {
    const { idempotencyKey: once } = options
    const kept = this.state.kept.find(each => each.once.key === once?.key)
    if (once !== undefined && kept !== undefined && kept.once.until > this.now) {
      if (kept.once.digest === once.digest) return kept.message
      throw new RelayError('invalid_request', 'used')
    }
    const current = this.get(id)
    const account = options.account ?? current?.account ?? ''
    const number = options.number ?? current?.number ?? ''
    this.#apply(id, account, decide(current, this.#facts(account, number)))
    const message = this.get(id)
    if (once !== undefined && message !== undefined) {
      const others = this.state.kept.filter(each => each.once.key !== once.key)
      this.state.kept = [...others, { once, message }]
    }
    return message
  }

  claim(
    account: string,
    holder: string,
    decide: (message: Message, facts: DecisionFacts) => ClaimDecision,
  ): Message | undefined {
    const holds = ({ lease }: Message) => lease?.holder === holder && lease.until > this.now
    const held = this.of(account).filter(isWaiting).find(holds)
    const due = this.queue(account).filter(message => getAvailableTime(message) <= this.now)
    for (const message of held === undefined ? due : [held, ...due]) {
      const claimed = decide(message, this.#facts(account, message.number))
      this.#apply(message.id, account, claimed)
      if (claimed.given) return this.get(message.id)
    }
    return undefined
  }

  block(entry: DoNotTextEntry, decide: (message: Message) => MessageChange): DoNotTextEntry {
    const same = (each: DoNotTextEntry) =>
      each.scope === entry.scope && each.number === entry.number
    const listed = this.state.blocks.find(same)
    if (listed !== undefined) return listed
    this.state.blocks = [...this.state.blocks, entry]
    for (const message of this.state.messages.filter(isWaiting)) {
      const inHands = (message.lease?.until ?? 0) > entry.at
      const counts = ['*', message.account].includes(entry.scope)
      if (message.number !== entry.number || inHands || !counts) continue
      this.#apply(message.id, message.account, decide(message))
    }
    return entry
  }

  unblock(scope: string, number: string): DoNotTextEntry | undefined {
    const gone = this.state.blocks.find(each => each.scope === scope && each.number === number)
    this.state.blocks = this.state.blocks.filter(each => each !== gone)
    return gone
  }

  receive(
    received: ReceivedText,
    decide: (listed: DoNotTextEntry | undefined) => ReceivedTextDecision,
    blocks: (message: Message) => MessageChange,
  ): ReceivedText {
    const { id, account, number = '', once, createdAt } = received
    const same = (each: ReceivedText) => each.account === account && each.once?.key === once?.key
    const before = once === undefined ? undefined : this.state.received.find(same)
    if (before?.once?.digest === once?.digest && before !== undefined) return before
    if (before !== undefined) throw new RelayError('invalid_request', 'used')
    const own = this.state.blocks.find(each => each.scope === account && each.number === number)
    const { block, unblock, events } = decide(own)
    this.state.received = [...this.state.received, received]
    for (const event of events) this.#record({ account, event, message: id, at: createdAt })
    if (block !== undefined) this.block(block, blocks)
    if (unblock === true) this.unblock(account, number)
    return received
  }

  /** Removes the oldest texts, up to one whose event somebody waits for; returns how many. */
  purgeReceived(before: number): number {
    const { received, subscriptions } = this.state
    const awaited = new Set(
      subscriptions.flatMap(each => each.pending.map(({ message }) => message)),
    )
    const isKept = (each: ReceivedText) => each.createdAt >= before || awaited.has(each.id)
    const stays = new Set<string>()
    this.state.received = received.filter(each => {
      if (isKept(each)) stays.add(each.account)
      return stays.has(each.account)
    })
    return received.length - this.state.received.length
  }

  subscribe(id: string, account: string, event: EventName): void {
    const subscription = { id, account, event, triggered: 0, pending: [] }
    this.state.subscriptions = [...this.state.subscriptions, subscription]
  }

  unsubscribe(id: string): boolean {
    const left = this.state.subscriptions.filter(each => each.id !== id)
    const gone = left.length < this.state.subscriptions.length
    this.state.subscriptions = left
    return gone
  }

  deliver(id: string, message: string): void {
    this.state.subscriptions = this.state.subscriptions.map(each => {
      if (each.id !== id) return each
      const done = each.pending.find(event => event.message === message)
      const pending = each.pending.filter(event => event !== done)
      return { ...each, pending, triggered: each.triggered + 1 }
    })
  }

  /** Removes what was final or deleted for long, but waits for events; returns how many. */
  purge({ before, always }: Retention): number {
    const isKept = ({ account, status, statusAt }: Message): boolean => {
      if (!'SFBD'.includes(status) || statusAt >= before) return true
      const own = this.state.subscriptions.filter(each => each.account === account)
      const isAwaited = own.some(each => each.pending.some(({ at }) => at <= statusAt + 1000))
      return isAwaited && statusAt >= always
    }
    const { messages } = this.state
    this.state.messages = messages.filter(isKept)
    return messages.length - this.state.messages.length
  }

  /** Removes old events that nobody waits for; returns how many. */
  forget(before: number): number {
    const { events, subscriptions } = this.state
    const awaited = new Set(subscriptions.flatMap(each => each.pending))
    this.state.events = events.filter(event => event.at >= before || awaited.has(event))
    return events.length - this.state.events.length
  }

  removeAccount(account: string): void {
    const { messages, events, subscriptions, blocks, kept, counted, received } = this.state
    this.state = {
      messages: messages.filter(each => each.account !== account),
      events: events.filter(each => each.account !== account),
      subscriptions: subscriptions.filter(each => each.account !== account),
      blocks: blocks.filter(each => each.scope !== account),
      kept: kept.filter(each => each.once.account !== account),
      counted: counted.filter(each => each.account !== account),
      received: received.filter(each => each.account !== account),
    }
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
