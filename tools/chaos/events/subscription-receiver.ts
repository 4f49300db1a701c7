import { setTimeout as sleep } from 'node:timers/promises'
import {
  type IncomingWebhook,
  startWebhookReceiver,
  type WebhookReceiver,
  type WebhookReply,
} from '../../../src/cli/hook/webhook-receiver.js'
import type { Random } from '../random.js'
import type { ProcessedEvent } from './check-subscription.js'
import { parseReceivedWebhook } from './received-webhook.js'
import type { SubscriptionPlan } from './scale.js'

/**
 * What a receiver does wrong. `stall` waits and closes the connection, before or after processing;
 * `time-out` waits until the relay gives up.
 */
export const receiverFaults = [
  '500',
  '503',
  '429',
  'reset before',
  'reset after',
  'stall before',
  'stall after',
  'time-out',
] as const

export type ReceiverFault = (typeof receiverFaults)[number]

/** Share of webhooks that fail: with {@link maxFaultsInARow}, a tenth of all. */
const faultShare = 0.103
/** The third retry would wait 30 seconds, the fourth two minutes. */
const maxFaultsInARow = 2
/** Milliseconds. */
const maxStall = 800
/** Milliseconds; the relay gives up after 15 s. */
const timeOutDelay = 17_000
/** One of this many faults is a time-out, while the subscription may have more of them. */
const timeOutEvery = 40
const timeOutIndex = receiverFaults.length - 1

/** The receiver of one subscription: fails now and then, and records what it processed. */
export class SubscriptionReceiver {
  readonly plan: SubscriptionPlan
  readonly name: string
  readonly arrivals: ProcessedEvent[] = []
  readonly faults = new Map<ReceiverFault, number>()
  /** Complete requests. */
  requests = 0
  /** Requests with the reply 200. */
  answered = 0
  /** The messages that were processed. */
  readonly messages = new Set<string>()
  readonly #random: Random
  #server: WebhookReceiver | undefined
  #faultsInARow = 0
  #timeOuts: number

  /** @param timeOuts maximum number of time-outs; each delays the subscription by 16 seconds */
  constructor(name: string, plan: SubscriptionPlan, timeOuts: number, random: Random) {
    this.#timeOuts = timeOuts
    this.name = name
    this.plan = plan
    this.#random = random
  }

  /** Resolves to the URL to subscribe. */
  async start(): Promise<string> {
    const reply = (webhook: IncomingWebhook): Promise<WebhookReply> => this.#reply(webhook)
    this.#server = await startWebhookReceiver({ host: '127.0.0.1', port: 0, onWebhook: reply })
    return `${this.#server.url}/subscription/${this.name}`
  }

  async stop(): Promise<void> {
    await this.#server?.close()
  }

  async #reply(arrived: IncomingWebhook): Promise<WebhookReply> {
    this.requests += 1
    const fault = this.#chooseFault()
    if (fault === undefined) {
      this.#process(arrived)
      this.answered += 1
      return { status: 200 }
    }
    this.faults.set(fault, (this.faults.get(fault) ?? 0) + 1)
    if (fault.endsWith('after') || fault === 'time-out') this.#process(arrived)
    const stall = this.#random.below(maxStall)
    if (fault.startsWith('stall')) await sleep(stall)
    if (fault === 'time-out') await sleep(timeOutDelay, undefined, { ref: false })
    const status = Number(fault)
    if (Number.isNaN(status)) return { status: null }
    return { status, headers: status === 500 ? {} : { 'retry-after': '1' } }
  }

  #chooseFault(): ReceiverFault | undefined {
    const isWrong = this.#faultsInARow < maxFaultsInARow && this.#random.fraction() < faultShare
    this.#faultsInARow = isWrong ? this.#faultsInARow + 1 : 0
    if (!isWrong) return undefined
    if (this.#timeOuts > 0 && this.#random.below(timeOutEvery) === 0) {
      this.#timeOuts -= 1
      return 'time-out'
    }
    return receiverFaults[this.#random.below(timeOutIndex)]
  }

  #process(arrived: IncomingWebhook): void {
    const webhook = parseReceivedWebhook(arrived)
    const { method } = this.plan
    if (webhook === undefined || arrived.method !== method || !arrived.url.startsWith(this.path)) {
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
