import type { MessageFields } from '../../contract/message-schema.js'
import { errorText } from '../../errors.js'
import { runWithGrace, runWithSignal } from '../../util/async/abort.js'
import { getBackoff } from '../../util/async/backoff.js'
import { classifyRelayError, explainRelayError, getRequestedWait } from '../relay/relay-error.js'
import type { WorkerContext } from './worker-context.js'

/** Milliseconds. */
const pollingDelays = { first: 1000, max: 10_000 }
const minPollDuration = 1000
const lastFetchTimeout = 2000

/** Fetches messages for a phone worker, one at a time; retries while the relay is down. */
export class MessageFetcher {
  readonly #context: WorkerContext
  readonly #onEmpty: () => Promise<unknown>
  #isReady = false
  #isIdle = false
  #shortPolls = 0

  /** @param onEmpty called when the relay has no message for the worker */
  constructor(context: WorkerContext, onEmpty: () => Promise<unknown>) {
    this.#context = context
    this.#onEmpty = onEmpty
  }

  /**
   * Fetches the next message from the relay. Undefined after a stop, or with `once` if no message
   * is due. Throws RelayError if the relay rejects the keys.
   * @param isHeld whether the worker already holds a message; then it does not wait for limits
   */
  async fetch(isHeld = false): Promise<MessageFields | undefined> {
    const { stop, once, reservation } = this.#context
    for (let immediate = isHeld; !stop.aborted; immediate = false) {
      const message = (await this.#waitUntilSendable(immediate))
        ? await this.#fetchOnce()
        : undefined
      if (message === undefined) reservation.finish(0)
      if (message !== undefined || once) return message
    }
    return undefined
  }

  async #waitUntilSendable(immediate: boolean): Promise<boolean> {
    const { stop, once, quietHours, driverStatus, presence } = this.#context
    if (immediate) return await this.#reserve(immediate)
    const isQuiet = quietHours.isQuiet()
    if (once && isQuiet) return false
    if (isQuiet) await presence.trackQuietHours(async () => await quietHours.waitForEnd())
    // While the driver cannot send, the worker leaves messages to other phones.
    const isReady = await presence.trackWait(
      async () => await driverStatus.waitUntilReady(stop, once),
    )
    if (!isReady || !(await this.#reserve(immediate))) return false
    // The phone's wait for the rate limit may have lasted into quiet hours.
    return !quietHours.isQuiet() && !driverStatus.isDown
  }

  async #reserve(immediate: boolean): Promise<boolean> {
    const { stop, once, reservation, presence, emit } = this.#context
    const onWait = (wait: number, limit: string) => emit({ event: 'paced', wait, limit })
    return await presence.trackWait(
      async () => await reservation.reserve({ stop, immediate, once, onWait }),
    )
  }

  async #fetchOnce(): Promise<MessageFields | undefined> {
    const { stop, once, relayBackoff, quietHours, clock, emit } = this.#context
    // The worker's first NEXT does not wait, so that `ready` and `idle` are reported without delay.
    const wait = this.#isIdle ? quietHours.limitWait(this.#context.wait) : 0
    if (this.#isIdle && wait < 1 && this.#context.wait >= 1) {
      await clock.sleep(minPollDuration, stop)
      return undefined
    }
    try {
      return await this.#poll(wait)
    } catch (error) {
      if (stop.aborted) return await this.#fetchLast()
      if (once || classifyRelayError(error) !== 'temporary') throw explainRelayError(error)
      if (relayBackoff.recordFailure()) emit({ event: 'offline', error: errorText(error) })
      await relayBackoff.wait(stop, getRequestedWait(error))
      return undefined
    }
  }

  async #poll(wait: number): Promise<MessageFields | undefined> {
    const { client, stop, clock, presence } = this.#context
    const startedAt = clock.monotonic()
    const requestNext = async (signal: AbortSignal) => await client.messages.next({ wait, signal })
    const message = await presence.trackRequest(
      async () => await runWithSignal([stop], requestNext),
    )
    this.#emitState(message)
    if (message === undefined) await this.#onEmpty()
    if (message === undefined && wait > 0) {
      await this.#pauseBetweenPolls(clock.monotonic() - startedAt)
    }
    return message
  }

  #emitState(message: MessageFields | undefined): void {
    const { relayBackoff, emit, driver, stop } = this.#context
    if (relayBackoff.recordSuccess()) emit({ event: 'online' })
    if (!this.#isReady) emit({ event: 'ready', driver: driver.name })
    this.#isReady = true
    if (message === undefined && !this.#isIdle && !stop.aborted) emit({ event: 'idle' })
    this.#isIdle = message === undefined
    if (message !== undefined) this.#shortPolls = 0
  }

  /** Limits the worker's polls at a relay that does not keep a NEXT open. */
  async #pauseBetweenPolls(duration: number): Promise<void> {
    const { clock, random, stop } = this.#context
    this.#shortPolls = duration < minPollDuration ? this.#shortPolls + 1 : 0
    if (this.#shortPolls === 0) return
    await clock.sleep(getBackoff(this.#shortPolls, random(), pollingDelays), stop)
  }

  /**
   * The NEXT that a stop cancelled may have leased a message. The same token gets the same message
   * again, so one more NEXT fetches it, to be sent or released instead of staying leased.
   */
  async #fetchLast(): Promise<MessageFields | undefined> {
    const { client, stop, force, clock } = this.#context
    try {
      return await runWithGrace(stop, lastFetchTimeout, clock.sleep, deadline =>
        runWithSignal([force, deadline], signal => client.messages.next({ signal })),
      )
    } catch {
      return undefined
    }
  }
}
