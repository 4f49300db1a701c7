import type { LookupFunction } from 'node:net'
import type { WebhookRequest } from '../../contract/webhook/webhook-request.js'
import { type DeliveryResult, maxReplyBytes } from '../../domain/webhook/delivery.js'
import { errorText, getErrorCode } from '../../errors.js'
import { type AddressPolicy, createAddressPolicy } from '../../net/address-policy.js'
import { getCertificateHint, isCertificateError } from '../../net/client/connection-error.js'
import { AddressRefusedError, createGuardedAgents } from '../../net/client/guarded-agent.js'
import { parseRetryAfter } from '../../net/client/retry-after.js'
import { type HttpReply, StaleConnectionError, sendRequest } from '../../net/client/send-request.js'
import { HostResolver } from '../../net/dns/host-resolver.js'
import type { Clock } from '../../util/async/clock.js'
import type { WorkerLease } from '../services/webhooks/next-delivery.js'

export type { DeliveryResult }

/** Sends a webhook; never throws, and ends soon after the signal is aborted. */
export type SendWebhook = (
  request: WebhookRequest,
  signal: AbortSignal,
  details: SendDetails,
) => Promise<DeliveryResult>

export interface SendDetails {
  readonly account: string
  /**
   * Whether to open a connection for this webhook alone. Only another one can end as `stale`.
   * @default false
   */
  readonly isAlone?: boolean
  /**
   * The lease of the webhook: it is not sent if the lease lasts too short when the connection is
   * open, and ends with it. @default no limit
   */
  readonly lease?: Pick<WorkerLease, 'canStart' | 'ending'> | undefined
}

export interface WebhookSender {
  readonly send: SendWebhook
  close(): void
}

export interface WebhookSenderOptions {
  readonly clock: Clock
  readonly policy?: AddressPolicy | undefined
  readonly resolver?: Pick<HostResolver, 'resolve'> | undefined
  /**
   * Milliseconds to connect to a webhook's receiver, name resolution and TLS included.
   * @default 5000
   */
  readonly connectTimeout?: number
  /** Milliseconds until the webhook receiver's reply is complete. @default 15000 */
  readonly replyTimeout?: number
}

/**
 * Milliseconds of an idle webhook connection: shorter than the 5 s after which many servers close
 * it.
 */
const idleTimeout = 4000

const maxReadBytes = 8 * 1024

/** Milliseconds for each address of a webhook's host; Node's 250 is too short for distant ones. */
const addressTimeout = 1000

export function createWebhookSender(options: WebhookSenderOptions): WebhookSender {
  const { clock, policy = createAddressPolicy({ loopback: true }) } = options
  const { resolver = new HostResolver({ clock }) } = options
  const settings = { autoSelectFamilyAttemptTimeout: addressTimeout }
  const keepAlive = { ...settings, keepAlive: true, timeout: idleTimeout }
  const shared = createGuardedAgents(keepAlive, policy)
  const single = createGuardedAgents(settings, policy)
  const send: SendWebhook = async (request, signal, { account, isAlone = false, lease }) => {
    const { plain, secure } = isAlone ? single : shared
    const limits = startLimits(options, signal, lease)
    try {
      const reply = await sendRequest(request, {
        agent: request.url.startsWith('https:') ? secure : plain,
        lookup: createLookup(resolver, account, limits.signal),
        signal: limits.signal,
        onConnected: limits.onConnected,
        maxBody: maxReadBytes,
      })
      return toDeliveryResult(reply, clock.now())
    } catch (error) {
      if (error instanceof StaleConnectionError) return { ok: false, error: staleText, stale: true }
      return { ok: false, error: formatError(error) }
    } finally {
      limits.end()
    }
  }
  const close = (): void => {
    for (const { plain, secure } of [shared, single]) {
      plain.destroy()
      secure.destroy()
    }
  }
  return { send, close }
}

function createLookup(
  resolver: Pick<HostResolver, 'resolve'>,
  account: string,
  signal: AbortSignal,
): LookupFunction {
  return (host, _options, callback) => {
    resolver.resolve(host, account, signal).then(
      addresses => callback(null, [...addresses]),
      error => callback(error, []),
    )
  }
}

interface TimeLimits {
  readonly signal: AbortSignal
  readonly onConnected: () => void
  readonly end: () => void
}

/**
 * Starts the timeouts of a webhook; its signal is also aborted with `stop` and with the lease. A
 * process that was suspended sees the open connection before its timers, so the lease is checked
 * when the connection is open.
 */
function startLimits(
  { clock, connectTimeout = 5000, replyTimeout = 15_000 }: WebhookSenderOptions,
  stop: AbortSignal,
  lease: SendDetails['lease'],
): TimeLimits {
  const controller = new AbortController()
  const abort = (reason: string) => (): void => controller.abort(new Error(reason))
  const onStop = abort('the relay is stopping')
  const onLeaseEnd = abort('another node delivers the webhooks of this account')
  const cancelConnect = clock.after(
    connectTimeout,
    abort(`no connection within ${connectTimeout} ms`),
  )
  const onReply = clock.after(replyTimeout, abort(`no reply within ${replyTimeout} ms`))
  stop.addEventListener('abort', onStop)
  lease?.ending?.addEventListener('abort', onLeaseEnd)
  if (stop.aborted) onStop()
  const onConnected = (): void => {
    cancelConnect()
    if (lease?.canStart() === false) onLeaseEnd()
  }
  const end = (): void => {
    cancelConnect()
    onReply()
    stop.removeEventListener('abort', onStop)
    lease?.ending?.removeEventListener('abort', onLeaseEnd)
  }
  return { signal: controller.signal, onConnected, end }
}

/**
 * Statuses after which the webhook sender reads Retry-After: the receiver is overloaded or
 * unavailable.
 */
const busyStatuses: readonly number[] = [429, 503]

function toDeliveryResult({ status, headers, body }: HttpReply, now: number): DeliveryResult {
  const reply = decodeReply(body)
  if (status >= 200 && status < 300) return { ok: true, status, ...reply }
  const wait = busyStatuses.includes(status)
    ? parseRetryAfter(headers['retry-after'], now)
    : undefined
  return {
    ok: false,
    status,
    error: `The receiver replied ${status}.`,
    ...(wait === undefined ? {} : { retryAfter: wait }),
    ...reply,
  }
}

/** The first bytes of the receiver's reply as text, without an incomplete last character. */
function decodeReply(body: Buffer): { readonly reply?: string } {
  if (body.length === 0) return {}
  return { reply: new TextDecoder().decode(body.subarray(0, maxReplyBytes), { stream: true }) }
}

const staleText =
  'The receiver closed the kept-alive connection without a reply; the webhook is repeated at once.'

const authorityHint =
  'The receiver must send its intermediate certificates, too. If its authority is your own, ' +
  'start the relay with NODE_EXTRA_CA_CERTS=FILE, which names the certificate of the authority.'

function formatError(error: unknown): string {
  if (error instanceof AddressRefusedError) {
    return (
      `The webhook was not sent: ${error.message}; ` +
      'the operator of the relay can allow it with serve --hook-allow.'
    )
  }
  const failure = `The webhook failed: ${errorText(error)}.`
  const code = getErrorCode(error)
  if (!isCertificateError(code)) return failure
  return `${failure} ${getCertificateHint(code, authorityHint)}`
}
