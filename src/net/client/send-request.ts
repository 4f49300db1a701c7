// The one sender of HTTP requests: webhooks, `hook listen`, the http driver and RelayClient.
//
// 1. openReply sends a request over node:http exactly as given and resolves to the head of the
//    reply. It adds only Host, Connection and Content-Length where they are missing.
// 2. sendRequest also reads the body, up to a limit.
// 3. fetch.ts is a fetch over openReply, for event streams.
// 4. proxy.ts finds the proxy of a request without an agent.
// 5. guarded-agent.ts makes agents that connect only to allowed addresses.
// 6. retry-after.ts reads the Retry-After field of a reply.
//
// fetch and undici do not fit: they refuse URLs with a login and the method CONNECT, follow
// redirects, and drop `Content-Length: 0`. Callers map errors to their own.

import type {
  Agent,
  ClientRequest,
  IncomingHttpHeaders,
  IncomingMessage,
  RequestOptions,
} from 'node:http'
import type { LookupFunction } from 'node:net'
import { urlToHttpOptions } from 'node:url'
import { errorText, getErrorCode } from '../../errors.js'
import { findProxy, openProxyAgent } from './proxy.js'

export interface OutgoingRequest {
  /** Method of the HTTP request to send: any token, in its own letter case. */
  readonly method: string
  /** The http or https address to send the HTTP request to. A login in it is not sent. */
  readonly url: string
  /** Path and query of the HTTP request to send. @default those of `url` */
  readonly target?: string
  /** Header fields of the HTTP request, sent in this order. */
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array | undefined
}

export interface SendOptions {
  /**
   * Opens connections for the HTTP requests. @default the agent of the proxy that the environment
   * names, or else Node's global agent; both keep connections alive
   */
  readonly agent?: Agent | false | undefined
  /** Resolves the host name of the HTTP request. @default the agent's, or the system's */
  readonly lookup?: LookupFunction | undefined
  /** Aborts the HTTP request that is sent, which then throws the signal's reason. */
  readonly signal?: AbortSignal | undefined
  /**
   * Milliseconds until the HTTP reply is complete; then throws {@link RequestTimeout}.
   * @default none
   */
  readonly timeout?: number | undefined
  /** Called when the connection is open, TLS included, before the HTTP request is sent. */
  readonly onConnected?: () => void
  /**
   * Whether an HTTP request is sent again if the server closes a kept-alive connection without a
   * reply. It may have read the request. Without this, {@link StaleConnectionError} is thrown.
   * @default false
   */
  readonly resendWhenStale?: boolean
}

export interface HttpReply {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
  /** Why the reply's `body` is incomplete: a lost connection, an abort, a timeout or the limit. */
  readonly cutOff?: Error | undefined
}

export class RequestTimeout extends Error {
  override readonly name = 'RequestTimeout'

  constructor(readonly timeout: number) {
    super(`no reply within ${timeout} ms`)
  }
}

/** Thrown when a proxy passes the request on to no server: it opens no tunnel or wants a login. */
export class ProxyRefusedError extends Error {
  override readonly name = 'ProxyRefusedError'

  constructor(status: number) {
    super(`the proxy answered with HTTP status ${status}`)
  }
}

/**
 * Thrown when the server closes a kept-alive connection without a reply; it may have read the
 * request. Code and message are those of the cause.
 */
export class StaleConnectionError extends Error {
  override readonly name = 'StaleConnectionError'
  readonly code: string

  constructor(cause: unknown) {
    super(errorText(cause), { cause })
    this.code = getErrorCode(cause)
  }
}

/**
 * Sends an HTTP request and reads the reply. Redirects are not followed.
 * @param maxBody bytes of the body to read; a longer body ends the connection
 * @throws the error that prevented a status
 */
export async function sendRequest(
  outgoing: OutgoingRequest,
  { maxBody = Number.POSITIVE_INFINITY, ...options }: SendOptions & { readonly maxBody?: number },
): Promise<HttpReply> {
  const reply = await openReply(outgoing, options)
  const { body, cutOff } = await readBody(reply, maxBody)
  return { status: reply.statusCode ?? 0, headers: reply.headers, body, cutOff }
}

/**
 * Sends an HTTP request and resolves to the head of its reply. The caller reads the body or
 * destroys it.
 * @throws the error that prevented a status
 */
