import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { RelayError } from '../../errors.js'
import { acceptAnyMethod } from '../../net/server/any-method.js'

/** A request that arrived, as it was. */
export interface IncomingWebhook {
  readonly method: string
  /** Path and query, as in the request line. */
  readonly url: string
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: string
}

/** A {@link Hit} to the byte. */
export interface RawWebhook extends IncomingWebhook {
  readonly bytes: Buffer
  /** Names and values in turn, as they were sent. */
  readonly rawHeaders: readonly string[]
}

/** A server that takes hits until it is closed. */
export interface WebhookReceiver {
  /** `http://HOST:PORT`. */
  readonly url: string
  /** Answers what is in hand and stops. */
  close(): Promise<void>
}

/** An answer; status null resets the connection instead. */
export interface WebhookReply {
  readonly status: number | null
  readonly headers?: Readonly<Record<string, string>>
}

/** Where to listen, and how to answer each hit. */
export interface WebhookReceiverOptions {
  readonly host: string
  /** 0 picks a free one. */
  readonly port: number
  readonly onWebhook: (hit: RawWebhook) => Promise<WebhookReply>
}

const maxBodyBytes = 1024 * 1024

/** Starts a server that takes hits of any method. Throws `configuration`. */
export async function startWebhookReceiver(
  options: WebhookReceiverOptions,
): Promise<WebhookReceiver> {
  const server = createServer((request, response) => {
    answerRequest(request, response, options).catch(() => request.destroy())
  })
  acceptAnyMethod(server)
  await startListening(server, options)
  const { port } = server.address() as AddressInfo
  const host = options.host.includes(':') ? `[${options.host}]` : options.host
  return { url: `http://${host}:${port}`, close: () => closeServer(server) }
}

async function answerRequest(
  request: IncomingMessage,
  response: ServerResponse,
  { onWebhook: onHit }: WebhookReceiverOptions,
): Promise<void> {
  const bytes = await readBody(request)
  const { method = '', url = '', headers, rawHeaders } = request
  const hit = bytes && { method, url, headers, rawHeaders, bytes, body: bytes.toString('utf8') }
  const { status, headers: more }: WebhookReply =
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
    if (size <= maxBodyBytes) chunks.push(chunk)
  }
  return size > maxBodyBytes ? undefined : Buffer.concat(chunks)
}

async function startListening(
  server: Server,
  { host, port }: WebhookReceiverOptions,
): Promise<void> {
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

async function closeServer(server: Server): Promise<void> {
  const closed = once(server, 'close')
  server.close()
  server.closeIdleConnections()
  const late = setTimeout(() => server.closeAllConnections(), 2000)
  await closed
  clearTimeout(late)
}
