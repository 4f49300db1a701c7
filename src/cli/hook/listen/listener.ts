import { join } from 'node:path'
import type { RelayClient } from '../../../client/relay-client.js'
import { getObjectId } from '../../../contract/event-schema.js'
import { isTransient, RelayError } from '../../../errors.js'
import { pause } from '../../../util/async/clock.js'
import { fetchObject } from '../fetch-object.js'
import type { RawWebhook } from '../webhook-receiver.js'
import { createForwardedRequest } from './forwarded-request.js'
import type { ListenEnd } from './listen-end.js'
import type { ListenerNotice } from './listen-events.js'
import type { ListenSettings } from './listen-flags.js'
import { listenToStream } from './listen-to-stream.js'
import { listenToWebhooks } from './listen-to-webhooks.js'
import { parseExpectedStatus } from './listen-values.js'
import type { WebhookDetail } from './listen-view.js'
import { LocalDelivery } from './local-delivery.js'
import { LocalSender } from './local-sender.js'
import { getPositionDirectoryName, StreamPosition } from './stream-position.js'
import type { EventWebhook } from './temporary-subscriptions.js'

/** What a listener is made of. */
export interface ListenerOptions {
  readonly client: RelayClient
  /** Secret key of the account. */
  readonly user: string
  readonly settings: ListenSettings
  readonly hit: { readonly method?: string; readonly post?: boolean }
  readonly fetches: boolean
  readonly showsReply: boolean
  /** Directory of the places. */
  readonly stateDir: string
  readonly end: ListenEnd
  /** Milliseconds of a clock that only goes forward. */
  readonly now: () => number
  /** Told of everything, with what else there is to see of a hit. */
  readonly onEvent: (notice: ListenerEvent, detail?: WebhookDetail) => void
}

/** What a listener tells until its end. */
export type ListenerEvent = ListenerNotice | ({ readonly type: 'hit' } & EventWebhook)

/** `hook listen`: receives the account's events in one way or the other, until its end. */
export class Listener {
  readonly #options: ListenerOptions
  readonly #forwarder: LocalSender
  #secret = ''
  #replay: () => Promise<void> = async () => {}

  constructor(options: ListenerOptions) {
    this.#options = options
    const { timeout, headers } = options.settings
    this.#forwarder = new LocalSender({ timeout, headers, now: options.now })
  }

  /** Resolves, at its end, to the subscriptions that could not be removed. Throws RelayError. */
  async run(): Promise<readonly string[]> {
    const { settings, end } = this.#options
    try {
      const events = await this.#events()
      if (settings.mode === 'port') return await this.#receive(events)
      await this.#follow(events)
    } catch (error) {
      if (!end.signal.aborted || (error instanceof RelayError && !isTransient(error))) throw error
    } finally {
      this.#forwarder.close()
    }
    return []
  }

  /** Hands on the last hit once more. */
  replay(): void {
    void this.#replay()
  }

  /** The events to listen to; the relay knows which there are. */
  async #events(): Promise<readonly string[]> {
    const { client, settings, end } = this.#options
    const known = await client.listEvents({ signal: end.signal })
    const { events = known, until = events[0] ?? '' } = settings
    if (events.includes(until)) return events
    throw new RelayError(
      'usage',
      `--until must be one of the events listened to: ${events.join(', ')}.`,
    )
  }

  async #follow(events: readonly string[]): Promise<void> {
    const { client, settings, fetches, end, onEvent: tell } = this.#options
    const { forwardTo, from, expected } = settings
    const place = forwardTo === undefined ? undefined : await this.#place(forwardTo)
    const delivery = forwardTo === undefined ? undefined : this.#delivery(forwardTo)
    const ready = { events, ...(forwardTo === undefined ? {} : { forward_to: forwardTo }) }
    try {
      await listenToStream({
        ...{ client, from, delivery, place, fetches, end, pause },
        events: settings.events,
        endsOnFailure: expected !== undefined,
        onOpen: async () => await this.#refreshSecret(),
        onEvent: notice => tell(notice.type === 'ready' ? { ...notice, ...ready } : notice),
      })
    } finally {
      await place?.close()
    }
  }

  async #place(target: string): Promise<StreamPosition> {
    const { client, user, settings, stateDir } = this.#options
    const name = getPositionDirectoryName({
      url: client.url,
      user,
      target,
      events: settings.events,
    })
    return await StreamPosition.open(join(stateDir, name))
  }

  #delivery(target: string): LocalDelivery {
    const { settings, hit, showsReply, onEvent: tell, end } = this.#options
    const delivery = new LocalDelivery({
      ...{ forwarder: this.#forwarder, target, showsReply, pause },
      method: hit.method ?? 'POST',
      post: hit.post ?? false,
      secret: () => this.#secret,
      retries: settings.retries,
      expected: settings.expected ?? parseExpectedStatus('2xx'),
      onAttempt: (attempt, sent) => tell(attempt, sent),
    })
    this.#replay = async () => await delivery.replay(end.signal)
    return delivery
  }

  /** The old secret goes on signing while the new one cannot be asked for. */
  async #refreshSecret(): Promise<void> {
    const { client, settings, end } = this.#options
    if (settings.forwardTo === undefined) return
    try {
      this.#secret = await client.getHookSecret({ signal: end.signal })
    } catch (error) {
      if (this.#secret === '' || !isTransient(error)) throw error
    }
  }

  async #receive(events: readonly string[]): Promise<readonly string[]> {
    const { client, settings, hit, showsReply, end, onEvent: tell } = this.#options
    const { forwardTo: target, host, port, publicUrl, respond, expected } = settings
    const told = (attempt: ListenerNotice, raw: RawWebhook, reply: string): void => {
      if (target !== undefined) this.#replay = async () => await this.#passOnAgain(raw, target)
      tell(attempt, { headers: raw.headers, body: raw.body, reply })
    }
    const forward = target && {
      forwarder: this.#forwarder,
      target,
      expected,
      showsReply,
      onAttempt: told,
    }
    return await listenToWebhooks({
      ...{ client, events, host, port, publicUrl, respond, ...hit, end },
      forward: forward === '' ? undefined : forward,
      onReady: url => {
        const forwarding = target === undefined ? {} : { forward_to: target }
        tell({ type: 'ready', mode: 'port', url, events, ...forwarding })
      },
      onWebhook: async read => await this.#show(read),
    })
  }

  async #show(hit: EventWebhook): Promise<void> {
    const { client, fetches, end, onEvent: tell } = this.#options
    const { headers, body } = hit
    const isNamed = fetches && getObjectId(hit) !== null
    const fetched = isNamed ? { fetched: await fetchObject(client, hit, end.signal) } : {}
    tell({ type: 'hit', ...hit, ...fetched }, { headers, body })
  }

  async #passOnAgain(raw: RawWebhook, target: string): Promise<void> {
    const { end, onEvent: tell } = this.#options
    const { status, ms, error, reply } = await this.#forwarder.send(
      createForwardedRequest(raw, target),
      end.signal,
    )
    const ok = parseExpectedStatus('2xx').matches(status)
    const facts = { status, ms, ok, error, retry_in: null, replayed: true } as const
    const about = { event: '', message: { id: null }, attempt: 1, method: raw.method, url: target }
    tell({ type: 'attempt', ...about, ...facts }, { ...raw, reply: reply.toString('utf8') })
  }
}
