// `smsrelay hook listen` receives events of the account on this machine.
//
// 1. commands/hook/listen.ts parses the flags (listen-flags.ts) and prints what the listener
//    reports (listen-events.ts, listen-view.ts).
// 2. Listener asks the relay for its events, and starts one of two modes. ListenEnd ends it.
// 3. Stream mode (listen-to-stream.ts): for each event of the stream, local-delivery.ts sends a
//    webhook to the local app and StreamPosition saves the position.
// 4. Port mode (listen-to-webhooks.ts): temporary-subscriptions.ts subscribes the address of a
//    receiver (../webhook-receiver.ts), and local-delivery.ts forwards each webhook unchanged. With
//    --no-relay somebody else subscribes it, and verify-webhook.ts says what is wrong with a
//    signature.
import type { RelayClient } from '../../../client/relay-client.js'
import { isDefaultEvent } from '../../../domain/webhook/event.js'
import { isTransient, RelayError } from '../../../errors.js'
import type { ListenContext, ListenerOptions } from './listen-context.js'
import { parseExpectedStatus } from './listen-flags.js'
import { listenToStream } from './listen-to-stream.js'
import { listenToWebhooks, receiveWithoutRelay } from './listen-to-webhooks.js'
import { LocalDelivery, type WebhookCopy, WebhookFiles } from './local-delivery.js'

/**
 * The `hook listen` command, in the mode of its settings; {@link replay} forwards the last request
 * again.
 */
export class Listener {
  readonly #options: ListenerOptions
  readonly #delivery: LocalDelivery | undefined
  #files: WebhookFiles | undefined

  constructor(options: ListenerOptions) {
    this.#options = options
    this.#delivery = createDelivery(options, this.#saveWebhook)
  }

  /**
   * Runs `hook listen`. Returns the ids of subscriptions that could not be removed. Throws
   * RelayError.
   */
  async run(): Promise<readonly string[]> {
    const { settings, end } = this.#options
    const { mode, forwardTo, save } = settings
    try {
      if (save !== undefined) this.#files = await WebhookFiles.open(save)
      const shared = {
        ...this.#options,
        delivery: this.#delivery,
        saveWebhook: this.#saveWebhook,
        forwardTo: forwardTo === undefined ? {} : { forward_to: forwardTo },
      }
      const { client } = shared
      if (client === undefined) {
        await receiveWithoutRelay({ ...shared, events: [] })
        return []
      }
      const events = await getEvents(client, this.#options)
      const context: ListenContext = { ...shared, client, events }
      if (mode === 'port') return await listenToWebhooks(context)
      await listenToStream(context)
    } catch (error) {
      const isFinal = error instanceof RelayError && !isTransient(error)
      if (!end.signal.aborted || isFinal) throw error
    } finally {
      this.#delivery?.close()
    }
    return []
  }

  readonly #saveWebhook = async (webhook: WebhookCopy): Promise<void> => {
    await this.#files?.save(webhook, this.#options.clock.now())
  }

  replay(): void {
    void this.#delivery?.replay(this.#options.end.signal)
  }
}

async function getEvents(
  client: RelayClient,
  { settings, end }: ListenerOptions,
): Promise<readonly string[]> {
  const known = await client.subscriptions.listEventNames({ signal: end.signal })
  const { events = known.filter(isDefaultEvent), until = events[0] ?? '' } = settings
  if (events.includes(until)) return events
  throw new RelayError(
    'usage',
    `--until is ${until}, but the listener receives only ${events.join(', ')}.`,
  )
}

function createDelivery(
  { settings, clock, onEvent }: ListenerOptions,
  onWebhook: (webhook: WebhookCopy) => Promise<void>,
): LocalDelivery | undefined {
  const { forwardTo: target, expected = parseExpectedStatus('2xx') } = settings
  if (target === undefined) return undefined
  return new LocalDelivery({ ...settings, target, expected, clock, onAttempt: onEvent, onWebhook })
}
