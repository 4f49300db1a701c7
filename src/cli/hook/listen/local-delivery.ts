import { open } from 'node:fs/promises'
import { Agent } from 'node:http'
import { Agent as SecureAgent } from 'node:https'
import { join } from 'node:path'
import type { EventFields } from '../../../contract/event-schema.js'
import {
  createWebhookRequest,
  type WebhookRequest,
} from '../../../contract/webhook/webhook-request.js'
import type { EventName } from '../../../domain/webhook/event.js'
import { errorText, RelayError } from '../../../errors.js'
import { type OutgoingRequest, sendRequest } from '../../../net/client/send-request.js'
import { getBackoff } from '../../../util/async/backoff.js'
import type { Clock } from '../../../util/async/clock.js'
import { PromiseQueue } from '../../../util/async/promise-queue.js'
import { getFailureReason } from '../../../util/files/file-error.js'
import { makeOwnDirectory } from '../../../util/files/make-directory.js'
import type { AttemptNotice, EventWebhook, WebhookDetail } from './listen-events.js'

export interface LocalDeliveryOptions {
  readonly target: string
  readonly webhook: { readonly method?: string; readonly post?: boolean }
  /** Flag -H: header fields that are added to each forwarded webhook or replace its own. */
  readonly headers: Readonly<Record<string, string>>
  readonly verifiesCertificate: boolean
  readonly timeout: number
  readonly retries: number
  readonly expected: RegExp
  readonly showsReply: boolean
  readonly clock: Clock
  readonly onAttempt: (attempt: AttemptNotice, detail: WebhookDetail) => void
  readonly onWebhook: (webhook: WebhookCopy) => Promise<void>
}

type AttemptSubject = Omit<
  AttemptNotice,
  'type' | 'status' | 'ms' | 'ok' | 'error' | 'retry_in' | 'reply' | 'replayed'
>

interface LocalReply {
  readonly status: number | null
  readonly ok: boolean
  readonly ms: number
  readonly body: string
  readonly error: string | null
}

const maxReplyBytes = 8 * 1024

const retryWaits = { first: 1000, max: 30_000 }

export class LocalDelivery {
  /** Signs the webhooks that `hook listen` creates: `whsec_` and base64. */
  secret = ''
  readonly target: string
  readonly #options: LocalDeliveryOptions
  readonly #agents: { readonly http: Agent; readonly https: SecureAgent }
  /** One forwarded request at a time, so that a replay does not overtake an event. */
  readonly #queue = new PromiseQueue()
  #createLast: (() => readonly [OutgoingRequest, AttemptSubject]) | undefined

