import {
  type ClientRequest,
  type Agent as HttpAgent,
  request as httpRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
} from 'node:http'
import { request as httpsRequest } from 'node:https'
import { urlToHttpOptions } from 'node:url'

/** One request, to the byte. */
export interface OutgoingRequest {
  /** Any token of HTTP, in its own letter case. */
  readonly method: string
  /** Address without login and fragment. */
  readonly url: string
  /** Path and query as they stand in the request line. */
  readonly target: string
  /** In the order in which they are sent. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** A request as it can be sent: its body as text or bytes. */
export type SentRequest = Omit<OutgoingRequest, 'body'> & { readonly body: string | Uint8Array }

/** What came back. */
export interface HttpReply {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  /** The beginning of the body, at most 8 KiB. */
  readonly body: Buffer
}

/** What an exchange needs beside its request. */
export interface SendOptions {
  readonly agent: HttpAgent
  /** Ends the exchange, which then throws the signal's reason. */
  readonly signal: AbortSignal
  /** Called when the connection stands. */
  readonly connected: () => void
}

/** Bytes of an answer's body that are read; a longer one ends the connection. */
const bodyLimit = 8 * 1024

/**
 * Makes a request over node:http, with nothing added, and resolves to the answer when its body has been read or cut
 * off. Throws what went wrong before there was a status.
 */
export async function sendRequest(raw: SentRequest, options: SendOptions): Promise<HttpReply> {
  const { signal } = options
  for (;;) {
    signal.throwIfAborted()
    const request = openRequest(raw, options)
    const abort = (): void => void request.destroy(signal.reason)
    signal.addEventListener('abort', abort)
    try {
      return await awaitReply(request, raw.body)
    } catch (error) {
      if (!isStaleConnection(request, error)) throw error
    } finally {
      signal.removeEventListener('abort', abort)
    }
  }
}

function openRequest(raw: SentRequest, options: SendOptions): ClientRequest {
  const url = new URL(raw.url)
  const secure = url.protocol === 'https:'
  const { hostname, port } = urlToHttpOptions(url)
  const { method, target: path, headers } = raw
  const settings = { hostname, port, method, path, headers, agent: options.agent }
  const request = (secure ? httpsRequest : httpRequest)(settings)
  // node:http puts methods in capitals, but they are case-sensitive (RFC 9110 section 9.1).
  request.method = method
  request.once('socket', socket => {
    if (request.reusedSocket) options.connected()
    else socket.once(secure ? 'secureConnect' : 'connect', options.connected)
  })
  return request
}

async function awaitReply(request: ClientRequest, body: SentRequest['body']): Promise<HttpReply> {
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    request.on('error', reject)
    request.once('response', resolve)
    // Answers after which the connection is no longer HTTP: to CONNECT, and 101.
    for (const event of ['connect', 'upgrade'] as const) {
      request.once(event, (message, socket) => {
        socket.destroy()
        message.destroy()
        resolve(message)
      })
    }
    request.end(body)
  })
  const { statusCode: status = 0, headers } = answer
  return { status, headers, body: await readBody(answer) }
}

/** Reads the body to its end, the limit or an error: the status stands whatever becomes of it. */
async function readBody(answer: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  if (!answer.destroyed) {
    answer.on('error', () => {})
    answer.on('data', (chunk: Buffer) => {
      chunks.push(chunk)
      size += chunk.length
      if (size > bodyLimit) answer.destroy()
    })
    await new Promise<void>(resolve => answer.once('close', resolve))
  }
  return Buffer.concat(chunks).subarray(0, bodyLimit)
}

/** Whether a kept connection was closed by the receiver before it could read this request. */
function isStaleConnection(request: ClientRequest, error: unknown): boolean {
  const code = (error as NodeJS.ErrnoException).code
  return request.reusedSocket && (code === 'ECONNRESET' || code === 'EPIPE')
}
