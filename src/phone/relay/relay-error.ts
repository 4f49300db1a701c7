import { type ErrorCode, isRelayError, isTransient, RelayError } from '../../errors.js'

/** What a relay's error means for the phone: try again, drop the report, or end the phone. */
type RelayErrorClass = 'temporary' | 'refused' | 'fatal'

/** Codes of a relay or proxy that refuses a body, because of its size or of a value in it. */
const bodyCodes: readonly ErrorCode[] = [
  'invalid_parameter',
  'invalid_request',
  'payload_too_large',
]
const fatalCodes: readonly ErrorCode[] = ['invalid_client', 'invalid_token', 'insufficient_scope']
const maxRequestedWait = 300_000

export function classifyRelayError(error: unknown): RelayErrorClass {
  if (!isRelayError(error) || fatalCodes.includes(error.code)) return 'fatal'
  return isTransient(error) ? 'temporary' : 'refused'
}

/** Whether the body of a report was refused: its size, or an item in it. */
export function isRefusedReport(error: unknown): error is RelayError {
  return bodyCodes.some(code => isRelayError(error, code))
}

/**
 * Classifies the error of a report of received texts or receipts. Errors that a report cannot cause
 * are those of a proxy, and temporary.
 */
export function classifyForwardError(error: unknown): RelayErrorClass {
  if (classifyRelayError(error) === 'fatal') return 'fatal'
  return isRefusedReport(error) ? 'refused' : 'temporary'
}

/**
 * The wait in milliseconds that the relay asked the phone for, at most five minutes; 0 without one.
 */
export function getRequestedWait(error: unknown): number {
  const seconds = isRelayError(error) ? (error.retryAfter ?? 0) : 0
  return Math.min(Math.max(seconds * 1000, 0), maxRequestedWait)
}

export function explainRelayError(error: unknown): unknown {
  if (isRelayError(error, 'insufficient_scope')) {
    return new RelayError(
      error.code,
      'These keys may not fetch messages; a phone signs in with the application key.',
      { hint: 'Use the application key instead of the API key.', cause: error },
    )
  }
  if (isRelayError(error, 'invalid_client') || isRelayError(error, 'invalid_token')) {
    return new RelayError(
      error.code,
      `The relay does not accept the phone's keys: ${error.message}`,
      { hint: 'Check the secret key and the application key.', cause: error },
    )
  }
  return error
}