  constructor(options: LocalDeliveryOptions) {
    const { target, verifiesCertificate: rejectUnauthorized } = options
    this.target = target
    this.#agents = {
      http: new Agent({ keepAlive: true, timeout: 4000 }),
      https: new SecureAgent({ keepAlive: true, timeout: 4000, rejectUnauthorized }),
    }
    this.#options = options
  }

  /**
   * Forwards an event until the response has the expected status or no retries are left; `previous`
   * is the sequence before it. Resolves to whether it succeeded, undefined if the signal ended it.
   */
  async deliver(
    event: EventFields,
    previous: number,
    signal: AbortSignal,
  ): Promise<boolean | undefined> {
    const { retries, clock } = this.#options
    this.#createLast = () => this.#createRequest(event, previous, 1)
    await this.#options.onWebhook(this.#createCopy(event, previous))
    for (let attempt = 1; ; attempt += 1) {
      const [request, subject] = this.#createRequest(event, previous, attempt)
      const reply = await this.#queue.run(() => this.#send(request, signal))
      if (isStopped(reply, signal)) return undefined
      const isLast = reply.ok || attempt > retries
      const wait = isLast ? null : getBackoff(attempt, Math.random(), retryWaits)
      this.#report(request, { ...subject, retry_in: wait }, reply)
      if (wait === null) return reply.ok
      await clock.sleep(wait, signal)
      if (signal.aborted) return undefined
    }
  }

  async forward(
    request: OutgoingRequest,
    { event, message, received, headers }: EventWebhook,
    signal: AbortSignal,
  ): Promise<Pick<LocalReply, 'status' | 'ok'>> {
    const { method } = request
    const sequence = Number(headers['webhook-sequence'])
    const subject = {
      ...(Number.isSafeInteger(sequence) ? { sequence } : {}),
      event,
      ...(received === undefined ? { message } : { received }),
      attempt: 1,
      method,
      url: this.target,
    }
    this.#createLast = () => [request, subject]
    const reply = await this.#send(request, signal)
    if (!isStopped(reply, signal)) this.#report(request, { ...subject, retry_in: null }, reply)
    return reply
  }

  /** Forwards the last request once more; changes no saved position and no count. */
  async replay(signal: AbortSignal): Promise<void> {
    if (this.#createLast === undefined) return
    const [request, subject] = this.#createLast()
    const reply = await this.#queue.run(() => this.#send(request, signal))
    if (isStopped(reply, signal)) return
    this.#report(request, { ...subject, retry_in: null, replayed: true }, reply)
  }

  close(): void {
    this.#agents.http.destroy()
    this.#agents.https.destroy()
  }

  #createRequest(
    event: EventFields,
    previous: number,
    attempt: number,
  ): readonly [WebhookRequest, AttemptSubject] {
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
    return [request, { sequence, event: name, ...object, attempt, method, url: request.url }]
  }

  #createCopy(event: EventFields, previous: number): WebhookCopy {
    const [{ method, target, headers, body }] = this.#createRequest(event, previous, 1)
    return { method, target, fields: Object.entries(headers), body: Buffer.from(body) }
  }

  /** Sends a webhook to the local receiver; an error becomes a reply. */
  async #send(request: OutgoingRequest, signal: AbortSignal): Promise<LocalReply> {
    const { timeout, headers, expected, clock } = this.#options
    const start = clock.monotonic()
    const getMs = (): number => Math.round(clock.monotonic() - start)
    try {
      const sent = { ...request, headers: replaceFields(request.headers, headers) }
      const { status, body } = await sendRequest(sent, {
        agent: this.#agents[request.url.startsWith('https:') ? 'https' : 'http'],
        signal,
        timeout: timeout === 0 ? undefined : timeout,
        resendWhenStale: true,
        maxBody: maxReplyBytes,
      })
      const ok = expected.test(String(status))
      return { status, ok, ms: getMs(), body: body.toString('utf8'), error: null }
    } catch (cause) {
      const error = `No response: ${errorText(cause)}.`
      return { status: null, ok: false, ms: getMs(), body: '', error }
    }
  }

  #report(
    { headers, body }: OutgoingRequest,
    subject: AttemptSubject & Pick<AttemptNotice, 'retry_in' | 'replayed'>,
    { status, ms, ok, error, body: reply }: LocalReply,
  ): void {
    const { showsReply, onAttempt } = this.#options
    const { retry_in, replayed, ...fields } = subject
    const shown = {
      ...(showsReply ? { reply } : {}),
      ...(replayed === undefined ? {} : { replayed }),
    }
    const attempt = { ...fields, status, ms, ok, error, retry_in, ...shown }
    onAttempt({ type: 'attempt', ...attempt }, { headers, body: String(body ?? ''), reply })
  }
}

function isStopped({ status }: LocalReply, signal: AbortSignal): boolean {
  return status === null && signal.aborted
}

function replaceFields(
  fields: Readonly<Record<string, string>>,
  own: Readonly<Record<string, string>>,
): Record<string, string> {
  const replaced = Object.keys(own).map(name => name.toLowerCase())
  const others = Object.entries(fields).filter(([name]) => !replaced.includes(name.toLowerCase()))
  return { ...Object.fromEntries(others), ...own }
}

export interface WebhookCopy {
  readonly method: string
  readonly target: string
  readonly fields: readonly (readonly [name: string, value: string])[]
  readonly body: Buffer
}

/**
 * Flag --save: a directory in which each webhook becomes a file that only this user may read, named
 * by time and `webhook-id`. The file is the HTTP request.
 */
export class WebhookFiles {
  readonly #directory: string

  private constructor(directory: string) {
    this.#directory = directory
  }

  static async open(directory: string): Promise<WebhookFiles> {
    try {
      await makeOwnDirectory(directory)
    } catch (error) {
      throw cannotSaveError(directory, error)
    }
    return new WebhookFiles(directory)
  }

  async save({ method, target, fields, body }: WebhookCopy, now: number): Promise<void> {
    const lines = fields.map(([name, value]) => `${name}: ${value}\r\n`)
    const head = Buffer.from(`${method} ${target} HTTP/1.1\r\n${lines.join('')}\r\n`, 'latin1')
    const path = join(this.#directory, getFileName(fields, now))
    try {
      const file = await open(path, 'w', 0o600)
      try {
        await file.writeFile(Buffer.concat([head, body]))
      } finally {
        await file.close()
      }
    } catch (error) {
      throw cannotSaveError(path, error)
    }
  }
}

/** Such as `20261123T114841123Z-evt_7_019ab.http`; sorts by time, on every file system. */
function getFileName(fields: WebhookCopy['fields'], now: number): string {
  const time = new Date(now).toISOString().replace(/[-:.]/g, '')
  const [, id = 'unknown'] = fields.find(([name]) => name.toLowerCase() === 'webhook-id') ?? []
  return `${time}-${id.replace(/[^\w-]/g, '_').slice(0, 100)}.http`
}

function cannotSaveError(path: string, cause: unknown): RelayError {
  const reason = getFailureReason(cause)
  return new RelayError('configuration', `The webhook cannot be saved in ${path} (${reason}).`, {
    hint: 'Choose another directory with --save, or correct its permissions.',
    cause,
  })
}
