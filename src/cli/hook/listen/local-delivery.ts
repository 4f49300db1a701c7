import { Agent } from 'node:http'
import { Agent as SecureAgent } from 'node:https'
import type { EventFields } from '../../../contract/event-schema.js'
import { createWebhookRequest } from '../../../contract/webhook/webhook-request.js'
import type { EventName } from '../../../domain/webhook/event.js'
import { errorText } from '../../../errors.js'
import { type OutgoingRequest, sendRequest } from '../../../net/client/send-request.js'
import { getBackoff } from '../../../util/async/backoff.js'
import type { Clock } from '../../../util/async/clock.js'
import { PromiseQueue } from '../../../util/async/promise-queue.js'
import type { AttemptNotice, WebhookDetail } from './listen-events.js'
import type { EventWebhook } from './temporary-subscriptions.js'

/** How events are sent to the local app. */
export interface LocalDeliveryOptions {
  readonly target: string
  readonly webhook: { readonly method?: string; readonly post?: boolean }
  /** Fields that are added to each request or replace its own. */
  readonly headers: Readonly<Record<string, string>>
  /** Milliseconds that a response may take; 0: no limit. */
  readonly timeout: number
  /** Attempts after the first; Infinity: until one succeeds. */
  readonly retries: number
  /** Pattern of a successful status. */
  readonly expected: RegExp
  readonly showsReply: boolean
  readonly clock: Clock
  readonly onAttempt: (attempt: AttemptNotice, detail: WebhookDetail) => void
}

/** What an attempt is about; {@link LocalDelivery} adds the result. */
type AttemptSubject = Omit<AttemptNotice, 'type' | 'status' | 'ms' | 'ok' | 'error' | 'reply'>

interface LocalReply {
  readonly status: number | null
  readonly ms: number
  readonly body: string
  readonly error: string | null
}

/** Bytes of a response that are read. */
const maxReplyBytes = 8 * 1024

const retryWaits = { first: 1000, max: 30_000 }

