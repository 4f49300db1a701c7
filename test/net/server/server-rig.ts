import { once } from 'node:events'
import type { Socket } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import { expect, onTestFinished } from 'vitest'
import { type ConnectionLimits, connectionLimits } from '../../../src/domain/limits.js'
import type { AnswerWhole } from '../../../src/net/server/http-connection.js'
import type { WholeReply } from '../../../src/net/server/http-response.js'
import {
  close,
  createHttpServer,
  type HttpServer,
  listen,
} from '../../../src/net/server/http-server.js'
import { open } from '../../server/http/app-rig.js'

/** Waits that a test can sit out, of those behind a first request. */
export const short = { idleTimeout: 100, replyTimeout: 200 }

/** Waits that a test can sit out; a busy machine manages to send a request within. */
export const allShort = { ...short, headTimeout: 400, requestTimeout: 500 }

/** A request on the fast path that a test answers. */
export interface Asked {
  readonly url: string
  readonly body: string
  readonly reply: WholeReply
  readonly elsewhere: () => void
}

/** More than a client that reads nothing can be sent. */
export const long = 16 * 1024 * 1024

/**
 * A server whose fast path leaves the path `/else` to node's HTTP, answers `/long` with 16 MiB, and leaves all others to
 * the test. What node's HTTP gets is answered with its path at once, and noted.
 */
export async function serve(limits: Partial<ConnectionLimits> = {}) {
  const asked: Asked[] = []
  const node: string[] = []
  const answer: AnswerWhole = ({ url, body }, reply, elsewhere) => {
    if (url === '/else') elsewhere()
    else if (url === '/long') reply.sendJson(200, Buffer.alloc(long, ' '))
    else asked.push({ url, body: body.toString('latin1'), reply, elsewhere })
  }
  const server = createHttpServer(
    (request, response) => {
      node.push(request.url ?? '')
      request.on('error', () => {})
      request.resume().on('end', () => response.end(`"${request.url}"`))
    },
    { ...connectionLimits, ...limits },
    answer,
  )
  const port = await listen(server, { host: '127.0.0.1', port: 0 })
  onTestFinished(async () => {
    if (server.listening) await close(server, 0)
  })
  /** Resolves to the requests of the fast path once they are so many. */
  const askedFor = async (count: number): Promise<readonly Asked[]> => {
    await expect.poll(() => asked.length, { interval: 1 }).toBe(count)
    return asked
  }
  return { server, port, asked, node, askedFor }
}

/** A connection, and the server's end of it. */
export async function connectTo({ server, port }: { server: HttpServer; port: number }) {
  const connected = once(server, 'connection') as Promise<[Socket]>
  const ours = await open(port)
  const [theirs] = await connected
  /** Resolves when the server has read so many bytes. */
  const read = async (bytes: number) => {
    while (theirs.bytesRead < bytes && !theirs.destroyed) await setImmediate()
    expect(theirs.bytesRead).toBe(bytes)
  }
  return { ...ours, theirs, read }
}

/** The bodies of replies. */
export function bodies(replies: readonly string[]): string[] {
  return replies.map(reply => reply.slice(reply.indexOf('\r\n\r\n') + 4))
}
