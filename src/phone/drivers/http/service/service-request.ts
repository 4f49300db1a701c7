// The requests of the driver `http` to a provider.
//
// - service-request.ts sends them, on connections that stay open between texts.
// - client-credentials.ts gets the access tokens of OAuth 2.0.
// - aws-signature.ts signs requests to AWS.

import { once } from 'node:events'
import { Agent } from 'node:http'
import { Agent as SecureAgent } from 'node:https'
import { connect as connectPlain } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { errorText, getErrorCode } from '../../../../errors.js'
import { explainConnectionError } from '../../../../net/client/connection-error.js'
import { describeProxy, findProxy, openProxyAgent } from '../../../../net/client/proxy.js'
import {
  type HttpReply,
  ProxyRefusedError,
  RequestTimeout,
  sendRequest,
} from '../../../../net/client/send-request.js'
import { DriverError, type DriverHealth } from '../../../driver-port/driver.js'

export interface ServiceRequest {
  readonly url: URL
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
  /** Milliseconds until the SMS service's whole reply. */
  readonly timeout: number
}

/** The SMS service's reply; `body` is undefined if it is incomplete or exceeds 1 MB. */
export interface ServiceReply extends Pick<HttpReply, 'status' | 'headers'> {
  readonly body: string | undefined
}

/** Bytes. */
const maxBody = 1_000_000
/** Milliseconds. */
const connectTimeout = 10_000
/**
 * Milliseconds that an unused connection stays open. Most servers close one after 5 s or more; a
 * text that is sent while the server closes has an unknown result.
 */
const idleTimeout = 4000

export class ServiceConnections {
  readonly #plain = new Agent({ keepAlive: true, timeout: idleTimeout })
  readonly #secure = new SecureAgent({ keepAlive: true, timeout: idleTimeout })

  async send(
    request: ServiceRequest,
    unsure: 'unknown' | 'retry' | 'trouble',
    signal: AbortSignal,
  ): Promise<ServiceReply> {
    const agent = request.url.protocol === 'https:' ? this.#secure : this.#plain
    return await requestService(request, unsure, agent, signal)
  }

  close(): void {
    this.#plain.destroy()
    this.#secure.destroy()
  }
}

async function requestService(
  { url, method, headers, body, timeout }: ServiceRequest,
  unsure: 'unknown' | 'retry' | 'trouble',
  agent: Agent,
  signal: AbortSignal,
): Promise<ServiceReply> {
  let isConnected = false
  const onConnected = (): void => {
    isConnected = true
  }
  const outgoing = { method, url: url.href, headers, body }
  const proxy = await describeProxy(url.href)
  const own = proxy === '' ? { agent } : {}
  try {
    const options = { ...own, signal, timeout, maxBody, onConnected } as const
    const reply = await sendRequest(outgoing, options)
    const text = reply.cutOff === undefined ? reply.body.toString() : undefined
    return { status: reply.status, headers: reply.headers, body: text }
  } catch (error) {
    const reason = signal.aborted ? 'the phone stopped' : describeConnectionError(error)
    const isSent = isConnected && !(error instanceof ProxyRefusedError)
    const sentence = isSent
      ? `${url.host} may have the text, but did not answer${proxy}: ${reason}.`
      : `${url.host} cannot be reached${proxy}: ${reason}.`
    throw new DriverError(isSent ? unsure : 'trouble', sentence, { cause: error })
  }
}

export async function downloadText(url: string): Promise<string> {
  const outgoing = { method: 'GET', url, headers: { Accept: '*/*' } }
  const reply = await sendRequest(outgoing, { timeout: connectTimeout, maxBody })
  if (reply.status === 200 && reply.cutOff === undefined) return reply.body.toString()
  throw new Error(`${url} answered ${reply.status}`)
}

/**
 * Checks that a connection to the SMS service, or to the proxy before it, opens. It sends no
 * request, because that might send a text.
 */
export async function checkReachable(service: URL): Promise<DriverHealth> {
  const proxy = await findProxy(service.href)
  // Throws if it is no HTTP proxy.
  if (proxy !== undefined) await openProxyAgent(proxy, false)
  const url = proxy === undefined ? service : new URL(proxy)
  const shown = proxy === undefined ? url.host : `The proxy ${url.host}`
  const secure = url.protocol === 'https:'
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const port = Number(url.port) || (secure ? 443 : 80)
  const name = /^[\d.]+$|:/.test(host) ? '' : host
  const socket = secure
    ? connectTls({ host, port, servername: name })
    : connectPlain({ host, port })
  try {
    const signal = AbortSignal.timeout(connectTimeout)
    await once(socket, secure ? 'secureConnect' : 'connect', { signal })
    return {
      ok: true,
      detail: `${shown} can be reached; only a text shows whether it accepts the keys.`,
    }
  } catch (error) {
    socket.on('error', () => {})
    return {
      ok: false,
      detail: `${shown} cannot be reached: ${describeConnectionError(error)}.`,
    }
  } finally {
    socket.destroy()
  }
}

function describeConnectionError(error: unknown): string {
  if (error instanceof RequestTimeout) return `no answer in ${error.timeout / 1000} s`
  if (error instanceof Error && error.name === 'AbortError') return 'no answer in time'
  return explainConnectionError(getErrorCode(error)) ?? errorText(error)
}
