import { once } from 'node:events'
import { connect as connectPlain } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { errorText, getErrorCode } from '../../../errors.js'
import { type HttpReply, RequestTimeout, sendRequest } from '../../../net/client/send-request.js'
import { DriverError, type DriverHealth } from '../../driver-port/driver.js'

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
 * Sends the http driver's request on a new connection. Throws `trouble` before the connection is
 * open, and `unsure` afterwards, because the service may have read the request.
 */
export async function requestService(
  { url, method, headers, body, timeout }: ServiceRequest,
  unsure: 'unknown' | 'retry',
  signal: AbortSignal,
): Promise<ServiceReply> {
  let isConnected = false
  const onConnected = (): void => {
    isConnected = true
  }
  const outgoing = { method, url: url.href, headers, body }
  try {
    const options = { agent: false, signal, timeout, maxBody, onConnected } as const
    const reply = await sendRequest(outgoing, options)
    const text = reply.cutOff === undefined ? reply.body.toString() : undefined
    return { status: reply.status, headers: reply.headers, body: text }
  } catch (error) {
    const reason = signal.aborted ? 'the phone stopped' : describeConnectionError(error)
    const sentence = isConnected
      ? `${url.host} may have the text, but did not answer: ${reason}.`
      : `${url.host} cannot be reached: ${reason}.`
    throw new DriverError(isConnected ? unsure : 'trouble', sentence, { cause: error })
  }
}

/**
 * Checks that a connection to the SMS service opens. It sends no request, because that might send a
 * text.
 */
export async function checkReachable(url: URL): Promise<DriverHealth> {
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
      detail: `${url.host} can be reached; only a text shows whether it accepts the keys.`,
    }
  } catch (error) {
    socket.on('error', () => {})
    return {
      ok: false,
      detail: `${url.host} cannot be reached: ${describeConnectionError(error)}.`,
    }
  } finally {
    socket.destroy()
  }
}

const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  ENOTFOUND: 'there is no such host',
  EAI_AGAIN: 'the name lookup failed',
  EHOSTUNREACH: 'there is no route to the host',
  ENETUNREACH: 'there is no route to the network',
  ETIMEDOUT: 'no answer in time',
  ECONNRESET: 'the connection was closed',
}

function describeConnectionError(error: unknown): string {
  if (error instanceof RequestTimeout) return `no answer in ${error.timeout / 1000} s`
  if (error instanceof Error && error.name === 'AbortError') return 'no answer in time'
  const code = getErrorCode(error)
  if (/CERT|SIGNATURE|ISSUER|ALTNAME/.test(code)) return `its certificate is invalid (${code})`
  return reasons[code] ?? errorText(error)
}
