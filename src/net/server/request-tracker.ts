import type { RequestHeaders } from './field-section.js'
import type { HttpRequest } from './http-request.js'
import { HttpResponse, type ReplyConnection } from './http-response.js'
import type { RequestError } from './request-error.js'

/** Gives the requests of an HTTP server their ids, and learns of each reply. */
export interface RequestTracker {
  /**
   * Called before an HTTP request is handled; sets the id of its reply. A request without a valid
   * head has no `headers`.
   */
  begin(response: HttpResponse, headers?: RequestHeaders): void
  /**
   * Called when the reply to an HTTP request is sent, or when its connection closes before:
   * `isSent` says which. A request without a valid head has no `request`.
   */
  end(response: HttpResponse, isSent: boolean, request?: HttpRequest): void
}

/** Sends the reply to a request that an HTTP server refuses before anything handles it. */
export type SendRefusal = (response: HttpResponse, error: RequestError) => void

/** A refusal as one line of text, for an HTTP server whose clients expect no JSON. */
export const sendPlainRefusal: SendRefusal = (response, { status, message }) => {
  response.send(status, { 'Content-Type': 'text/plain' }, `${message}\n`)
}

/** Begins the reply to a request of an HTTP server that has no valid head. */
export function beginRefusal(
  connection: ReplyConnection,
  tracker: RequestTracker | undefined,
): HttpResponse {
  const response = new HttpResponse({ method: 'GET', version: '1.1' }, connection)
  tracker?.begin(response)
  return response
}

export function refuse(
  response: HttpResponse,
  error: RequestError,
  sendRefusal: SendRefusal,
): void {
  if (error.retryAfter !== undefined) response.setHeader('Retry-After', error.retryAfter)
  sendRefusal(response, error)
}

const validId = /^[\w.-]{1,64}$/

/**
 * Creates a function that returns the id of an HTTP request: that of its field `X-Request-Id` if it
 * has 1 to 64 letters, digits, `_`, `.` or `-`, otherwise the next number after a prefix.
 * @param prefix differs from that of every other process
 */
export function createRequestIds(prefix: string): (headers?: RequestHeaders) => string {
  let count = 0
  return headers => {
    const given = headers?.['x-request-id']
    if (given !== undefined && validId.test(given)) return given
    count += 1
    return `${prefix}-${count.toString(36)}`
  }
}
