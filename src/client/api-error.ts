import { errorReply } from '../contract/user-schema.js'
import { type ErrorCode, errorCodes, errorText, getErrorCode, RelayError } from '../errors.js'
import { getCertificateHint, isCertificateError } from '../net/client/connection-error.js'
import { describeProxy, proxyHint } from '../net/client/proxy.js'
import { RequestTimeout } from '../net/client/send-request.js'
import { parseJson } from '../util/text/parse-json.js'
import type { RelayReply } from './request-sender.js'

/**
 * Makes the RelayError of the reply other than 2xx of the relay at `url`. Without a valid body it
 * is that of a proxy: `payload_too_large` with the status 413, or else `invalid_reply`.
 */
export async function replyError(
  { status, text, retryAfter }: RelayReply,
  url: string,
): Promise<RelayError> {
  const body = errorReply.safeParse(parseJson(text), { jitless: true })
  if (!body.success) {
    const code = status === 413 ? 'payload_too_large' : 'invalid_reply'
    const proxy = await describeProxy(url)
    const hint = proxy === '' ? undefined : proxyHint
    return new RelayError(code, `The relay answered${proxy} with HTTP status ${status}.`, { hint })
  }
  const code = body.data.error
  const known: ErrorCode = Object.hasOwn(errorCodes, code) ? (code as ErrorCode) : 'invalid_reply'
  const seconds = Number(retryAfter ?? Number.NaN)
  const options = Number.isFinite(seconds) ? { retryAfter: seconds } : {}
  return new RelayError(known, body.data.error_description, options)
}

/**
 * Makes a RelayError of any error of a client's request; after an abort, returns the error itself.
 */
export async function toRelayError(
  error: unknown,
  url: string,
  signal?: AbortSignal,
): Promise<unknown> {
  if (error instanceof RelayError || signal?.aborted === true) return error
  const proxy = await describeProxy(url)
  if (error instanceof RequestTimeout) {
    return new RelayError('timed_out', `The relay at ${url} did not answer${proxy} in time.`)
  }
  if (error instanceof SyntaxError) {
    return new RelayError('invalid_reply', `The reply of ${url} is not JSON.`, {
      hint: 'Check that the address is that of a relay.',
    })
  }
  const root = findRootCause(error)
  const message = `The relay at ${url} could not be reached${proxy} (${errorText(root)}).`
  const check = 'Check the address, and that the relay is running (smsrelay serve).'
  const other = proxy === '' ? check : proxyHint
  const code = getErrorCode(root)
  const hint = isCertificateError(code) ? getCertificateHint(code) : other
  return new RelayError('unreachable', message, { hint, cause: error })
}

/**
 * The client's fetch has the network error as `cause`; with several addresses, that is an
 * AggregateError.
 */
function findRootCause(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  const below: unknown = error instanceof AggregateError ? error.errors[0] : error.cause
  return below instanceof Error ? findRootCause(below) : error
}
