import type { RelayClient } from '../../../client/relay-client.js'
import type { Clock } from '../../../util/async/clock.js'
import type { EndReason, ListenerEvent, WebhookDetail } from './listen-events.js'
import type { ListenSettings } from './listen-flags.js'
import type { LocalDelivery, WebhookCopy } from './local-delivery.js'

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

export interface EndConditions {
  readonly count?: number | undefined
  readonly until?: string | undefined
  readonly maxWait?: number | undefined
}

export class ListenEnd {
  readonly #conditions: EndConditions
  readonly #ending = new AbortController()
  readonly #dispose: () => void
  #reason: EndReason = 'stopped'
  #count = 0

  constructor(conditions: EndConditions, stop: AbortSignal, clock: Pick<Clock, 'after'>) {
    this.#conditions = conditions
    const { maxWait } = conditions
    const onStop = (): void => this.end('stopped')
    stop.addEventListener('abort', onStop)
    const cancel =
      maxWait === undefined ? () => {} : clock.after(maxWait, () => this.end('max-wait'))
    this.#dispose = () => {
      cancel()
      stop.removeEventListener('abort', onStop)
    }
    if (stop.aborted) onStop()
  }

  get signal(): AbortSignal {
    return this.#ending.signal
  }

  get reason(): EndReason {
    return this.#reason
  }

  get count(): number {
    return this.#count
  }

  countEvent(event: string): void {
    if (this.signal.aborted) return
    this.#count += 1
    if (event === this.#conditions.until) this.end('until')
    else if (this.#count === this.#conditions.count) this.end('count')
  }

  end(reason: EndReason): void {
    if (this.signal.aborted) return
    this.#reason = reason
    this.#dispose()
    this.#ending.abort()
  }
}
