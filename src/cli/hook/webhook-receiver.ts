import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { RelayError } from '../../errors.js'
import { acceptAnyMethod } from '../../net/server/any-method.js'

/** A request that arrived, as it was. */
export interface Hit {
  readonly method: string
  /** Path and query, as in the request line. */
  readonly url: string
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: string
}

/** A {@link Hit} to the byte. */
export interface RawHit extends Hit {
  readonly bytes: Buffer
  /** Names and values in turn, as they were sent. */
  readonly rawHeaders: readonly string[]
}

/** A server that takes hits until it is closed. */
export interface Receiver {
  /** `http://HOST:PORT`. */
  readonly url: string
  /** Answers what is in hand and stops. */
  close(): Promise<void>
}

/** An answer; status null resets the connection instead. */
export interface HitAnswer {
  readonly status: number | null
  readonly headers?: Readonly<Record<string, string>>
}

/** Where to listen, and how to answer each hit. */
export interface ReceiverOptions {
  readonly host: string
  /** 0 picks a free one. */
  readonly port: number
  readonly onHit: (hit: RawHit) => Promise<HitAnswer>
}

const bodyLimit = 1024 * 1024

/** Starts a server that takes hits of any method. Throws `configuration`. */
export async function startReceiver(options: ReceiverOptions): Promise<Receiver> {
  const server = createServer((request, response) => {
    answer(request, response, options).catch(() => request.destroy())
  })
  acceptAnyMethod(server)
  await listen(server, options)
  const { port } = server.address() as AddressInfo
  const host = options.host.includes(':') ? `[${options.host}]` : options.host
  return { url: `http://${host}:${port}`, close: () => close(server) }
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  { onHit }: ReceiverOptions,
): Promise<void> {
  const bytes = await readBody(request)
  const { method = '', url = '', headers, rawHeaders } = request
  const hit = bytes && { method, url, headers, rawHeaders, bytes, body: bytes.toString('utf8') }
  const { status, headers: more }: HitAnswer =
    hit === undefined ? { status: 413 } : await onHit(hit)
  if (status === null) return void request.socket.resetAndDestroy()
  const isEmpty = status === 204 || status === 304
  response.writeHead(status, { ...(isEmpty ? {} : { 'content-type': 'text/plain' }), ...more })
  response.end(isEmpty ? '' : status >= 200 && status < 300 ? 'ok\n' : 'no\n')
}

async function readBody(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request) {
    size += chunk.length
    if (size <= bodyLimit) chunks.push(chunk)
  }
  return size > bodyLimit ? undefined : Buffer.concat(chunks)
}

async function listen(server: Server, { host, port }: ReceiverOptions): Promise<void> {
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
  const late = setTimeout(() => server.closeAllConnections(), 2000)
  await closed
  clearTimeout(late)
}
