import type { MessageFields } from '../../contract/message-schema.js'
import { errorText } from '../../errors.js'
import { runWithGrace, runWithSignal } from '../../util/async/abort.js'
import { getBackoff } from '../../util/async/backoff.js'
import { classifyRelayError, explainRelayError, getRequestedWait } from '../relay/relay-error.js'
import type { WorkerContext } from './worker-context.js'

const pollingDelays = { first: 1000, max: 10_000 }
const minPollDuration = 1000
const lastFetchTimeout = 2000

/** Asks a relay for messages, one at a time, through its outages. */
export class MessageFetcher {
  readonly #context: WorkerContext
  #ready = false
  #idle = false
  #hurried = 0

  constructor(context: WorkerContext) {
    this.#context = context
  }

  /**
   * The next message; undefined when the loop was asked to stop, or in `once` mode nothing is due. Throws
   * RelayError when the relay will never give one.
   *
   * @param pressing for a message this loop has had already, which waits for no pace and no end of quiet hours
   */
  async fetch(pressing = false): Promise<MessageFields | undefined> {
    const { stop, once, reservation: turn } = this.#context
    for (let first = pressing; !stop.aborted; first = false) {
      const message = (await this.#mayAsk(first)) ? await this.#ask() : undefined
      if (message === undefined) turn.finish(0)
      if (message !== undefined || once) return message
    }
    return undefined
  }

  async #mayAsk(pressing: boolean): Promise<boolean> {
    const {
      stop,
      once,
      reservation: turn,
      quietHours: calm,
      driverStatus: line,
      presence,
      emit,
    } = this.#context
    const onWait = (wait: number, limit: string) => emit({ event: 'paced', wait, limit })
    const enter = async () =>
      await presence.trackWait(async () => await turn.reserve({ stop, pressing, once, onWait }))
    const lineReady = async () =>
      await presence.trackWait(async () => await line.waitUntilReady(stop, once))
    if (pressing) return await enter()
    const isQuiet = calm.isQuiet()
    if (once && isQuiet) return false
    if (isQuiet) await presence.trackQuietHours(async () => await calm.waitForEnd())
    // A message that cannot be sent is left to other phones.
    if (!(await lineReady()) || !(await enter())) return false
    // The pace may have lasted into quiet hours.
    return !calm.isQuiet() && !line.isDown
  }

  async #ask(): Promise<MessageFields | undefined> {
    const { stop, once, relayBackoff: relay, quietHours: calm, pause } = this.#context
    // Held open only when nothing is known to wait, so that `ready` and `idle` are told without delay.
    const wait = this.#idle ? calm.limitWait(this.#context.wait) : 0
    if (this.#idle && wait < 1 && this.#context.wait >= 1) {
      await pause(minPollDuration, stop)
      return undefined
    }
    try {
      return await this.#poll(wait)
    } catch (error) {
      if (stop.aborted) return await this.#lastAsk()
      if (once || classifyRelayError(error) !== 'temporary') throw explainRelayError(error)
      if (relay.recordFailure()) this.#context.emit({ event: 'offline', error: errorText(error) })
      await relay.wait(stop, getRequestedWait(error))
      return undefined
    }
  }

  async #poll(wait: number): Promise<MessageFields | undefined> {
    const { client, stop, now, presence } = this.#context
    const began = now()
    const ask = async (signal: AbortSignal) => await client.messages.next({ wait, signal })
    const message = await presence.trackRequest(async () => await runWithSignal([stop], ask))
    this.#answered(message)
    if (message === undefined && wait > 0) await this.#restBetweenPolls(now() - began)
    return message
  }

  #answered(message: MessageFields | undefined): void {
    const { relayBackoff: relay, emit, driver, stop } = this.#context
    if (relay.recordSuccess()) emit({ event: 'online' })
    if (!this.#ready) emit({ event: 'ready', driver: driver.name })
    this.#ready = true
    if (message === undefined && !this.#idle && !stop.aborted) emit({ event: 'idle' })
    this.#idle = message === undefined
    if (message !== undefined) this.#hurried = 0
  }

  /** A relay that does not hold a NEXT open is polled at a bearable rate. */
  async #restBetweenPolls(held: number): Promise<void> {
    const { pause, random, stop } = this.#context
    this.#hurried = held < minPollDuration ? this.#hurried + 1 : 0
    if (this.#hurried > 0) await pause(getBackoff(this.#hurried, random(), pollingDelays), stop)
  }

  /**
   * A NEXT that was cut off by the stop may have leased a message that is on its way here. The same token gets the
   * same message, so it is asked for once more, and given back or sent instead of being left leased to nobody.
   */
  async #lastAsk(): Promise<MessageFields | undefined> {
    const { client, stop, force, pause } = this.#context
    try {
      return await runWithGrace(stop, lastFetchTimeout, pause, late =>
        runWithSignal([force, late], signal => client.messages.next({ signal })),
      )
    } catch {
      return undefined
    }
  }
}
