import type { ClientRequest, IncomingMessage, RequestOptions } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import {
  type Requester,
  RequestTimeout,
  transientStatuses,
  type WireReply,
  type WireRequest,
} from './request.js'

/** What http and https have in common. */
type Open = (url: string, options: RequestOptions) => ClientRequest

/**
 * Requests over node:http, for a program that sends two or three and ends: the first use of fetch takes longer than
 * all else such a program does. Redirections are not followed: keys go nowhere but to the address that was given.
 */
export const httpRequester: Requester = async request => {
  const { request: open }: { request: Open } = request.url.startsWith('https:')
    ? await import('node:https')
    : await import('node:http')
  for (let attempt = 1; ; attempt += 1) {
    const last = attempt > request.retries
    const reply = await send(open, request).catch((error: unknown) => {
      if (last || error instanceof RequestTimeout || request.signal?.aborted === true) throw error
      return undefined
    })
    if (reply !== undefined && (last || !transientStatuses.includes(reply.status))) return reply
    await delay(retryDelay(attempt, reply), undefined, { signal: request.signal })
  }
}

/** Milliseconds to wait after attempt number `attempt`, as ky does: what the relay asks for, else twice as long each time. */
function retryDelay(attempt: number, reply?: WireReply): number {
  const asked = reply?.status === 503 ? Number(reply.retryAfter) : Number.NaN
  return asked >= 0 ? asked * 1000 : 300 * 2 ** (attempt - 1)
}

function send(open: Open, { url, method, headers, body, ...rest }: WireRequest) {
  return new Promise<WireReply>((resolve, reject) => {
    const { signal, timeout } = rest
    const request = open(url, { method, headers, ...(signal === undefined ? {} : { signal }) })
    const timer = setTimeout(() => {
      reject(new RequestTimeout())
      request.destroy()
    }, timeout)
    request.on('response', response => collect(response).then(resolve, reject))
    request.on('error', reject)
    request.on('close', () => clearTimeout(timer))
    request.end(body)
  })
}

async function collect(response: IncomingMessage): Promise<WireReply> {
  let text = ''
  for await (const piece of response.setEncoding('utf8')) text += piece
  return { status: response.statusCode ?? 0, text, retryAfter: response.headers['retry-after'] }
}