export async function openReply(
  outgoing: OutgoingRequest,
  options: SendOptions = {},
): Promise<IncomingMessage> {
  // node:https is loaded on first use: a command that only connects over http needs no TLS.
  const isSecure = outgoing.url.startsWith('https:')
  const { request: open } = isSecure ? await import('node:https') : await import('node:http')
  const proxy = options.agent === undefined ? await findProxy(outgoing.url) : undefined
  const agent = proxy === undefined ? options.agent : await openProxyAgent(proxy, isSecure)
  options.signal?.throwIfAborted()
  const request = open(createRequestOptions(outgoing, { ...options, agent }))
  // node:http writes methods in capitals, but in HTTP they are case-sensitive (RFC 9110 section
  // 9.1).
  request.method = outgoing.method
  watchConnection(request, isSecure, options.onConnected)
  const stop = limitTime(request, options)
  try {
    const reply = await awaitReply(request, outgoing.body)
    stop.reply = reply
    // An abort before the caller listens for errors of the HTTP reply must not end the process.
    reply.on('error', () => {})
    if (proxy !== undefined && reply.statusCode === 407)
      throw new ProxyRefusedError(reply.statusCode)
    return reply
  } catch (error) {
    if (!isStaleConnection(request, error)) throw error
    if (options.resendWhenStale !== true) throw new StaleConnectionError(error)
    return await openReply(outgoing, options)
  }
}

function createRequestOptions(
  { method, url, target, headers, body }: OutgoingRequest,
  { agent, lookup }: SendOptions,
): RequestOptions {
  const { hostname, port, path } = urlToHttpOptions(new URL(url))
  return {
    hostname,
    port,
    path: target ?? path,
    method,
    headers: { ...headers, ...createContentLength(headers, body) },
    ...(agent === undefined ? {} : { agent }),
    ...(lookup === undefined ? {} : { lookup }),
  }
}

function watchConnection(
  request: ClientRequest,
  isSecure: boolean,
  onConnected: SendOptions['onConnected'],
): void {
  if (onConnected === undefined) return
  request.once('socket', socket => {
    // The socket of an agent for a proxy is connected, but its TLS is not.
    if (request.reusedSocket || !(isSecure || socket.connecting)) onConnected()
    else socket.once(isSecure ? 'secureConnect' : 'connect', onConnected)
  })
}

/**
 * Destroys the HTTP request, or its `reply` once that is set, on an abort and after the timeout.
 */
function limitTime(
  request: ClientRequest,
  { signal, timeout }: SendOptions,
): { reply: IncomingMessage | undefined } {
  const state: { reply: IncomingMessage | undefined } = { reply: undefined }
  const destroy = (error: Error): void => void (state.reply ?? request).destroy(error)
  const abort = (): void => destroy(signal?.reason)
  const expire = (): void => destroy(new RequestTimeout(timeout ?? 0))
  const timer = timeout === undefined ? undefined : setTimeout(expire, timeout)
  signal?.addEventListener('abort', abort)
  request.once('close', () => {
    clearTimeout(timer)
    signal?.removeEventListener('abort', abort)
  })
  // The lookup of the host name may have aborted the HTTP request already.
  if (signal?.aborted === true) abort()
  return state
}

function createContentLength(
  headers: OutgoingRequest['headers'],
  body: OutgoingRequest['body'],
): { 'Content-Length'?: string } {
  const isSet = Object.keys(headers).some(name => name.toLowerCase() === 'content-length')
  return body === undefined || isSet ? {} : { 'Content-Length': String(Buffer.byteLength(body)) }
}

async function awaitReply(
  request: ClientRequest,
  body: OutgoingRequest['body'],
): Promise<IncomingMessage> {
  return await new Promise((resolve, reject) => {
    request.on('error', reject)
    request.once('response', resolve)
    // An agent for a proxy would pass its refusal of a tunnel on as the server's reply.
    request.once('proxyConnect', ({ statusCode = 200 }) => {
      if (statusCode !== 200) request.destroy(new ProxyRefusedError(statusCode))
    })
    // After a reply to CONNECT and after a 101, the connection is no longer HTTP.
    for (const event of ['connect', 'upgrade'] as const) {
      request.once(event, (message, socket) => {
        socket.destroy()
        message.destroy()
        resolve(message)
      })
    }
    request.end(body)
  })
}

/** The status of an HTTP reply counts even if its body breaks off. */
async function readBody(
  reply: IncomingMessage,
  maxBody: number,
): Promise<{ readonly body: Buffer; readonly cutOff?: Error | undefined }> {
  const chunks: Buffer[] = []
  let size = 0
  let cutOff: Error | undefined
  if (!reply.destroyed) {
    reply.on('error', error => {
      cutOff = error
    })
    reply.on('data', (chunk: Buffer) => {
      chunks.push(chunk)
      size += chunk.length
      if (size > maxBody) reply.destroy(new Error(`the body exceeds ${maxBody} bytes`))
    })
    await new Promise<void>(resolve => reply.once('close', resolve))
  }
  const body = Buffer.concat(chunks)
  return size > maxBody ? { body: body.subarray(0, maxBody), cutOff } : { body, cutOff }
}

/** Whether the server closed a kept-alive connection before it could read this request. */
function isStaleConnection(request: ClientRequest, error: unknown): boolean {
  return request.reusedSocket && ['ECONNRESET', 'EPIPE'].includes(getErrorCode(error))
}
