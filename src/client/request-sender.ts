import { setTimeout as sleep } from 'node:timers/promises'
import { createFetch } from '../net/client/fetch.js'
import { RequestTimeout, sendRequest } from '../net/client/send-request.js'

/** A request of the client, ready to be sent. */
export interface RelayRequest {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | undefined
  /** Milliseconds that the client gives one attempt of a request. */
  readonly timeout: number
  /** The client's retries after a lost connection and after a 502, 503 or 504. */
  readonly retries: number
  readonly signal?: AbortSignal | undefined
}

/** The relay's reply to the client, before it is checked. */
export interface RelayReply {
  readonly status: number
  readonly text: string
  /** The field Retry-After of the relay's reply (RFC 9110 section 10.2.3). */
  readonly retryAfter?: string | undefined
  /** The field ETag of the relay's reply (RFC 9110 section 8.8.3). */
  readonly tag?: string | undefined
}

/**
 * Sends a client's request with its retries. Throws {@link RequestTimeout}, or why there is no
 * reply.
 */
export type RequestSender = (request: RelayRequest) => Promise<RelayReply>

/** Statuses of a relay that restarts, or of the proxy in front of it. */
const retriedStatuses: readonly number[] = [502, 503, 504]

/** Milliseconds before the client's first retry; ky's default too. */
const firstDelay = 300

/** Creates the sender of a client's requests with ky, which is loaded by the first request. */
export function createKySender(fetch: typeof globalThis.fetch = createFetch()): RequestSender {
  return async ({ url, method, headers, body, timeout, retries, signal }) => {
    const { default: ky, HTTPError, TimeoutError } = await import('ky')
    const retry = {
      limit: retries,
      methods: [method.toLowerCase() as 'get'],
      statusCodes: [...retriedStatuses],
    }
    try {
      const response = await ky(url, {
        method,
        headers: { ...headers },
        timeout,
        retry,
        fetch,
        ...(body === undefined ? {} : { body }),
        ...(signal === undefined ? {} : { signal }),
      })
      return await toReply(response)
    } catch (error) {
      if (error instanceof HTTPError) return await toReply(error.response)
      throw error instanceof TimeoutError ? new RequestTimeout(timeout) : error
    }
  }
}

/**
 * Sends a client's requests without ky, for a command that sends a few and ends: loading ky and
 * fetch takes longer than everything else that it does.
 */
export const sendWithoutKy: RequestSender = async request => {
  for (let attempt = 1; ; attempt += 1) {
    const isLast = attempt > request.retries
    const reply = await sendOnce(request).catch((error: unknown) => {
      const isFinal = isLast || error instanceof RequestTimeout || request.signal?.aborted === true
      if (isFinal) throw error
      return undefined
    })
    if (reply !== undefined && (isLast || !retriedStatuses.includes(reply.status))) return reply
    await sleep(getRetryDelay(attempt, reply), undefined, { signal: request.signal })
  }
}

async function sendOnce({ timeout, signal, ...outgoing }: RelayRequest): Promise<RelayReply> {
  const { status, headers, body, cutOff } = await sendRequest(outgoing, { timeout, signal })
  if (cutOff !== undefined) throw cutOff
  const { 'retry-after': retryAfter, etag: tag } = headers
  return { status, text: body.toString(), retryAfter, tag }
}

/** Milliseconds before the client's retry: the Retry-After of a 503, or a wait that doubles. */
function getRetryDelay(attempt: number, reply: RelayReply | undefined): number {
  const seconds = reply?.status === 503 ? Number(reply.retryAfter) : Number.NaN
  return seconds >= 0 ? seconds * 1000 : firstDelay * 2 ** (attempt - 1)
}

async function toReply(response: Response): Promise<RelayReply> {
  const retryAfter = response.headers.get('retry-after') ?? undefined
  const tag = response.headers.get('etag') ?? undefined
  return { status: response.status, text: await response.text(), retryAfter, tag }
}