/** Sends events to the local app in the same form as a subscription of the relay. */
export class LocalDelivery {
  /** Signs the webhooks that {@link deliver} creates: `whsec_` and base64. */
  secret = ''
  readonly target: string
  readonly #options: LocalDeliveryOptions
  readonly #agents = {
    http: new Agent({ keepAlive: true, timeout: 4000 }),
    https: new SecureAgent({ keepAlive: true, timeout: 4000 }),
  }
  readonly #queue = new PromiseQueue()
  #sendLastAgain: (signal: AbortSignal) => Promise<unknown> = async () => {}

  constructor(options: LocalDeliveryOptions) {
    this.target = options.target
    this.#options = options
  }

  /**
   * Sends an event until the response has the expected status or no retries are left; `previous` is
   * the sequence before it. Resolves to whether it succeeded, undefined if the signal ended it.
   */
  async deliver(
    event: EventFields,
    previous: number,
    signal: AbortSignal,
  ): Promise<boolean | undefined> {
    const { retries, clock } = this.#options
    this.#sendLastAgain = async stop =>
      await this.#attempt(event, previous, { attempt: 1, retry_in: null, replayed: true }, stop)
    for (let attempt = 1; ; attempt += 1) {
      const wait = attempt > retries ? null : getBackoff(attempt, Math.random(), retryWaits)
      const ok = await this.#attempt(event, previous, { attempt, retry_in: wait }, signal)
      if (ok !== false || wait === null) return ok
      await clock.sleep(wait, signal)
      if (signal.aborted) return undefined
    }
  }

  /** Sends a received webhook once. Resolves to the status, null if there was no response. */
  async forward(
    request: OutgoingRequest,
    { event, headers, ...webhook }: EventWebhook,
    signal: AbortSignal,
  ): Promise<Pick<AttemptNotice, 'status' | 'ok'>> {
    const { method } = request
    const { target: url } = this.#options
    const sequence = Number(headers['webhook-sequence'])
    const subject = { attempt: 1, method, url, retry_in: null }
    const { message, received } = webhook
    const about = {
      ...(Number.isSafeInteger(sequence) ? { sequence } : {}),
      event,
      ...(received === undefined ? { message } : { received }),
    }
    this.#sendLastAgain = async stop => {
      const unknown = { event: '', message: { id: null } }
      await this.#send(request, { ...unknown, ...subject, replayed: true }, stop)
    }
    return await this.#send(request, { ...about, ...subject }, signal)
  }

  /** Sends the last request once more; changes no position and no count. */
  async replay(signal: AbortSignal): Promise<void> {
    await this.#sendLastAgain(signal)
  }

  close(): void {
    this.#agents.http.destroy()
    this.#agents.https.destroy()
  }

  /** One at a time, so that a replay does not overtake the event that is being sent. */
  async #attempt(
    event: EventFields,
    previous: number,
    attempt: Pick<AttemptNotice, 'attempt' | 'retry_in' | 'replayed'>,
    signal: AbortSignal,
  ): Promise<boolean | undefined> {
    return await this.#queue.run(async () => {
      const { target, webhook, clock } = this.#options
      const { method = 'POST', post = false } = webhook
      const { sequence, event: name, message, received } = event
      const object = received === undefined ? { message } : { received }
      const id = (message ?? received)?.id ?? ''
      const request = createWebhookRequest(
        { seq: sequence, event: name as EventName, message: id },
        { url: target, method, post },
        {
          previous,
          from: 'smsrelay',
          secrets: [this.secret],
          timestamp: Math.floor(clock.now() / 1000),
        },
      )
      const about = { sequence, event: name, ...object, method, url: request.url }
      const { status, ok } = await this.#send(request, { ...about, ...attempt }, signal)
      return status === null && signal.aborted ? undefined : ok
    })
  }

  /** Sends one request and reports it, unless the signal ended it. Never throws. */
  async #send(
    request: OutgoingRequest,
    subject: AttemptSubject,
    signal: AbortSignal,
  ): Promise<Pick<AttemptNotice, 'status' | 'ok'>> {
    const { headers, expected, showsReply, onAttempt } = this.#options
    const sent = { ...request, headers: replaceFields(request.headers, headers) }
    const { status, ms, error, body } = await this.#request(sent, signal)
    const ok = expected.test(String(status))
    if (status === null && signal.aborted) return { status, ok }
    const { attempt, method, url, retry_in: wait, replayed, ...about } = subject
    onAttempt(
      {
        type: 'attempt',
        ...about,
        attempt,
        method,
        url,
        status,
        ms,
        ok,
        error,
        retry_in: ok ? null : wait,
        ...(showsReply ? { reply: body } : {}),
        ...(replayed ? { replayed } : {}),
      },
      { headers: request.headers, body: String(request.body ?? ''), reply: body },
    )
    return { status, ok }
  }

  async #request(request: OutgoingRequest, signal: AbortSignal): Promise<LocalReply> {
    const { timeout, clock } = this.#options
    const began = clock.monotonic()
    const getMs = (): number => Math.round(clock.monotonic() - began)
    try {
      const { status, body } = await sendRequest(request, {
        agent: this.#agents[request.url.startsWith('https:') ? 'https' : 'http'],
        signal,
        timeout: timeout === 0 ? undefined : timeout,
        resendWhenStale: true,
        maxBody: maxReplyBytes,
      })
      return { status, ms: getMs(), body: body.toString('utf8'), error: null }
    } catch (cause) {
      return { status: null, ms: getMs(), body: '', error: `No response: ${errorText(cause)}.` }
    }
  }
}

function replaceFields(
  fields: Readonly<Record<string, string>>,
  own: Readonly<Record<string, string>>,
): Record<string, string> {
  const replaced = Object.keys(own).map(name => name.toLowerCase())
  const others = Object.entries(fields).filter(([name]) => !replaced.includes(name.toLowerCase()))
  return { ...Object.fromEntries(others), ...own }
}
