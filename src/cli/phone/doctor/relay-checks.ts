import { type ProbeResult, probeRelay } from '../../../client/probe-relay.js'
import { RelayClient } from '../../../client/relay-client.js'
import { sendWithoutKy } from '../../../client/request-sender.js'
import { isRelayError } from '../../../errors.js'
import { isLoopbackHost } from '../../../net/ip-address.js'
import type { Connection } from '../../profile/connection.js'
import { getQueueStatus } from '../queue-status.js'
import { type CheckResult, createOkResult, createProblem, toFailedResult } from './check-result.js'

const defaultTimeout = 10_000
const maxClockDifference = 5000
const certificateWarningDays = 14
/** What a phone is allowed, and what an API key is (SPEC.md section 5). */
const apiKeyScope = '/api/1/*'

/** Looks at the relay: whether it answers, what time it has there, and whether the phone's keys open it. */
export async function* checkRelay(
  connection: Connection,
  signal: AbortSignal,
): AsyncGenerator<CheckResult> {
  const timeout = connection.timeout ?? defaultTimeout
  try {
    const probe = await probeRelay(connection.url, { signal, timeout })
    yield checkReply(connection.url, probe)
    yield* checkClock(probe)
  } catch (error) {
    signal.throwIfAborted()
    yield toFailedResult('relay', error)
    return
  }
  yield* checkKeys({ ...connection, timeout }, signal)
}

function checkReply(url: string, { status, took, tls }: ProbeResult): CheckResult {
  const detail = `${url} answers in ${took} ms${tls === undefined ? '' : `, ${tls.version}`}.`
  if (status >= 500) {
    const hint = 'Look at the log of the service, and of the proxy in front of it.'
    return createProblem('failed', 'relay', `${url} answers with HTTP status ${status}.`, hint)
  }
  if (tls !== undefined && tls.days < certificateWarningDays) {
    return createProblem(
      'warning',
      'relay',
      `${detail} Its certificate ends in ${tls.days} days.`,
      'Renew it.',
    )
  }
  if (tls === undefined && !isLoopbackHost(new URL(url).hostname)) {
    const hint = 'Put a proxy with TLS in front of it, or keep it to a network of your own.'
    return createProblem(
      'warning',
      'relay',
      `${detail} Keys and texts go over the line unencrypted.`,
      hint,
    )
  }
  return createOkResult('relay', detail)
}

function* checkClock({ ahead }: ProbeResult): Generator<CheckResult> {
  if (ahead === undefined) return
  const seconds = Math.round(Math.abs(ahead) / 1000)
  if (Math.abs(ahead) <= maxClockDifference)
    yield createOkResult('clock', 'The same as the relay has.')
  else {
    const detail = `The relay is ${seconds} s ${ahead > 0 ? 'ahead of' : 'behind'} this machine.`
    const hint = 'Quiet hours and rates go by the clock here: sudo timedatectl set-ntp true'
    yield createProblem('warning', 'clock', detail, hint)
  }
}

/** Signs in and out again: NEXT would take a message, the scope tells as much. */
async function* checkKeys(
  connection: Connection,
  signal: AbortSignal,
): AsyncGenerator<CheckResult> {
  const options = { request: sendWithoutKy, retries: 0, ...connection }
  const client = new RelayClient(options)
  let token: string | undefined
  try {
    const issued = await client.issueToken({ signal })
    token = issued.access_token
    yield checkScope(issued.scope)
    const queue = await getQueueStatus(new RelayClient({ ...options, token }), { signal })
    if (queue !== undefined) {
      yield createOkResult(
        'queue',
        `${queue.waiting} waiting, ${queue.due} due, ${queue.leased} with phones.`,
      )
    }
  } catch (error) {
    signal.throwIfAborted()
    yield isRelayError(error, 'invalid_client')
      ? createProblem('failed', 'keys', error.message, 'smsrelay login saves the right ones.')
      : toFailedResult('keys', error)
  } finally {
    if (token !== undefined) await client.revokeToken(token, { signal }).catch(() => undefined)
  }
}

function checkScope(scope: string): CheckResult {
  if (!scope.split(' ').includes(apiKeyScope)) {
    return createOkResult('keys', `They open what a phone needs: ${scope}.`)
  }
  const detail = 'This is the API key: NEXT is for the application key only.'
  return createProblem(
    'failed',
    'keys',
    detail,
    'Give the application key: smsrelay login, or SMSRELAY_APP_KEY.',
  )
}
