import type { MessageFields } from '../../contract/message-schema.js'
import { errorText } from '../../errors.js'
import { runWithGrace, runWithSignal } from '../../util/async/abort.js'
import { getBackoff } from '../../util/async/backoff.js'
import type { RateReservation } from '../rate-limit/rate-limiter.js'
import { classifyRelayError, explainRelayError, getRequestedWait } from '../relay/relay-error.js'
import type { DispatchContext } from './dispatch-context.js'

/** Milliseconds. */
const pollingDelays = { first: 1000, max: 10_000 }
const minPollDuration = 1000
const lastFetchTimeout = 2000

export interface FetchedMessage {
  readonly message: MessageFields
  readonly reservation?: RateReservation | undefined
}

/** Fetches messages in batches, each when quiet hours, driver and rate limit allow it. */
export class MessageFetcher {
  readonly #context: DispatchContext
  readonly #isKnown: (id: string) => boolean
  #isReady = false
  #isEmpty = false
  #shortPolls = 0
  #isFetching = false
  #isClaiming = false
  #isCancelled = false
  #claim: { readonly cancel: AbortController; readonly ended: Promise<unknown> } | undefined

  constructor(context: DispatchContext, isKnown: (id: string) => boolean) {
    this.#context = context
    this.#isKnown = isKnown
  }

  get isEmpty(): boolean {
    return this.#isEmpty
  }

  /** Whether a NEXT is in progress that does not wait for a message. */
  get isClaiming(): boolean {
    return this.#isClaiming
  }

  /** Ends a NEXT in progress before a release, so that it does not get the released messages. */
  async cancel(): Promise<void> {
    if (this.#claim === undefined) return
    this.#isCancelled = true
    this.#claim.cancel.abort()
    await this.#claim.ended
  }

  /**
   * Fetches up to `count` messages. Empty after a stop, if no message is due, or if none may be
   * sent now. Throws RelayError if the relay rejects the keys.
   */
  async fetch(count: number): Promise<readonly FetchedMessage[]> {
    const reservations = await this.#waitUntilSendable(count)
    if (reservations === undefined) return []
    const messages = await this.#fetchOnce(reservations.length)
    const spare = reservations.slice(messages.length)
    for (const reservation of spare) reservation?.finish(0)
    return messages.map((message, index) => ({ message, reservation: reservations[index] }))
  }

  /**
   * The NEXT that a stop cancelled may have leased messages. Their number is not the last one that
   * the phone has seen, so one more NEXT gives them again, to be released.
   */
  async fetchLast(count: number): Promise<readonly MessageFields[]> {
    const { relay, stop, force, clock } = this.#context
    if (!this.#isFetching) return []
    try {
      return await runWithGrace(stop, lastFetchTimeout, clock.sleep, deadline =>
        runWithSignal(
          [force, deadline],
          async signal => await relay.claim({ count, wait: 0, signal }),
        ),
      )
    } catch {
      return []
    }
  }

  async #waitUntilSendable(
    count: number,
  ): Promise<readonly (RateReservation | undefined)[] | undefined> {
    const { stop, once, quietHours, driverStatus, presence } = this.#context
    const isQuiet = quietHours.isQuiet()
    if (once && isQuiet) return undefined
    if (isQuiet) await presence.trackQuietHours(async () => await quietHours.waitForEnd())
    // While the driver cannot send, the phone leaves messages to other phones.
    const isReady = await presence.trackWait(
      async () => await driverStatus.waitUntilReady(stop, once),
    )
    const reservations = isReady ? await this.#reserve(count) : undefined
    if (reservations === undefined) return undefined
    // The wait for the rate limit may have lasted into quiet hours.
    if (!quietHours.isQuiet() && !driverStatus.isDown && !stop.aborted) return reservations
    for (const reservation of reservations) reservation?.finish(0)
    return undefined
  }

  async #reserve(count: number): Promise<readonly (RateReservation | undefined)[] | undefined> {
    const { stop, once, rateLimiter, presence, emit } = this.#context
    if (rateLimiter === undefined) return Array.from({ length: count }, () => undefined)
    const onWait = (wait: number, limit: string) => emit({ event: 'paced', wait, limit })
    const first = rateLimiter.createReservation()
    const isReserved = await presence.trackWait(
      async () => await first.reserve({ stop, once, onWait }),
    )
    if (!isReserved) return undefined
    const reservations = [first]
    while (reservations.length < count) {
      const reservation = rateLimiter.createReservation()
      if (!reservation.tryReserve()) break
      reservations.push(reservation)
    }
    return reservations
  }

  async #fetchOnce(count: number): Promise<readonly MessageFields[]> {
    const { stop, once, relayBackoff, quietHours, clock, emit } = this.#context
    // The phone's first NEXT does not wait, so that `ready` and `idle` are reported without delay.
    const wait = this.#isEmpty ? quietHours.limitWait(this.#context.wait) : 0
    if (this.#isEmpty && wait < 1 && this.#context.wait >= 1) {
      await clock.sleep(minPollDuration, stop)
      return []
    }
    try {
      return await this.#poll(count, wait)
    } catch (error) {
      if (stop.aborted) return []
      if (this.#isCancelled) return await this.fetchLast(count)
      this.#isFetching = false
      if (once || classifyRelayError(error) !== 'temporary') throw explainRelayError(error)
      if (relayBackoff.recordFailure()) emit({ event: 'offline', error: errorText(error) })
      await relayBackoff.wait(stop, getRequestedWait(error))
      return []
    }
  }

  async #poll(count: number, wait: number): Promise<readonly MessageFields[]> {
    const { clock, presence } = this.#context
    const startedAt = clock.monotonic()
    this.#isFetching = true
    this.#isCancelled = false
    this.#isClaiming = wait === 0
    const messages = await presence.trackRequest(async () => await this.#claimBatch(count, wait))
    this.#isFetching = false
    const hasNew = messages.some(({ id }) => !this.#isKnown(id))
    this.#noteReply(hasNew)
    this.#isEmpty = !hasNew || messages.length < count
    if (!hasNew && wait > 0) await this.#pauseBetweenPolls(clock.monotonic() - startedAt)
    return messages
  }

  async #claimBatch(count: number, wait: number): Promise<readonly MessageFields[]> {
    const { relay, stop } = this.#context
    const cancel = new AbortController()
    const claiming = runWithSignal(
      [stop, cancel.signal],
      async signal => await relay.claim({ count, wait, signal }),
    )
    this.#claim = { cancel, ended: claiming.catch(() => {}) }
    try {
      return await claiming
    } finally {
      this.#claim = undefined
      this.#isClaiming = false
    }
  }

  #noteReply(hasNew: boolean): void {
    const { relayBackoff, emit, driver } = this.#context
    if (relayBackoff.recordSuccess()) emit({ event: 'online' })
    if (!this.#isReady) emit({ event: 'ready', driver: driver.name })
    this.#isReady = true
    if (hasNew) this.#shortPolls = 0
  }

  /** Limits the phone's polls at a relay that does not keep a NEXT open. */
  async #pauseBetweenPolls(duration: number): Promise<void> {
    const { clock, random, stop } = this.#context
    this.#shortPolls = duration < minPollDuration ? this.#shortPolls + 1 : 0
    if (this.#shortPolls === 0) return
    await clock.sleep(getBackoff(this.#shortPolls, random(), pollingDelays), stop)
  }
}
