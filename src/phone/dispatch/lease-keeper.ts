import { isRelayError, isTransient, type RelayError } from '../../errors.js'
import { runWithGrace, runWithSignal } from '../../util/async/abort.js'
import type { DispatchContext } from './dispatch-context.js'
import type { HeldMessage } from './held-message.js'
import type { MessageQueue } from './message-queue.js'

type LeaseContext = Pick<DispatchContext, 'relay' | 'clock' | 'force'>

/** Milliseconds; the default of relays, for one that does not say how long its leases are. */
const defaultLease = 120_000
const replyTimeout = 5000

export class LeaseKeeper {
  readonly #context: LeaseContext
  readonly #queue: MessageQueue
  #asked: HeldMessage[] = []
  #asking: Promise<void> | undefined
  #cancelTimer: (() => void) | undefined

  constructor(context: LeaseContext, queue: MessageQueue) {
    this.#context = context
    this.#queue = queue
  }

  /** A lease is renewed when it is between a quarter and half over. */
  get #renewalInterval(): number {
    return (this.#context.relay.lease ?? defaultLease) / 4
  }

  watch(): void {
    if (this.#queue.size === 0) {
      this.stop()
      return
    }
    this.#cancelTimer ??= this.#context.clock.after(this.#renewalInterval, () => {
      this.#cancelTimer = undefined
      void this.#renewOld().then(() => this.watch())
    })
  }

  stop(): void {
    this.#cancelTimer?.()
    this.#cancelTimer = undefined
  }

  /**
   * Renews the lease of a message and asks the relay for its current state. If it does not answer,
   * the last known state counts until the lease ends. All that are asked for in the same turn share
   * a request. Never rejects.
   */
  async refresh(held: HeldMessage): Promise<void> {
    this.#asked.push(held)
    this.#asking ??= this.#refreshAsked()
    await this.#asking
  }

  async #renewOld(): Promise<void> {
    const before = this.#context.clock.monotonic() - this.#renewalInterval
    await this.#refreshAll([...this.#queue.list()].filter(each => each.leasedAt <= before))
  }

  async #refreshAsked(): Promise<void> {
    // Messages of the same turn of the event loop are asked for together.
    await Promise.resolve()
    const asked = this.#asked
    this.#asked = []
    this.#asking = undefined
    await this.#refreshAll(asked)
  }

  async #refreshAll(all: readonly HeldMessage[]): Promise<void> {
    if (all.length === 0) return
    const { clock, force } = this.#context
    try {
      await runWithGrace(AbortSignal.abort(), replyTimeout, clock.sleep, late =>
        runWithSignal([force, late], async signal => await this.#renewBatch(all, signal)),
      )
    } catch {
      for (const held of all) this.#keep(held)
    }
  }

  async #renewBatch(some: readonly HeldMessage[], signal: AbortSignal): Promise<void> {
    const { relay } = this.#context
    const ids = some.map(held => held.id)
    for (const [index, { message, error }] of (await relay.renew(ids, { signal })).entries()) {
      const held = some[index]
      if (held === undefined) return
      if (message !== undefined) this.#update(held, message)
      else if (error !== undefined) await this.#applyRefusal(held, error, signal)
    }
  }

  async #applyRefusal(held: HeldMessage, error: RelayError, signal: AbortSignal): Promise<void> {
    if (isTransient(error)) return
    await this.#show(held, signal)
    if (held.canSend) held.lose(held.status)
  }

  async #show(held: HeldMessage, signal: AbortSignal): Promise<void> {
    try {
      held.update(await this.#context.relay.get(held.id, { signal }))
    } catch (error) {
      if (!isRelayError(error, 'not_a_message')) throw error
      held.lose(undefined)
    }
  }

  #update(held: HeldMessage, message: Parameters<HeldMessage['update']>[0]): void {
    held.update(message)
    held.leasedAt = this.#context.clock.monotonic()
    held.mayBeReleased = false
  }

  /** Without an answer the known state counts as long as no other phone can have the message. */
  #keep(held: HeldMessage): void {
    const { clock, relay } = this.#context
    const { lease = Number.POSITIVE_INFINITY } = relay
    const hasEnded = clock.monotonic() - held.leasedAt >= lease
    if (hasEnded || held.mayBeReleased) held.lose(held.status)
    else held.keep()
  }
}
