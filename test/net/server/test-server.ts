import { onTestFinished } from 'vitest'
import {
  type ConnectionLimits,
  connectionLimits,
} from '../../../src/net/server/connection-limits.js'
import type { RequestHandler } from '../../../src/net/server/http-connection.js'
import type { HttpRequest } from '../../../src/net/server/http-request.js'
import type { HttpResponse } from '../../../src/net/server/http-response.js'
import { HttpServer, type HttpServerOptions } from '../../../src/net/server/http-server.js'
import { Metrics } from '../../../src/util/collections/metrics.js'
import { openConnection } from './client-connection.js'

const maxBody = 1024 * 1024

export interface HeldRequest {
  readonly request: HttpRequest
  readonly response: HttpResponse
}

export async function startServer(
  handler: RequestHandler,
  limits: Partial<ConnectionLimits> = {},
  options: Omit<HttpServerOptions, 'limits'> = {},
): Promise<{ readonly server: HttpServer; readonly port: number }> {
  const server = new HttpServer(handler, { limits: { ...connectionLimits, ...limits }, ...options })
  const port = await server.listen({ host: '127.0.0.1', port: 0 })
  onTestFinished(async () => await server.close(0))
  return { server, port }
}

/** A server that answers each request with what it read, and notes which requests it handled. */
export async function startEcho(
  limits: Partial<ConnectionLimits> = {},
  options: Omit<HttpServerOptions, 'limits'> = {},
) {
  const handled: string[] = []
  const handler: RequestHandler = (request, response) => {
    handled.push(`${request.method} ${request.url}`)
    answerWithRequest(request, response).catch(() => response.destroy())
  }
  const started = await startServer(handler, limits, options)
  return { ...started, handled }
}

/** A server whose requests wait until the test answers them. */
export async function startHolding(limits: Partial<ConnectionLimits> = {}) {
  const held: HeldRequest[] = []
  const metrics = new Metrics()
  const hold: RequestHandler = (request, response) => {
    held.push({ request, response })
  }
  const started = await startServer(hold, limits, { metrics })
  return { ...started, held, metrics }
}

/** The request that {@link startEcho} read, out of a reply. */
export interface Echo {
  readonly method: string
  readonly url: string
  readonly host: string
  readonly body: string
}

async function answerWithRequest(request: HttpRequest, response: HttpResponse): Promise<void> {
  const { method, url, headers } = request
  if (url === '/early') return response.send(404)
  const bytes = await request.readBody(maxBody)
  if (bytes === undefined) return response.send(413)
  const echo: Echo = { method, url, host: headers.host ?? '', body: bytes.toString('latin1') }
  response.sendJson(200, JSON.stringify(echo))
}

export interface ExchangeOptions {
  /** Whether the client ends its side after the bytes; if not, the server has to. @default true */
  readonly ends?: boolean
}

/** Sends bytes, each piece in a packet of its own, and resolves to all that the server replied. */
export async function exchange(
  port: number,
  pieces: string | readonly string[],
  { ends = true }: ExchangeOptions = {},
): Promise<string> {
  const { socket, write, closed, received } = await openConnection(port)
  for (const piece of [pieces].flat()) await write(piece)
  if (ends) socket.end()
  await closed
  return received()
}

export function readEchoes(received: string): Echo[] {
  return [...received.matchAll(/\r\n\r\n(\{.*?\})(?=HTTP\/1\.1 |$)/gs)].map(
    match => JSON.parse(match[1] ?? '') as Echo,
  )
}

/** The bytes of a request, with a length if it has a body. */
export function formatRequest(
  line: string,
  fields: Readonly<Record<string, string>> = {},
  body = '',
): string {
  const length = body === '' ? {} : { 'Content-Length': String(body.length) }
  const lines = Object.entries({ Host: 'localhost', ...fields, ...length })
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')
  return `${line} HTTP/1.1\r\n${head}\r\n${body}`
}
