import { randomUUID } from 'node:crypto'
import {
  type IncomingWebhook,
  startWebhookReceiver,
  type WebhookReceiver,
  type WebhookReply,
} from '../../hook/webhook-receiver.js'
import { RuleFailure } from './rule-outcome.js'

export interface WebhookInboxOptions {
  readonly host: string
  /** Port on which `verify` receives webhooks; 0 picks a free one. */
  readonly port: number
  /** Address at which the relay reaches this inbox of `verify`. @default host and port */
  readonly publicUrl?: string | undefined
  readonly wait: number
  readonly signal: AbortSignal
  /** The end of the rule that waits. */
  readonly getLimit: () => AbortSignal | undefined
}

export interface WebhookAddress {
  readonly url: string
  readonly count: number
  next(): Promise<IncomingWebhook>
}

interface Queue {
  readonly waiting: IncomingWebhook[]
  count: number
  notify: () => void
}

export class WebhookInbox {
  readonly #options: WebhookInboxOptions
  readonly #queues = new Map<string, Queue>()
  #receiver: WebhookReceiver | undefined

  constructor(options: WebhookInboxOptions) {
    this.#options = options
  }

  async open(): Promise<WebhookAddress> {
    const { host, port, publicUrl } = this.#options
    const onWebhook = async (webhook: IncomingWebhook): Promise<WebhookReply> =>
      this.#receive(webhook)
    this.#receiver ??= await startWebhookReceiver({ host, port, onWebhook })
    const key = randomUUID()
    const queue: Queue = { waiting: [], count: 0, notify: () => {} }
    this.#queues.set(key, queue)
    const base = publicUrl ?? this.#receiver.url
    return {
      url: `${base}/${key}`,
      next: async () => await this.#take(queue),
      get count() {
        return queue.count
      },
    }
  }

  async close(): Promise<void> {
    await this.#receiver?.close()
  }

  #receive(webhook: IncomingWebhook): WebhookReply {
    const key = webhook.url.split(/[/?]/).find(part => this.#queues.has(part))
    const queue = this.#queues.get(key ?? '')
    if (queue === undefined) return { status: 404 }
    queue.count += 1
    queue.waiting.push(webhook)
    queue.notify()
    return { status: 200 }
  }

  async #take(queue: Queue): Promise<IncomingWebhook> {
    const { signal, wait, getLimit } = this.#options
    const limit = getLimit() ?? signal
    limit.throwIfAborted()
    const late = AbortSignal.any([signal, limit, AbortSignal.timeout(wait)])
    while (queue.waiting.length === 0 && !late.aborted) {
      await new Promise<void>(resolve => {
        queue.notify = resolve
        late.addEventListener('abort', () => resolve(), { once: true })
      })
    }
    const webhook = queue.waiting.shift()
    signal.throwIfAborted()
    if (webhook !== undefined) return webhook
    throw new RuleFailure(`a webhook within ${wait / 1000} s`, 'none')
  }
}
