import { setTimeout as sleep } from 'node:timers/promises'
import type { Random } from '../random.js'
import type { Integrator } from '../world/integrator.js'
import type { EventReceiver } from './event-receiver.js'

const succeeds = '+12025551212'
const fails = '+12025551213'
const blocked = '+999000005551212'
const attempts = 5
const workers = 4
/** Milliseconds between two checks of the receivers' progress. */
const lookEvery = 25

/** An account that creates messages, reports on each and records acknowledged events. */
export class Customer {
  readonly receivers: readonly EventReceiver[]
  readonly integrator: Integrator
  /** By event: identifiers of the messages whose event was acknowledged. */
  readonly acknowledged = new Map<string, string[]>()
  readonly #random: Random
  readonly #wanted: number
  readonly #ahead: number
  #made = 0

  /** @param messages number to create; at most a tenth of them is ahead of the receivers */
  constructor(
    integrator: Integrator,
    receivers: readonly EventReceiver[],
    messages: number,
    random: Random,
  ) {
    this.integrator = integrator
    this.receivers = receivers
    this.#wanted = messages
    this.#ahead = Math.max(Math.ceil(messages / 10), 20)
    this.#random = random
  }

  /** Subscribes every receiver, and lists a number if a subscription is to blocked messages. */
  async begin(): Promise<void> {
    if (this.#hasAll) await this.integrator.block(blocked)
    for (const receiver of this.receivers) {
      const { event, post, method } = receiver.plan
      await this.integrator.subscribe(event, await receiver.start(), post, method)
    }
  }

  /** Creates all messages; resolves when the last event is acknowledged. */
  async work(signal: AbortSignal): Promise<void> {
    await Promise.all(Array.from({ length: workers }, () => this.#work(signal)))
  }

  /** Number of acknowledged events of a receiver. */
  due(receiver: EventReceiver): number {
    return this.acknowledged.get(receiver.plan.event)?.length ?? 0
  }

  get #hasAll(): boolean {
    return this.receivers.some(({ plan }) => plan.event === 'message.blocked')
  }

  async #work(signal: AbortSignal): Promise<void> {
    while (this.#made < this.#wanted) {
      signal.throwIfAborted()
      if (this.#isFarAhead()) {
        await sleep(lookEvery, undefined, { signal })
        continue
      }
      this.#made += 1
      await this.#cause(`event ${this.#made}`, signal)
    }
  }

  #isFarAhead(): boolean {
    return this.receivers.some(
      receiver => this.due(receiver) - receiver.messages.size > this.#ahead,
    )
  }

  async #cause(text: string, signal: AbortSignal): Promise<void> {
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
