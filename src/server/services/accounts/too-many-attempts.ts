import { RelayError } from '../../../errors.js'

/** The services' error for an attempt that came too early; `wait` in milliseconds. */
export function tooManyAttemptsError(what: string, wait: number): RelayError {
  const seconds = Math.ceil(wait / 1000)
  return new RelayError('too_many_requests', `Too many ${what}; try again in ${seconds} s.`, {
    retryAfter: seconds,
  })
}
