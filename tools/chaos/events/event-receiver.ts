import { setTimeout as sleep } from 'node:timers/promises'
import { parseReceivedWebhook } from '../../../src/cli/hook/receive/received-webhook.js'
import {
  type IncomingWebhook,
  startWebhookReceiver,
  type WebhookReceiver,
  type WebhookReply,
} from '../../../src/cli/hook/webhook-receiver.js'
import type { Random } from '../random.js'
import type { Arrival } from './judge-subscription.js'
import type { SubscriptionPlan } from './scale.js'

/**
 * Faults of a receiver. `stall` sends nothing for a while and closes the connection, before or
 * after it has processed the webhook; `time-out` sends nothing until the relay gives up.
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

export type FaultKind = (typeof faultKinds)[number]

/** Probability of a fault; with the limit below a tenth of all webhooks fails. */
const faultShare = 0.103
/** Consecutive faults: the third retry would wait 30 seconds, the fourth two minutes. */
const maxConsecutive = 2
/** Longest stall, in milliseconds. */
const longestStall = 800
/** Milliseconds; the relay gives up after 15 s. */
const tooLong = 17_000
/** One in so many faults is a time-out, up to the number that the receiver may have. */
const timeOutEvery = 40
const otherKinds = faultKinds.length - 1

/** The receiver of one subscription, which sometimes fails; records processed webhooks. */
export class EventReceiver {
  readonly plan: SubscriptionPlan
  readonly name: string
  readonly arrivals: Arrival[] = []
  readonly faults = new Map<FaultKind, number>()
  /** Number of whole requests. */
  webhooks = 0
  /** Number of requests answered with 200. */
  answered = 0
  /** Different messages that were processed. */
  readonly messages = new Set<string>()
  readonly #random: Random
  #server: WebhookReceiver | undefined
  #consecutive = 0
  #timeOuts: number

  /** @param timeOuts maximum number; each takes 16 seconds */
  constructor(name: string, plan: SubscriptionPlan, timeOuts: number, random: Random) {
    this.#timeOuts = timeOuts
    this.name = name
    this.plan = plan
    this.#random = random
  }

  /** Listens; resolves to the address for the subscription. */
  async start(): Promise<string> {
    const reply = (webhook: IncomingWebhook): Promise<WebhookReply> => this.#reply(webhook)
    this.#server = await startWebhookReceiver({ host: '127.0.0.1', port: 0, onWebhook: reply })
    return `${this.#server.url}/subscription/${this.name}`
  }

  async stop(): Promise<void> {
    await this.#server?.close()
  }

  async #reply(arrived: IncomingWebhook): Promise<WebhookReply> {
    this.webhooks += 1
    const fault = this.#fault()
    if (fault === undefined) {
      this.#process(arrived)
      this.answered += 1
      return { status: 200 }
    }
    this.faults.set(fault, (this.faults.get(fault) ?? 0) + 1)
    if (fault.endsWith('after') || fault === 'time-out') this.#process(arrived)
    const stall = this.#random.below(longestStall)
    if (fault.startsWith('stall')) await sleep(stall)
    if (fault === 'time-out') await sleep(tooLong, undefined, { ref: false })
    const status = Number(fault)
    if (Number.isNaN(status)) return { status: null }
    return { status, headers: status === 500 ? {} : { 'retry-after': '1' } }
  }

  #fault(): FaultKind | undefined {
    const isFaulty = this.#consecutive < maxConsecutive && this.#random.fraction() < faultShare
    this.#consecutive = isFaulty ? this.#consecutive + 1 : 0
    if (!isFaulty) return undefined
    if (this.#timeOuts > 0 && this.#random.below(timeOutEvery) === 0) {
      this.#timeOuts -= 1
      return 'time-out'
    }
    return faultKinds[this.#random.below(otherKinds)]
  }

  #process(arrived: IncomingWebhook): void {
    const webhook = parseReceivedWebhook(arrived)
    const { method } = this.plan
    if (
      webhook === undefined ||
      arrived.method !== method ||
      webhook.address !== `${method} ${this.path}`
    ) {
      throw new Error(`${this.name} got ${arrived.method} ${arrived.url}.`)
    }
    const { id, sequence, previous, message } = webhook
    this.arrivals.push({ id, sequence, previous, message: message ?? '' })
    this.messages.add(message ?? '')
  }

  get path(): string {
    return `/subscription/${this.name}`
  }
}
