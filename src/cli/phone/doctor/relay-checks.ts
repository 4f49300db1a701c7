import type { IncomingMessage } from 'node:http'
import type { TLSSocket } from 'node:tls'
import { toRelayError } from '../../../client/api-error.js'
import { RelayClient } from '../../../client/relay-client.js'
import { isRelayError } from '../../../errors.js'
import { openReply } from '../../../net/client/send-request.js'
import { isLoopbackHost } from '../../../net/ip-address.js'
import type { KeyConnection } from '../../profile/connection.js'
import {
  type CheckResult,
  createFailure,
  createOk,
  createWarning,
  toFailure,
} from './check-result.js'

/** Milliseconds. */
const defaultTimeout = 10_000
/** Milliseconds. */
const maxClockDifference = 5000
const certificateWarningDays = 14
/**
 * The scope that shows an API key; an application key has another (docs/reference/interface.md 5).
 */
const apiKeyScope = '/api/1/*'

export async function* checkRelay(
  connection: KeyConnection,
  signal: AbortSignal,
): AsyncGenerator<CheckResult> {
  const timeout = connection.timeout ?? defaultTimeout
  try {
    const probe = await probeRelay(connection.url, { signal, timeout })
    yield checkReply(connection.url, probe)
    if (probe.ahead !== undefined) yield checkClock(probe.ahead)
  } catch (error) {
    signal.throwIfAborted()
    yield toFailure('relay', error)
    return
  }
  yield* checkKeys({ ...connection, timeout }, signal)
}

function checkReply(url: string, { status, duration, tls }: ProbeResult): CheckResult {
  if (status >= 500) {
    const hint = 'See the log of the relay, and of the proxy in front of it.'
    return createFailure('relay', `${url} responds with HTTP status ${status}.`, hint)
  }
  const detail = `${url} responds in ${duration} ms${tls === undefined ? '' : `, ${tls.version}`}.`
  if (tls !== undefined && tls.days < certificateWarningDays) {
    const expiry = `Its certificate expires in ${tls.days} days.`
    return createWarning('relay', `${detail} ${expiry}`, 'Renew the certificate.')
  }
  if (tls === undefined && !isLoopbackHost(new URL(url).hostname)) {
    const hint = 'Use a proxy with TLS, or a private network.'
    return createWarning('relay', `${detail} Keys and texts are not encrypted.`, hint)
  }
  return createOk('relay', detail)
}

function checkClock(ahead: number): CheckResult {
  if (Math.abs(ahead) <= maxClockDifference) {
    return createOk('clock', 'This machine and the relay have the same time.')
  }
  const seconds = Math.round(Math.abs(ahead) / 1000)
  const detail = `The relay is ${seconds} s ${ahead > 0 ? 'ahead of' : 'behind'} this machine.`
  const hint = 'Quiet hours and rates use the clock of this machine: sudo timedatectl set-ntp true'
  return createWarning('clock', detail, hint)
}

/**
 * Signs in to the relay and out, to check the phone's keys. The scope shows the kind of key; NEXT
 * would take a message.
 */
async function* checkKeys(
  connection: KeyConnection,
  signal: AbortSignal,
): AsyncGenerator<CheckResult> {
  const options = { retries: 0, ...connection }
  const client = new RelayClient(options)
  let token: string | undefined
  try {
    const issued = await client.issueToken({ signal })
    token = issued.access_token
    yield checkScope(issued.scope)
    const { status } = new RelayClient({ ...options, token })
    const { waiting, due, leased } = await status.getQueue({ signal })
    yield createOk('queue', `${waiting} waiting, ${due} due, ${leased} leased.`)
  } catch (error) {
    signal.throwIfAborted()
    yield isRelayError(error, 'invalid_client')
      ? createFailure('keys', error.message, 'Save the right keys: smsrelay login.')
      : toFailure('keys', error)
  } finally {
    if (token !== undefined) await client.revokeToken(token, { signal }).catch(() => undefined)
  }
}

function checkScope(scope: string): CheckResult {
  if (!scope.split(' ').includes(apiKeyScope)) {
    return createOk('keys', `They have the scope of a phone: ${scope}.`)
  }
  const detail = 'This is the API key, but a phone needs the application key.'
  return createFailure('keys', detail, 'Use smsrelay login, or SMSRELAY_APP_KEY.')
}

interface ProbeResult {
  readonly status: number
  readonly duration: number
  /** Milliseconds that the relay's clock is ahead of the client's, from the field Date; ±500. */
  readonly ahead?: number
  /** TLS version of the relay that the client reached, and days until its certificate expires. */
  readonly tls?: { readonly version: string; readonly days: number }
}

interface ProbeOptions {
  readonly signal: AbortSignal
  readonly timeout: number
  /** The client's clock, milliseconds since the epoch. @default Date.now */
  readonly now?: () => number
}

/**
 * Sends the relay the first request, without keys; accepts any status. Throws RelayError.
 */
async function probeRelay(
  url: string,
  { signal, timeout, now = Date.now }: ProbeOptions,
): Promise<ProbeResult> {
  const started = now()
  const request = { method: 'GET', url: `${url}/`, headers: {} }
  try {
    const reply = await openReply(request, { signal, timeout })
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
    throw await toRelayError(error, url, signal)
  }
}

function getTlsDetails({ socket }: IncomingMessage, now: number): ProbeResult['tls'] {
  if (!('getProtocol' in socket)) return undefined
  const { valid_to: until } = (socket as TLSSocket).getPeerCertificate()
  const days = Math.floor((Date.parse(until) - now) / 86_400_000)
  return { version: (socket as TLSSocket).getProtocol() ?? 'unknown', days }
}
