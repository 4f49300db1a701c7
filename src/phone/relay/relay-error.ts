import { type ErrorCode, isRelayError, isTransient, RelayError } from '../../errors.js'

/** Whose move it is when the relay did not do what it was asked: wait, let the report go, or give up. */
export type RelayErrorClass = 'temporary' | 'refused' | 'fatal'

const fatalCodes: readonly ErrorCode[] = ['invalid_client', 'invalid_token', 'insufficient_scope']

/** What an error of a request means for the loop. */
export function classifyRelayError(error: unknown): RelayErrorClass {
  if (!isRelayError(error) || fatalCodes.includes(error.code)) return 'fatal'
  return isTransient(error) ? 'temporary' : 'refused'
}

/** Milliseconds the relay asked to be left alone, at most five minutes; 0 when it did not say. */
export function getRequestedWait(error: unknown): number {
  const seconds = isRelayError(error) ? (error.retryAfter ?? 0) : 0
  return Math.min(Math.max(seconds, 0), 300) * 1000
}

/** The error that ends the loop, with what to do about wrong keys. */
export function explainRelayError(error: unknown): unknown {
  if (isRelayError(error, 'insufficient_scope')) {
    return new RelayError(
      error.code,
      'These keys may not fetch the messages to send: a phone signs in with the application key.',
      { hint: 'Use the application key in place of the API key.', cause: error },
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
