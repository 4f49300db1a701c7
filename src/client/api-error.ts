import { errorReply } from '../contract/user-schema.js'
import { type ErrorCode, errorCodes, RelayError } from '../errors.js'
import { RequestTimeout, type WireReply } from '../net/client/request.js'

/** The error of a reply that is not a success: what the relay says of it. */
export function replyError({ status, text, retryAfter }: WireReply): RelayError {
  const body = errorReply.safeParse(parseJson(text), { jitless: true })
  if (!body.success) {
    return new RelayError('invalid_reply', `The relay answered with HTTP status ${status}.`)
  }
  const code = body.data.error
  const known: ErrorCode = Object.hasOwn(errorCodes, code) ? (code as ErrorCode) : 'invalid_reply'
  const seconds = Number(retryAfter ?? Number.NaN)
  const options = Number.isFinite(seconds) ? { retryAfter: seconds } : {}
  return new RelayError(known, body.data.error_description, options)
}

/** What a caller is told of whatever kept a reply away; the error itself when the caller gave up. */
export function toRelayError(error: unknown, url: string, signal?: AbortSignal): unknown {
  if (error instanceof RelayError || signal?.aborted === true) return error
  if (error instanceof RequestTimeout) {
    return new RelayError('timed_out', `The relay at ${url} did not answer in time.`)
  }
  if (error instanceof SyntaxError) {
    return new RelayError('invalid_reply', `The answer of ${url} is not JSON.`, {
      hint: 'Check that the address is that of a relay.',
    })
  }
  return new RelayError(
    'unreachable',
    `The relay at ${url} could not be reached (${reason(error)}).`,
    {
      hint: 'Check the address, and that the service is running (smsrelay serve).',
      cause: error,
    },
  )
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The words of the error below: fetch tells what happened in its cause, a name with several addresses in a list. */
function reason(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const below: unknown = error instanceof AggregateError ? error.errors[0] : error.cause
  return below instanceof Error ? reason(below) : error.message
}
