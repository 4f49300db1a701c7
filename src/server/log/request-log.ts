import { randomBytes } from 'node:crypto'
import { channel } from 'node:diagnostics_channel'
import type { LogLevel } from '../../domain/log-level.js'
import { normalizeAddress } from '../../net/ip-address.js'
import { findForwardedClient, type TrustProxy } from '../../net/server/forwarded-client.js'
import type { HttpRequest } from '../../net/server/http-request.js'
import type { HttpResponse } from '../../net/server/http-response.js'
import { createRequestIds, type RequestTracker } from '../../net/server/request-tracker.js'
import type { Clock } from '../../util/async/clock.js'
import type { Log, LogFields } from './log.js'

export interface RequestLogOptions {
  readonly log: Log
  readonly clock: Pick<Clock, 'monotonic'>
  readonly trustProxy: TrustProxy | undefined
}

/** Channel on which programs that embed a relay get the fields of each of its HTTP requests. */
const requestChannel = channel('smsrelay:request')

/** Requests that phones, senders and monitors repeat: their successes are logged at debug. */
const frequent: ReadonlySet<string> = new Set([
  'NEXT /api/1/message',
  'GET /api/1/message/next',
  'GET /api/1/message/queue',
  'POST /api/1/message',
  'POST /api/1/message/batch',
  'POST /api/1/message/report',
  'POST /api/1/message/delivery',
  'GET /api/1/message/:id',
  'PUT /api/1/message/:id/success',
  'PUT /api/1/message/:id/failure',
  'GET /assets/:version/:name',
  'GET /healthz',
  'GET /readyz',
  'GET /metrics',
])
const standardMethods = /^(?:GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS|TRACE|CONNECT|NEXT)$/
/** The `traceparent` of an HTTP request (W3C Trace Context, section 3.2): its trace id. */
const traceParent = /^[\da-f]{2}-(?!0{32})([\da-f]{32})-[\da-f]{16}-[\da-f]{2}(?:-|$)/
const uuid = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/

/** Creates the tracker that gives HTTP requests their ids and logs each with its reply. */
export function createRequestLog({ log, clock, trustProxy }: RequestLogOptions): RequestTracker {
  const createId = createRequestIds(randomBytes(5).toString('hex'))
  return {
    begin: (response, headers) => {
      response.requestId = createId(headers)
      response.startedAt = clock.monotonic()
    },
    end: (response, isSent, request) => {
      const level = chooseLevel(response, request)
      const isLogged = log.isEnabled(level)
      if (!isLogged && !requestChannel.hasSubscribers) return
      const fields = {
        ...describeRequest(request),
        ...describeReply(response, clock.monotonic()),
        ...describeRemote(
          (request && trustProxy && findForwardedClient(request, trustProxy)) ??
            normalizeAddress(response.remoteAddress),
        ),
      }
      requestChannel.publish(fields)
      if (isLogged) log.write(level, 'request', formatRequest(fields, isSent), fields)
    },
  }
}

function chooseLevel({ status }: HttpResponse, request: HttpRequest | undefined): LogLevel {
  if (status >= 500) return 'warn'
  if (request === undefined) return 'info'
  const operation = `${request.method} ${request.route?.path}`
  const isPoll = 'x-page-version' in request.headers && request.method === 'GET'
  if (!isPoll && !frequent.has(operation)) return 'info'
  // NEXT without a message is a 404.
  const isEmpty = status === 404 && (operation.startsWith('NEXT') || operation.endsWith('/next'))
  return status < 400 || isEmpty ? 'debug' : 'info'
}

function describeRequest(request: HttpRequest | undefined): LogFields {
  if (request === undefined) return {}
  const { method, headers, account, params } = request
  const route = request.route?.path
  const id = typeof params?.id === 'string' && uuid.test(params.id) ? params.id : undefined
  const trace = traceParent.exec(headers.traceparent ?? '')?.[1]
  return {
    ...(trace === undefined ? {} : { trace_id: trace }),
    method: standardMethods.test(method) ? method : 'other',
    ...(route === undefined ? {} : { route }),
    ...(account === undefined ? {} : { account }),
    ...(id !== undefined && route?.includes('/message/:id') ? { message: id } : {}),
    ...(id !== undefined && route?.includes('/subscription/:id') ? { subscription: id } : {}),
  }
}

function describeReply(response: HttpResponse, now: number): LogFields {
  const { requestId, status, errorCode, bytes, startedAt } = response
  return {
    ...(requestId === undefined ? {} : { request: requestId }),
    ...(status === 0 ? {} : { status }),
    ms: Math.round(10 * (now - startedAt)) / 10,
    bytes,
    ...(errorCode === undefined ? {} : { error: { code: errorCode } }),
  }
}

/** The other end of a Unix socket has no address. */
function describeRemote(remote: string): LogFields {
  return remote === '' ? {} : { remote }
}

function formatRequest({ method, route, status }: LogFields, isSent: boolean): string {
  const what = method === undefined ? 'Invalid request' : `${method} ${route ?? 'unknown path'}`
  if (isSent) return `${what}: ${status}`
  return `${what}: the connection was closed before the end of the reply`
}
