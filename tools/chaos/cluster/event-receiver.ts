import {
  type IncomingWebhook,
  startWebhookReceiver,
  type WebhookReceiver,
  type WebhookReply,
} from '../../../src/cli/hook/webhook-receiver.js'
import type { ProcessedEvent } from '../events/check-subscription.js'
import { parseReceivedWebhook } from '../events/received-webhook.js'

/** The receiver of one subscription: records what arrives, in order. */
export class EventReceiver {
  readonly event: string
  readonly arrivals: ProcessedEvent[] = []
  readonly messages = new Set<string>()
  #server: WebhookReceiver | undefined

  constructor(event: string) {
    this.event = event
  }

  /** Resolves to the URL to subscribe. */
  async start(): Promise<string> {
    const onWebhook = async (arrived: IncomingWebhook): Promise<WebhookReply> => {
      const webhook = parseReceivedWebhook(arrived)
      if (webhook === undefined) throw new Error(`${this.event} got ${arrived.url}.`)
      const { id, sequence, previous, message } = webhook
      this.arrivals.push({ id, sequence, previous, message: message ?? '' })
      this.messages.add(message ?? '')
      return { status: 200 }
    }
    this.#server = await startWebhookReceiver({ host: '127.0.0.1', port: 0, onWebhook })
    return `${this.#server.url}/${this.event}`
  }

  async stop(): Promise<void> {
    await this.#server?.close()
  }
}
