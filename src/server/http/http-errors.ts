import { apiErrors, isApiErrorCode } from '../../contract/api/api-errors.js'
import type { ErrorReply } from '../../contract/user-schema.js'
import { type ErrorCode, RelayError } from '../../errors.js'
import type { HttpResponse } from '../../net/server/http-response.js'
import type { SendRefusal } from '../../net/server/request-tracker.js'

/**
 * Answers an HTTP request that no route sees: an invalid one, or one of a connection beyond the
 * limits.
 */
export const sendRefusal: SendRefusal = (response, { status, message }) => {
  const code = refusalCodes[status] ?? 'invalid_request'
  sendErrorReply(response, status, new RelayError(code, message))
}

const refusalCodes: Readonly<Record<number, ErrorCode>> = {
  ...{ 403: 'forbidden', 408: 'timed_out', 503: 'unavailable' },
}

export type ReportDefect = (error: unknown, requestId?: string) => void

/**
 * Creates the error handler of all routes: it sends a status and an error body (RFC 6749 section
 * 5.2).
 */
export function createErrorResponder(report: ReportDefect) {
  return (
    error: unknown,
    _request: unknown,
    response: HttpResponse,
    next: (error: unknown) => void,
  ): void => {
    const relayError = asRelayError(error, report, response.requestId)
    if (response.headersSent) {
      next(error)
      return
    }
    const status = getErrorStatus(relayError)
    if (status === 401) response.setHeader('WWW-Authenticate', formatChallenge(relayError.code))
    const retryAfter = getRetryAfter(relayError)
    if (retryAfter !== undefined) response.setHeader('Retry-After', retryAfter)
    sendErrorReply(response, status, relayError)
  }
}

function sendErrorReply(response: HttpResponse, status: number, error: RelayError): void {
  response.errorCode = error.code
  response.sendJson(status, JSON.stringify(toErrorReply(error, response.requestId)))
}

export function toErrorReply(
  { code, message, hint }: RelayError,
  requestId: string | undefined,
): ErrorReply {
  const description = hint === undefined ? message : `${message} ${hint}`
  const reply = { error: code, error_description: description }
  return requestId === undefined ? reply : { ...reply, request_id: requestId }
}

export function getErrorStatus({ code }: RelayError): number {
  return isApiErrorCode(code) ? apiErrors[code].status : 500
}

/** Returns the field Retry-After of an HTTP reply with an error (RFC 9110 section 10.2.3). */
export function getRetryAfter(error: RelayError): string | undefined {
  const retryAfter = error.retryAfter ?? (getErrorStatus(error) === 503 ? 5 : undefined)
  return retryAfter === undefined ? undefined : String(Math.ceil(retryAfter))
}

/**
 * Returns the error that the reply shows. Reports an unexpected error instead of sending its text.
 */
export function asRelayError(
  error: unknown,
  report: ReportDefect,
  requestId: string | undefined,
): RelayError {
  if (error instanceof RelayError && isAnswered(error.code)) return error
  if (error instanceof URIError) {
    return new RelayError('invalid_request', 'The path has a malformed percent-encoding.')
  }
  report(error, requestId)
  return new RelayError(
    'internal_error',
    'The relay failed to answer this request. Its log has the reason.',
  )
}

function isAnswered(code: ErrorCode): boolean {
  return isApiErrorCode(code) && code !== 'internal_error' && code !== 'timed_out'
}

function formatChallenge(code: ErrorCode): string {
  if (code === 'invalid_client') return 'Basic realm="smsrelay", charset="UTF-8"'
  return 'Bearer realm="smsrelay", error="invalid_token"'
}
