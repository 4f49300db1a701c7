import type { MessageFields } from '../../contract/message-schema.js'
import { withGrace, withSignal } from '../../util/async/abort.js'
import { backoff } from '../../util/async/backoff.js'
import { explained, requestedWait, sentence, verdict } from '../relay/relay-error.js'
import type { PhoneContext } from './worker-context.js'

const polling = { first: 1000, most: 10_000 }
const shortest = 1000
const lastChance = 2000

/** Asks a relay for messages, one at a time, through its outages. */
export class Taker {
  readonly #context: PhoneContext
  #ready = false
  #idle = false
  #hurried = 0

  constructor(context: PhoneContext) {
    this.#context = context
  }

  /**
   * The next message; undefined when the loop was asked to stop, or in `once` mode nothing is due. Throws
   * RelayError when the relay will never give one.
   *
   * @param pressing for a message this loop has had already, which waits for no pace and no end of quiet hours
   */
  async take(pressing = false): Promise<MessageFields | undefined> {
    const { stop, once, turn } = this.#context
    for (let first = pressing; !stop.aborted; first = false) {
      const message = (await this.#mayAsk(first)) ? await this.#ask() : undefined
      if (message === undefined) turn.end(0)
      if (message !== undefined || once) return message
    }
    return undefined
  }

  async #mayAsk(pressing: boolean): Promise<boolean> {
    const { stop, once, turn, calm, line, presence, emit } = this.#context
    const onWait = (wait: number, limit: string) => emit({ event: 'paced', wait, limit })
    const enter = async () =>
      await presence.waits(async () => await turn.enter({ stop, pressing, once, onWait }))
    const lineReady = async () => await presence.waits(async () => await line.ready(stop, once))
    if (pressing) return await enter()
    const isQuiet = calm.isOn()
    if (once && isQuiet) return false
    if (isQuiet) await presence.rests(async () => await calm.wait())
    // A message that cannot be sent is left to other phones.
    if (!(await lineReady()) || !(await enter())) return false
    // The pace may have lasted into quiet hours.
    return !calm.isOn() && !line.isDown
  }

  async #ask(): Promise<MessageFields | undefined> {
    const { stop, once, relay, calm, pause } = this.#context
    // Held open only when nothing is known to wait, so that `ready` and `idle` are told without delay.
    const wait = this.#idle ? calm.shorten(this.#context.wait) : 0
    if (this.#idle && wait < 1 && this.#context.wait >= 1) {
      await pause(shortest, stop)
      return undefined
    }
    try {
      return await this.#poll(wait)
    } catch (error) {
      if (stop.aborted) return await this.#lastAsk()
      if (once || verdict(error) !== 'temporary') throw explained(error)
      if (relay.begin()) this.#context.emit({ event: 'offline', error: sentence(error) })
      await relay.wait(stop, requestedWait(error))
      return undefined
    }
  }

  async #poll(wait: number): Promise<MessageFields | undefined> {
    const { client, stop, now, presence } = this.#context
    const began = now()
    const ask = async (signal: AbortSignal) => await client.nextMessage({ wait, signal })
    const message = await presence.asks(async () => await withSignal([stop], ask))
    this.#answered(message)
    if (message === undefined && wait > 0) await this.#restBetweenPolls(now() - began)
    return message
  }

  #answered(message: MessageFields | undefined): void {
    const { relay, emit, driver, stop } = this.#context
    if (relay.end()) emit({ event: 'online' })
    if (!this.#ready) emit({ event: 'ready', driver: driver.name })
    this.#ready = true
    if (message === undefined && !this.#idle && !stop.aborted) emit({ event: 'idle' })
    this.#idle = message === undefined
    if (message !== undefined) this.#hurried = 0
  }

  /** A relay that does not hold a NEXT open is polled at a bearable rate. */
  async #restBetweenPolls(held: number): Promise<void> {
    const { pause, random, stop } = this.#context
    this.#hurried = held < shortest ? this.#hurried + 1 : 0
    if (this.#hurried > 0) await pause(backoff(this.#hurried, random(), polling), stop)
  }

  /**
   * A NEXT that was cut off by the stop may have leased a message that is on its way here. The same token gets the
   * same message, so it is asked for once more, and given back or sent instead of being left leased to nobody.
   */
  async #lastAsk(): Promise<MessageFields | undefined> {
    const { client, stop, force, pause } = this.#context
    try {
      return await withGrace(stop, lastChance, pause, late =>
        withSignal([force, late], signal => client.nextMessage({ signal })),
      )
    } catch {
      return undefined
    }
  }
}
