import type { RelayClient } from '../../../client/relay-client.js'
import type { Clock } from '../../../util/async/clock.js'
import type { ListenEnd } from './listen-end.js'
import type { ListenerEvent, WebhookDetail } from './listen-events.js'
import type { ListenSettings } from './listen-settings.js'
import type { LocalDelivery } from './local-delivery.js'
import type { WebhookCopy } from './webhook-files.js'

export interface ListenerOptions {
  readonly client: RelayClient | undefined
  readonly user: string
  readonly settings: ListenSettings
  readonly stateDir: string
  readonly machine: string
  readonly end: ListenEnd
  readonly clock: Clock
  readonly onEvent: (event: ListenerEvent, detail?: WebhookDetail) => void
}

export interface ListenContext extends ListenerOptions {
  readonly client: RelayClient
  readonly events: readonly string[]
  /** Sends events to --forward-to; undefined: `hook listen` only shows them. */
  readonly delivery: LocalDelivery | undefined
  readonly forwardTo: { readonly forward_to?: string }
  /** Saves a webhook for --save; without it, it does nothing. */
  readonly saveWebhook: (webhook: WebhookCopy) => Promise<void>
}
