import type { Agent } from 'node:http'
import { Readable } from 'node:stream'
import { openReply } from './send-request.js'

/** HTTP statuses whose replies have no body (RFC 9110 section 15, Fetch standard section 2.2.3). */
const withoutBody: readonly number[] = [204, 205, 304]

/**
 * For this replacement of `fetch`: the requests of replies that are being read. A Request follows
 * the signal of its caller only until it is garbage-collected. A bundler removes an unused variable
 * that would retain it.
 */
const requests = new WeakMap<object, readonly unknown[]>()

/**
 * Makes a fetch over {@link openReply}, which costs half of the processor time of Node's own fetch
 * in a command that sends two requests. It does not follow redirects, so keys go only to the given
 * address, and it sends no Accept-Encoding.
 *
 * @param agent @default Node's global agent
 */
export function createFetch(agent?: Agent): typeof fetch {
  return async (input, init) => {
    const request = new Request(input, init)
    const { method, url, signal } = request
    const headers = Object.fromEntries(request.headers)
    const body = request.body === null ? undefined : new Uint8Array(await request.arrayBuffer())
    try {
      const reply = await openReply({ method, url, headers, body }, { agent, signal })
      requests.set(reply, [input, request])
      const status = reply.statusCode ?? 0
      const isEmpty = method === 'HEAD' || withoutBody.includes(status)
      if (isEmpty) reply.resume()
      return new Response(isEmpty ? null : (Readable.toWeb(reply) as ReadableStream), {
        status,
        headers: toHeaderPairs(reply.rawHeaders),
      })
    } catch (cause) {
      if (signal.aborted) throw signal.reason
      throw new TypeError('fetch failed', { cause })
    }
  }
}

function toHeaderPairs(raw: readonly string[]): [string, string][] {
  return raw.flatMap((name, at) =>
    at % 2 === 0 ? [[name, raw[at + 1] ?? ''] as [string, string]] : [],
  )
}
