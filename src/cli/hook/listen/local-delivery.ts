import type { EventFields } from '../../../contract/event-schema.js'
import { getObjectId, toObjectFields } from '../../../contract/event-schema.js'
import { createWebhookRequest } from '../../../contract/webhook/webhook-request.js'
import { getBackoff } from '../../../util/async/backoff.js'
import type { Pause } from '../../../util/async/clock.js'
import type { AttemptNotice } from './listen-events.js'
import type { ExpectedStatus } from './listen-values.js'
import type { LocalSender } from './local-sender.js'
import { toEventName } from './temporary-subscriptions.js'

/** How events are handed to a local program. */
export interface LocalDeliveryOptions {
  readonly forwarder: LocalSender
  readonly target: string
  readonly method: string
  readonly post: boolean
  /** The secret to sign with. */
  readonly secret: () => string
  /** Attempts after the first; infinite: until one succeeds. */
  readonly retries: number
  readonly expected: ExpectedStatus
  /** Whether attempts show the answer's body. */
  readonly showsReply: boolean
  readonly pause: Pause
  /** Told of every attempt, as soon as it is over. */
  readonly onAttempt: (attempt: AttemptNotice, hit: SentWebhook) => void
}

/** A hit and its answer to the byte, for who wants to see all of it. */
export interface SentWebhook {
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly reply: string
}

const retryWaits = { first: 1000, max: 30_000 }

/** Hands events to a local program as a lane would: one after the other, each until it is taken. */
export class LocalDelivery {
  readonly #options: LocalDeliveryOptions
  #turn: Promise<unknown> = Promise.resolve()
  #last: { readonly event: EventFields; readonly previous: number } | undefined

  constructor(options: LocalDeliveryOptions) {
    this.#options = options
  }

  /** Resolves to whether it was taken, undefined when the signal ended it before that was known. */
  async deliver(
    event: EventFields,
    previous: number,
    signal: AbortSignal,
  ): Promise<boolean | undefined> {
    const { retries, pause } = this.#options
    this.#last = { event, previous }
    for (let attempt = 1; ; attempt += 1) {
      const wait = attempt > retries ? null : getBackoff(attempt, Math.random(), retryWaits)
      const ok = await this.#inTurn(() => this.#attempt(event, previous, attempt, wait, signal))
      if (ok !== false || wait === null) return ok
      await pause(wait, signal)
      if (signal.aborted) return undefined
    }
  }

  /** Makes the last hit once more, whatever came of it; it moves nothing. */
  async replay(signal: AbortSignal): Promise<void> {
    if (this.#last === undefined) return
    const { event, previous } = this.#last
    const more = { replayed: true } as const
    await this.#inTurn(() => this.#attempt(event, previous, 1, null, signal, more))
  }

  /** One hit at a time. */
  async #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const mine = this.#turn.then(work)
    this.#turn = mine.catch(() => {})
    return await mine
  }

  async #attempt(
    event: EventFields,
    previous: number,
    attempt: number,
    wait: number | null,
    signal: AbortSignal,
    more: { replayed?: true } = {},
  ): Promise<boolean | undefined> {
    const {
      forwarder,
      target,
      method,
      post,
      secret,
      expected,
      showsReply,
      onAttempt: tell,
    } = this.#options
    const { sequence, event: name } = event
    const id = getObjectId(event) ?? ''
    const raw = createWebhookRequest(
      { seq: sequence, event: toEventName(name), message: id },
      { url: target, method, post },
      {
        ...{ previous, from: 'smsrelay', secrets: [secret()] },
        timestamp: Math.floor(Date.now() / 1000),
      },
    )
    const { status, ms, reply, error } = await forwarder.send(raw, signal)
    if (status === null && signal.aborted) return undefined
    const ok = expected.matches(status)
    const text = reply.toString('utf8')
    const facts = {
      ...({
        type: 'attempt',
        sequence,
        event: name,
        ...toObjectFields(name, id),
        attempt,
        method,
        url: raw.url,
      } as const),
      ...{ status, ms, ok, error, retry_in: ok ? null : wait },
    }
    const shown = { ...facts, ...(showsReply ? { reply: text } : {}), ...more }
    tell(shown, { headers: raw.headers, body: raw.body, reply: text })
    return ok
  }
}
