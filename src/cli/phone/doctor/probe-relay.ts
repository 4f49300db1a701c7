import type { IncomingMessage } from 'node:http'
import type { TLSSocket } from 'node:tls'
import { toRelayError } from '../../../client/api-error.js'
import { openReply } from '../../../net/client/send-request.js'

export interface ProbeResult {
  readonly status: number
  /** Milliseconds until the client had the relay's reply. */
  readonly duration: number
  /** Milliseconds that the relay's clock is ahead of the client's, from the field Date; ±500. */
  readonly ahead?: number
  /** TLS version of the relay that the client reached, and days until its certificate expires. */
  readonly tls?: { readonly version: string; readonly days: number }
}

export interface ProbeOptions {
  readonly signal: AbortSignal
  /** Milliseconds that the client waits for the relay. */
  readonly timeout: number
  /** The client's clock, milliseconds since the epoch. @default Date.now */
  readonly now?: () => number
}

/**
 * Sends the relay one request without keys on a new connection; accepts any status. Throws
 * RelayError.
 */
export async function probeRelay(
  url: string,
  { signal, timeout, now = Date.now }: ProbeOptions,
): Promise<ProbeResult> {
  const started = now()
  const request = { method: 'GET', url: `${url}/`, headers: {} }
  try {
    const reply = await openReply(request, { agent: false, signal, timeout })
    const ended = now()
    const date = Date.parse(reply.headers.date ?? '')
    const tls = getTlsDetails(reply, ended)
    reply.destroy()
    return {
      status: reply.statusCode ?? 0,
      duration: ended - started,
      // The relay's field Date has whole seconds, so the client adds half a second.
      ...(Number.isNaN(date) ? {} : { ahead: date + 500 - (started + ended) / 2 }),
      ...(tls === undefined ? {} : { tls }),
    }
  } catch (error) {
    throw toRelayError(error, url, signal)
  }
}

function getTlsDetails({ socket }: IncomingMessage, now: number): ProbeResult['tls'] {
  if (!('getProtocol' in socket)) return undefined
  const { valid_to: until } = (socket as TLSSocket).getPeerCertificate()
  const days = Math.floor((Date.parse(until) - now) / 86_400_000)
  return { version: (socket as TLSSocket).getProtocol() ?? 'unknown', days }
}
