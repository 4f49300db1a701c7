import { setTimeout as sleep } from 'node:timers/promises'
import type { Integrator } from '../harness/integrator.js'
import type { Random } from '../random.js'
import type { SubscriptionReceiver } from './subscription-receiver.js'

const succeeds = '+12025551212'
const fails = '+12025551213'
const blocked = '+999000005551212'
const attempts = 5
const workers = 4
/** Milliseconds. */
const pollInterval = 25

/**
 * The load of one account: creates messages, reports on them, and records what was acknowledged.
 */
export class AccountLoad {
  readonly receivers: readonly SubscriptionReceiver[]
  readonly integrator: Integrator
  /** Message identifiers by event. */
  readonly acknowledged = new Map<string, string[]>()
  readonly #random: Random
  readonly #messages: number
  readonly #maxAhead: number
  #made = 0

  /**
   * @param messages how many it creates; at most a tenth of them are ahead of the slowest receiver
   */
  constructor(
    integrator: Integrator,
    receivers: readonly SubscriptionReceiver[],
    messages: number,
    random: Random,
  ) {
    this.integrator = integrator
    this.receivers = receivers
    this.#messages = messages
    this.#maxAhead = Math.max(Math.ceil(messages / 10), 20)
    this.#random = random
  }

  /**
   * Subscribes every receiver, and puts a number on the Do Not Text list if one needs
   * message.blocked.
   */
  async subscribe(): Promise<void> {
    if (this.#hasAll) await this.integrator.block(blocked)
    for (const receiver of this.receivers) {
      const { event, post, method } = receiver.plan
      await this.integrator.subscribe(event, await receiver.start(), post, method)
    }
  }

  /** Creates all messages; resolves when the last event is acknowledged. */
  async createMessages(signal: AbortSignal): Promise<void> {
    await Promise.all(Array.from({ length: workers }, () => this.#createUntilDone(signal)))
  }

  /** The number of acknowledged events that this receiver must get. */
  countAcknowledged(receiver: SubscriptionReceiver): number {
    return this.acknowledged.get(receiver.plan.event)?.length ?? 0
  }

  get #hasAll(): boolean {
    return this.receivers.some(({ plan }) => plan.event === 'message.blocked')
  }

  async #createUntilDone(signal: AbortSignal): Promise<void> {
    while (this.#made < this.#messages) {
      signal.throwIfAborted()
      if (this.#isFarAhead()) {
        await sleep(pollInterval, undefined, { signal })
        continue
      }
      this.#made += 1
      await this.#causeEvents(`event ${this.#made}`, signal)
    }
  }

  #isFarAhead(): boolean {
    return this.receivers.some(
      receiver => this.countAcknowledged(receiver) - receiver.messages.size > this.#maxAhead,
    )
  }

  async #causeEvents(text: string, signal: AbortSignal): Promise<void> {
    const chance = this.#hasAll ? this.#random.fraction() : 0
    const number = chance < 0.6 ? succeeds : chance < 0.8 ? fails : blocked
    const { id } = await this.integrator.create(text, number, signal)
    this.#note('message.create', id)
    if (number === blocked) this.#note('message.blocked', id)
    if (number === succeeds) {
      await this.integrator.report(id, 'success', signal)
      this.#note('message.sent', id)
    }
    if (number === fails) {
      for (let left = attempts; left > 0; left -= 1) {
        await this.integrator.report(id, 'failure', signal)
      }
      this.#note('message.failed', id)
    }
  }

  #note(event: string, id: string): void {
    const ids = this.acknowledged.get(event) ?? []
    this.acknowledged.set(event, ids)
    ids.push(id)
  }
}
