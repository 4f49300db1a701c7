import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { RelayError } from '../errors.js'
import { acceptAnyMethod } from '../http/any-method.js'
import type { ArrivedHit } from './lane-hit.js'

/** An answer; status null resets the connection instead. */
export interface HitAnswer {
  readonly status: number | null
  readonly headers?: Readonly<Record<string, string>>
}

/** A server that takes requests of any method until it is closed. */
export interface AnsweringServer {
  /** `http://HOST:PORT`. */
  readonly url: string
  /** Answers what is in hand and stops. */
  close(): Promise<void>
}

/** Where to listen, and how to answer. */
export interface AnsweringOptions {
  readonly host: string
  /** 0 picks a free one. */
  readonly port: number
  readonly answer: (hit: ArrivedHit) => Promise<HitAnswer>
}

const bodyLimit = 1024 * 1024
const closesWithin = 2000

/** Starts a server whose answers may be resets. Throws `configuration`. */
export async function startAnsweringServer(options: AnsweringOptions): Promise<AnsweringServer> {
  const server = createServer((request, response) => {
    take(request, response, options).catch(() => request.destroy())
  })
  acceptAnyMethod(server)
  await listen(server, options)
  const { port } = server.address() as AddressInfo
  const host = options.host.includes(':') ? `[${options.host}]` : options.host
  return { url: `http://${host}:${port}`, close: () => close(server) }
}

async function take(
  request: IncomingMessage,
  response: ServerResponse,
  { answer }: AnsweringOptions,
): Promise<void> {
  const body = await readBody(request)
  const { method = '', url = '', headers } = request
  const { status, headers: more = {} } =
    body === undefined ? { status: 413 } : await answer({ method, url, headers, body })
  if (status === null) {
    request.socket.resetAndDestroy()
    return
  }
  response.writeHead(status, { 'content-type': 'text/plain', ...more })
  response.end(status < 300 ? 'ok\n' : 'no\n')
}

async function readBody(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request) {
    size += chunk.length
    if (size <= bodyLimit) chunks.push(chunk)
  }
  return size > bodyLimit ? undefined : Buffer.concat(chunks).toString('utf8')
}

async function listen(server: Server, { host, port }: AnsweringOptions): Promise<void> {
  server.listen({ host, port })
  try {
    await once(server, 'listening')
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? cause.code : cause
    throw new RelayError('configuration', `Cannot listen on ${host}, port ${port} (${code}).`, {
      hint: 'Choose another with --host and --port; --port 0 picks a free one.',
      cause,
    })
  }
}

async function close(server: Server): Promise<void> {
  const closed = once(server, 'close')
  server.close()
  server.closeIdleConnections()
  const late = setTimeout(() => server.closeAllConnections(), closesWithin)
  await closed
  clearTimeout(late)
}
