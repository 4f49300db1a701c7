import { setTimeout as sleep } from 'node:timers/promises'
import { parseReceivedWebhook } from '../../../src/cli/hook/receive/received-webhook.js'
import {
  type IncomingWebhook,
  startWebhookReceiver,
  type WebhookReceiver,
  type WebhookReply,
} from '../../../src/cli/hook/webhook-receiver.js'
import type { Random } from '../random.js'
import type { LaneArrival } from './judge.js'
import type { LanePlan } from './scale.js'

/**
 * What a receiver does wrong. `stall` says nothing for a while and hangs up, before or after the work; `time-out` says
 * nothing until the service gives up.
 */
export const faultKinds = [
  '500',
  '503',
  '429',
  'reset before',
  'reset after',
  'stall before',
  'stall after',
  'time-out',
] as const

/** One of {@link faultKinds}. */
export type FaultKind = (typeof faultKinds)[number]

/** Share of hits that go wrong: with the bound below it is a tenth of all. */
const share = 0.103
/** Faults in a row: the third retry would wait 30 seconds, the fourth two minutes. */
const inARow = 2
/** Milliseconds, at most, that a stall takes. */
const longestStall = 800
/** Longer than the 15 s after which the service gives up. */
const tooLong = 17_000
/** One in so many faults is a time-out, as far as a lane is to have some. */
const timeOutEvery = 40
const ordinary = faultKinds.length - 1

/** The receiver of one subscription: fails now and then, and keeps what it worked on. */
export class EventLane {
  readonly plan: LanePlan
  readonly name: string
  readonly arrivals: LaneArrival[] = []
  readonly faults = new Map<FaultKind, number>()
  /** Requests that came, whole. */
  hits = 0
  /** Those that were answered 200. */
  answered = 0
  /** Different messages that were worked on. */
  readonly messages = new Set<string>()
  readonly #random: Random
  #server: WebhookReceiver | undefined
  #row = 0
  #timeOuts: number

  /** @param timeOuts how many there are at most: each holds the lane up for 16 seconds */
  constructor(name: string, plan: LanePlan, timeOuts: number, random: Random) {
    this.#timeOuts = timeOuts
    this.name = name
    this.plan = plan
    this.#random = random
  }

  /** Listens; resolves to the address to subscribe. */
  async start(): Promise<string> {
    const answer = (hit: IncomingWebhook): Promise<WebhookReply> => this.#answer(hit)
    this.#server = await startWebhookReceiver({ host: '127.0.0.1', port: 0, onWebhook: answer })
    return `${this.#server.url}/lane/${this.name}`
  }

  /** Ends it. */
  async stop(): Promise<void> {
    await this.#server?.close()
  }

  async #answer(arrived: IncomingWebhook): Promise<WebhookReply> {
    this.hits += 1
    const fault = this.#fault()
    if (fault === undefined) {
      this.#work(arrived)
      this.answered += 1
      return { status: 200 }
    }
    this.faults.set(fault, (this.faults.get(fault) ?? 0) + 1)
    if (fault.endsWith('after') || fault === 'time-out') this.#work(arrived)
    const stall = this.#random.below(longestStall)
    if (fault.startsWith('stall')) await sleep(stall)
    if (fault === 'time-out') await sleep(tooLong, undefined, { ref: false })
    const status = Number(fault)
    if (Number.isNaN(status)) return { status: null }
    return { status, headers: status === 500 ? {} : { 'retry-after': '1' } }
  }

  #fault(): FaultKind | undefined {
    const isWrong = this.#row < inARow && this.#random.fraction() < share
    this.#row = isWrong ? this.#row + 1 : 0
    if (!isWrong) return undefined
    if (this.#timeOuts > 0 && this.#random.below(timeOutEvery) === 0) {
      this.#timeOuts -= 1
      return 'time-out'
    }
    return faultKinds[this.#random.below(ordinary)]
  }

  #work(arrived: IncomingWebhook): void {
    const hit = parseReceivedWebhook(arrived)
    const { method } = this.plan
    if (
      hit === undefined ||
      arrived.method !== method ||
      hit.address !== `${method} ${this.path}`
    ) {
      throw new Error(`${this.name} was hit with ${arrived.method} ${arrived.url}.`)
    }
    const { id, sequence, previous, message } = hit
    this.arrivals.push({ id, sequence, previous, message: message ?? '' })
    this.messages.add(message ?? '')
  }

  /** The path of its address. */
  get path(): string {
    return `/lane/${this.name}`
  }
}
