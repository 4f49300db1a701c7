import type { Clock } from '../../../../util/async/clock.js'
import type { Connection } from '../connection/statement.js'
import { SeenHints } from './seen-hints.js'

export interface HintReceiver {
  readonly onHint: (payload: string) => void
  readonly onNodes: () => void
  readonly onGap: () => void
  readonly onError: (error: unknown) => void
}

interface HintRow {
  readonly id: number
  readonly node: string
  readonly payload: string
}

/** Milliseconds between two reads of the table: as a precaution, and where LISTEN does not work. */
const intervals = { listening: 1000, polling: 200 }
/** Milliseconds after which a node that has not received its own notification polls. */
const echoTimeout = 12_000
const retryDelay = 200

const channel = "left('smsrelay_' || current_schema(), 63)"
/** Payload of a notification by which a node tests whether it receives notifications. */
const echo = ''
/** Payload of a notification after a node came or went. */
const nodesChanged = 'nodes'

const notify = {
  name: 'hints notify',
  text: `select pg_notify(${channel}, '0 ' || $1::text || ' ' || $2::text)`,
}

const send = {
  name: 'hints send',
  text: `with written as (
      insert into hint (node, payload) select $1, unnest($2::text[]) returning id, node, payload)
    select pg_notify(${channel}, id || ' ' || node || ' ' || payload) from written`,
}

const readChannel = { name: 'hints channel', text: `select quote_ident(${channel}) as name` }

const readLast = { name: 'hints last', text: 'select coalesce(max(id), 0) as id from hint' }

const readAfter = {
  name: 'hints after',
  text: 'select id, node, payload from hint where id > $1 order by id',
}

/**
 * Sends hints to the other nodes and receives theirs: by notifications, and from the table `hint`
 * in case one is lost or the server delivers none, as behind some connection poolers.
 */
export class HintChannel {
  readonly #node: string
  readonly #connection: Connection
  readonly #sender: Connection
  readonly #clock: Clock
  readonly #receiver: HintReceiver
  #seen: SeenHints | undefined
  #echoAt = Number.NEGATIVE_INFINITY
  #cancelPoll: (() => void) | undefined
  #running: Promise<void> = Promise.resolve()
  #isStarted = false

  /**
   * Creates the channel of a node. It sends through another connection than the one that listens:
   * a pooler that gives each transaction any connection of the server would return a notification
   * to the connection that sent it, and only that.
   */
  constructor(
    node: string,
    { connection, sender }: { readonly connection: Connection; readonly sender: Connection },
    clock: Clock,
    receiver: HintReceiver,
  ) {
    this.#node = node
    this.#connection = connection
    this.#sender = sender
    this.#clock = clock
    this.#receiver = receiver
  }

  get isListening(): boolean {
    return this.#clock.monotonic() - this.#echoAt < echoTimeout
  }

  get floor(): number {
    return this.#seen?.floor ?? 0
  }

  async start(): Promise<void> {
    this.#isStarted = true
    this.#running = this.#poll()
    await this.#running
  }

  async stop(): Promise<void> {
    this.#isStarted = false
    this.#cancelPoll?.()
    await this.#running
  }

  async send(payloads: readonly string[]): Promise<void> {
    await this.#sender.query(send, [this.#node, payloads])
  }

  async announce(): Promise<void> {
    await this.#sender.query(notify, [this.#node, nodesChanged])
  }

  async test(): Promise<void> {
    await this.#sender.query(notify, [this.#node, echo])
  }

  receive(text: string): void {
    const [, id = '', node = '', payload = ''] = /^(\d+) (\S+) (.*)$/s.exec(text) ?? []
    if (node === this.#node) this.#echoAt = this.#clock.monotonic()
    else if (payload === nodesChanged) this.#receiver.onNodes()
    else if (payload !== echo) this.#deliver({ id: Number(id), node, payload })
  }

  /** For the connection of this channel: starts to listen again after the connection was lost. */
  restart(): void {
    this.#seen = undefined
    this.#echoAt = Number.NEGATIVE_INFINITY
    if (this.#isStarted) this.#run(0)
  }

  #run(delay: number): void {
    this.#cancelPoll?.()
    this.#cancelPoll = this.#clock.after(delay, () => {
      this.#cancelPoll = undefined
      this.#running = this.#running.then(() => this.#poll())
    })
  }

  async #poll(): Promise<void> {
    if (!this.#isStarted) return
    let delay = retryDelay
    try {
      if (this.#seen === undefined) await this.#listen()
      else await this.#read(this.#seen)
      delay = this.isListening ? intervals.listening : intervals.polling
    } catch (error) {
      this.#receiver.onError(error)
    }
    if (this.#isStarted && this.#cancelPoll === undefined) this.#run(delay)
  }

  async #listen(): Promise<void> {
    const [listened] = await this.#connection.query<{ name: string }>(readChannel)
    await this.#connection.query({ name: 'hints listen', text: `listen ${listened?.name}` })
    const [row] = await this.#connection.query<{ id: number }>(readLast)
    this.#seen = new SeenHints(row?.id ?? 0)
    await this.test()
    this.#receiver.onGap()
  }

  async #read(seen: SeenHints): Promise<void> {
    const rows = await this.#connection.query<HintRow>(readAfter, [seen.floor])
    for (const row of rows) this.#deliver(row)
    seen.prune(this.#clock.monotonic())
  }

  #deliver({ id, node, payload }: HintRow): void {
    if (this.#seen?.add(id) === true && node !== this.#node) this.#receiver.onHint(payload)
  }
}
