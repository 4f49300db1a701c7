import type { LookupFunction } from 'node:net'
import type { WebhookRequest } from '../../contract/webhook/webhook-request.js'
import { type DeliveryResult, maxReplyBytes } from '../../domain/webhook/delivery.js'
import { errorText } from '../../errors.js'
import { type AddressPolicy, createAddressPolicy } from '../../net/address-policy.js'
import { AddressRefusedError, createGuardedAgents } from '../../net/client/guarded-agent.js'
import { parseRetryAfter } from '../../net/client/retry-after.js'
import { type HttpReply, sendRequest } from '../../net/client/send-request.js'
import type { Clock } from '../../util/async/clock.js'

export type { DeliveryResult }

/** Makes a hit; never throws, and is over soon after the signal is aborted. */
export type SendWebhook = (hit: WebhookRequest, signal: AbortSignal) => Promise<DeliveryResult>

/** A {@link Send} with connections of its own. */
export interface WebhookSender {
  readonly send: SendWebhook
  /** Ends the connections that are kept open for later hits. */
  close(): void
}

/** Options of {@link createSender}. */
export interface WebhookSenderOptions {
  readonly clock: Clock
  /** Which addresses are called. @default public and loopback ones */
  readonly policy?: AddressPolicy
  /** Finds the addresses of a host name. @default the system's */
  readonly lookup?: LookupFunction
  /** Milliseconds a connection may take, name look-up and TLS included. @default 5000 */
  readonly connectTimeout?: number
  /** Milliseconds the whole answer may take. @default 15000 */
  readonly answerTimeout?: number
}

/** Whose move it is when an address is refused. */
const allowHint = 'whoever runs the service can allow it with serve --hook-allow'

/** Shorter than the 5 s after which many servers hang up on an idle connection. */
const idleConnection = 4000

/** Bytes of a reply that are read. */
const maxReadBytes = 8 * 1024

/** Milliseconds until the next of a host's addresses is tried; Node's 250 is too short for far ones. */
const addressTimeout = 1000

/**
 * Makes a {@link Sender} on node:http, since fetch refuses logins and undici both refuses CONNECT and drops
 * `Content-Length: 0` from methods it takes to have no body.
 */
export function createWebhookSender(options: WebhookSenderOptions): WebhookSender {
  const {
    clock,
    policy = createAddressPolicy({ loopback: true }),
    lookup,
    connectTimeout = 5000,
    answerTimeout = 15_000,
  } = options
  const settings = {
    keepAlive: true,
    timeout: idleConnection,
    autoSelectFamilyAttemptTimeout: addressTimeout,
  }
  const { plain, secure } = createGuardedAgents(settings, policy, lookup)
  const send: SendWebhook = async (hit, signal) => {
    const ending = new AbortController()
    const end = (why: string) => (): void => ending.abort(new Error(why))
    const connected = clock.after(connectTimeout, end(`no connection within ${connectTimeout} ms`))
    const answered = clock.after(answerTimeout, end(`no answer within ${answerTimeout} ms`))
    const abort = end('given up because the service is stopping')
    signal.addEventListener('abort', abort)
    if (signal.aborted) abort()
    try {
      const agent = hit.url.startsWith('https:') ? secure : plain
      const reply = await sendRequest(hit, {
        agent,
        signal: ending.signal,
        onConnected: connected,
        resendWhenStale: true,
        maxBody: maxReadBytes,
      })
      return toDeliveryResult(reply, clock.now())
    } catch (error) {
      return { ok: false, error: toErrorText(error) }
    } finally {
      connected()
      answered()
      signal.removeEventListener('abort', abort)
    }
  }
  const close = (): void => {
    plain.destroy()
    secure.destroy()
  }
  return { send, close }
}

/** Statuses whose Retry-After counts: the receiver has too much to do, or is away. */
const busyStatuses: readonly number[] = [429, 503]

function toDeliveryResult({ status, headers, body }: HttpReply, now: number): DeliveryResult {
  const reply = decodeReply(body)
  if (status >= 200 && status < 300) return { ok: true, status, ...reply }
  const wait = busyStatuses.includes(status)
    ? parseRetryAfter(headers['retry-after'], now)
    : undefined
  return {
    ok: false,
    status,
    error: `The receiver answered ${status}.`,
    ...(wait === undefined ? {} : { retryAfter: wait }),
    ...reply,
  }
}

/** The first bytes as text, without a letter that was cut in two. */
function decodeReply(body: Buffer): { readonly reply?: string } {
  if (body.length === 0) return {}
  return { reply: new TextDecoder().decode(body.subarray(0, maxReplyBytes), { stream: true }) }
}

function toErrorText(error: unknown): string {
  if (error instanceof AddressRefusedError)
    return `The webhook was not sent: ${error.message}; ${allowHint}.`
  return `The webhook failed: ${errorText(error)}.`
}
