import { type Probe, probeRelay } from '../../../client/probe-relay.js'
import { RelayClient } from '../../../client/relay-client.js'
import { isRelayError } from '../../../errors.js'
import { httpRequester } from '../../../net/client/http-request.js'
import type { Connection } from '../../profile/connection.js'
import { knownQueue } from '../queue-status.js'
import { type Check, failedBy, fine, wrong } from './check-result.js'

const timeoutUnlessTold = 10_000
const clockMayBeOff = 5000
const soon = 14
/** What a phone is allowed, and what an API key is (SPEC.md section 5). */
const wholeInterface = '/api/1/*'

/** Looks at the relay: whether it answers, what time it has there, and whether the phone's keys open it. */
export async function* relayChecks(
  connection: Connection,
  signal: AbortSignal,
): AsyncGenerator<Check> {
  const timeout = connection.timeout ?? timeoutUnlessTold
  try {
    const probe = await probeRelay(connection.url, { signal, timeout })
    yield reached(connection.url, probe)
    yield* clockOf(probe)
  } catch (error) {
    signal.throwIfAborted()
    yield failedBy('relay', error)
    return
  }
  yield* keysOf({ ...connection, timeout }, signal)
}

function reached(url: string, { status, took, tls }: Probe): Check {
  const detail = `${url} answers in ${took} ms${tls === undefined ? '' : `, ${tls.version}`}.`
  if (status >= 500) {
    const hint = 'Look at the log of the service, and of the proxy in front of it.'
    return wrong('failed', 'relay', `${url} answers with HTTP status ${status}.`, hint)
  }
  if (tls !== undefined && tls.days < soon) {
    return wrong(
      'warning',
      'relay',
      `${detail} Its certificate ends in ${tls.days} days.`,
      'Renew it.',
    )
  }
  if (tls === undefined && !isHere(new URL(url).hostname)) {
    const hint = 'Put a proxy with TLS in front of it, or keep it to a network of your own.'
    return wrong('warning', 'relay', `${detail} Keys and texts go over the line unencrypted.`, hint)
  }
  return fine('relay', detail)
}

/** Whether a host is this machine. */
function isHere(host: string): boolean {
  return host === 'localhost' || host === '[::1]' || host.startsWith('127.')
}

function* clockOf({ ahead }: Probe): Generator<Check> {
  if (ahead === undefined) return
  const seconds = Math.round(Math.abs(ahead) / 1000)
  if (Math.abs(ahead) <= clockMayBeOff) yield fine('clock', 'The same as the relay has.')
  else {
    const detail = `The relay is ${seconds} s ${ahead > 0 ? 'ahead of' : 'behind'} this machine.`
    const hint = 'Quiet hours and rates go by the clock here: sudo timedatectl set-ntp true'
    yield wrong('warning', 'clock', detail, hint)
  }
}

/** Signs in and out again: NEXT would take a message, the scope tells as much. */
async function* keysOf(connection: Connection, signal: AbortSignal): AsyncGenerator<Check> {
  const options = { request: httpRequester, retries: 0, ...connection }
  const client = new RelayClient(options)
  let token: string | undefined
  try {
    const issued = await client.issueToken({ signal })
    token = issued.access_token
    yield scopeOf(issued.scope)
    const queue = await knownQueue(new RelayClient({ ...options, token }), { signal })
    if (queue !== undefined) {
      yield fine(
        'queue',
        `${queue.waiting} waiting, ${queue.due} due, ${queue.leased} with phones.`,
      )
    }
  } catch (error) {
    signal.throwIfAborted()
    yield isRelayError(error, 'invalid_client')
      ? wrong('failed', 'keys', error.message, 'smsrelay login saves the right ones.')
      : failedBy('keys', error)
  } finally {
    if (token !== undefined) await client.revokeToken(token, { signal }).catch(() => undefined)
  }
}

function scopeOf(scope: string): Check {
  if (!scope.split(' ').includes(wholeInterface)) {
    return fine('keys', `They open what a phone needs: ${scope}.`)
  }
  const detail = 'This is the API key: NEXT is for the application key only.'
  return wrong(
    'failed',
    'keys',
    detail,
    'Give the application key: smsrelay login, or SMSRELAY_APP_KEY.',
  )
}
