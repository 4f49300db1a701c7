import type { ClientRequest, IncomingMessage, RequestOptions } from 'node:http'
import type { TLSSocket } from 'node:tls'
import { RequestTimeout } from '../net/client/request.js'
import { toRelayError } from './api-error.js'

/** What one look at a relay has shown. */
export interface ProbeResult {
  readonly status: number
  /** Milliseconds the answer took. */
  readonly took: number
  /** Its clock less ours, in milliseconds, as well as the header field Date tells: to half a second. */
  readonly ahead?: number
  /** Version of TLS, and days until the certificate ends. */
  readonly tls?: { readonly version: string; readonly days: number }
}

/** What {@link probeRelay} works with. */
export interface ProbeOptions {
  readonly signal: AbortSignal
  /** Milliseconds. */
  readonly timeout: number
  /** Milliseconds since the epoch. @default Date.now */
  readonly now?: () => number
}

/** Looks at how a relay answers, whatever it says; needs no keys. Throws RelayError. */
export async function probeRelay(
  url: string,
  { signal, timeout, now = Date.now }: ProbeOptions,
): Promise<ProbeResult> {
  const { request }: { request: (url: string, options: RequestOptions) => ClientRequest } =
    url.startsWith('https:') ? await import('node:https') : await import('node:http')
  const began = now()
  try {
    const response = await awaitResponse(request(`${url}/`, { signal, agent: false }), timeout)
    const ended = now()
    const date = Date.parse(response.headers.date ?? '')
    const tls = getTlsDetails(response, ended)
    response.destroy()
    return {
      ...{ status: response.statusCode ?? 0, took: ended - began },
      // The header has whole seconds, so half of one is the best guess.
      ...(Number.isNaN(date) ? {} : { ahead: date + 500 - (began + ended) / 2 }),
      ...(tls === undefined ? {} : { tls }),
    }
  } catch (error) {
    throw toRelayError(error, url, signal)
  }
}

function awaitResponse(request: ClientRequest, timeout: number): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      reject(new RequestTimeout())
      request.destroy()
    }, timeout)
    request.on('response', resolve)
    request.on('error', reject)
    request.on('close', () => clearTimeout(timer))
    request.end()
  })
}

function getTlsDetails({ socket }: IncomingMessage, now: number): ProbeResult['tls'] {
  if (!('getProtocol' in socket)) return undefined
  const { valid_to: until } = (socket as TLSSocket).getPeerCertificate()
  const days = Math.floor((Date.parse(until) - now) / 86_400_000)
  return { version: (socket as TLSSocket).getProtocol() ?? 'unknown', days }
}
