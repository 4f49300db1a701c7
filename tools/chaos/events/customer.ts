import { setTimeout as sleep } from 'node:timers/promises'
import type { Random } from '../random.js'
import type { Integrator } from '../world/integrator.js'
import type { EventLane } from './event-lane.js'

const succeeds = '+12025551212'
const fails = '+12025551213'
const blocked = '+999000005551212'
const attempts = 5
const workers = 4
/** Milliseconds between two looks at how far the lanes are. */
const lookEvery = 25

/** An account: makes messages, settles each, and notes what was acknowledged. */
export class Customer {
  readonly lanes: readonly EventLane[]
  readonly integrator: Integrator
  /** Identifiers of the messages of each event, as acknowledged. */
  readonly acknowledged = new Map<string, string[]>()
  readonly #random: Random
  readonly #wanted: number
  readonly #ahead: number
  #made = 0

  /** @param messages how many it makes; it never is further ahead of its lanes than a tenth of them */
  constructor(
    integrator: Integrator,
    lanes: readonly EventLane[],
    messages: number,
    random: Random,
  ) {
    this.integrator = integrator
    this.lanes = lanes
    this.#wanted = messages
    this.#ahead = Math.max(Math.ceil(messages / 10), 20)
    this.#random = random
  }

  /** Subscribes every lane, and has a number on the Do Not Text list where a lane wants to know of it. */
  async begin(): Promise<void> {
    if (this.#hasAll) await this.integrator.block(blocked)
    for (const lane of this.lanes) {
      const { event, post, method } = lane.plan
      await this.integrator.subscribe(event, await lane.start(), post, method)
    }
  }

  /** Makes all messages; resolves when the last event is acknowledged. */
  async work(signal: AbortSignal): Promise<void> {
    await Promise.all(Array.from({ length: workers }, () => this.#work(signal)))
  }

  /** How many messages a lane has to tell of, as far as acknowledged. */
  due(lane: EventLane): number {
    return this.acknowledged.get(lane.plan.event)?.length ?? 0
  }

  get #hasAll(): boolean {
    return this.lanes.some(({ plan }) => plan.event === 'message.blocked')
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
    return this.lanes.some(lane => this.due(lane) - lane.messages.size > this.#ahead)
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
