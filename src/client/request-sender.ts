import ky, { HTTPError, TimeoutError } from 'ky'
import { RequestTimeout, sendRequest } from '../net/client/send-request.js'
import { runWithSignal } from '../util/async/abort.js'

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

type Outgoing = Omit<RelayRequest, 'timeout' | 'retries' | 'signal'>

/** Statuses of a relay that restarts, or of the proxy in front of it. */
const retriedStatuses: readonly number[] = [502, 503, 504]

/**
 * Creates the sender of a client's requests. ky limits the time of each attempt and repeats it, but
 * sees only statuses: headers and bodies that go through its copies of requests cost more processor
 * time than all the rest.
 * @param fetch sends each attempt. @default node:http
 */
export function createKySender(fetch?: typeof globalThis.fetch): RequestSender {
  return async ({ timeout, retries, signal, ...outgoing }) => {
    let reply: RelayReply = { status: 0, text: '' }
    const attempt = async (input: unknown): Promise<Response> => {
      const { signal } = input as Request
      reply = await (fetch === undefined
        ? sendOverHttp(outgoing, signal)
        : sendOverFetch(fetch, outgoing, signal))
      const { status, retryAfter } = reply
      if (!retriedStatuses.includes(status)) return new Response()
      const headers = new Headers(retryAfter === undefined ? [] : [['retry-after', retryAfter]])
      return new Response(null, { status, headers })
    }
    const { url, method } = outgoing
    const retry = {
      limit: retries,
      methods: [method.toLowerCase() as 'get'],
      statusCodes: [...retriedStatuses],
    }
    try {
      // ky would leave something behind on a signal that lives long.
      await runWithSignal(signal === undefined ? [] : [signal], async own => {
        await ky(url, { method, timeout, retry, fetch: attempt, signal: own })
      })
    } catch (error) {
      signal?.throwIfAborted()
      if (error instanceof TimeoutError) throw new RequestTimeout(timeout)
      if (!(error instanceof HTTPError)) throw error
    }
    return reply
  }
}

async function sendOverHttp(outgoing: Outgoing, signal: AbortSignal): Promise<RelayReply> {
  const { status, headers, body, cutOff } = await sendRequest(outgoing, { signal })
  if (cutOff !== undefined) throw cutOff
  const { 'retry-after': retryAfter, etag: tag } = headers
  return { status, text: body.toString(), retryAfter, tag }
}

async function sendOverFetch(
  fetch: typeof globalThis.fetch,
  { url, method, headers, body }: Outgoing,
  signal: AbortSignal,
): Promise<RelayReply> {
  const reply = await fetch(url, { method, headers, body: body ?? null, signal })
  const retryAfter = reply.headers.get('retry-after') ?? undefined
  const tag = reply.headers.get('etag') ?? undefined
  return { status: reply.status, text: await reply.text(), retryAfter, tag }
}
