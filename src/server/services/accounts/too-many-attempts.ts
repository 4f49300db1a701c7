import { RelayError } from '../../../errors.js'
import { formatWait } from '../../../util/text/wait.js'

export function tooManyAttemptsError(what: string, wait: number): RelayError {
  const seconds = Math.ceil(wait / 1000)
  const text = `Too many ${what}; try again in ${formatWait(seconds)}.`
  return new RelayError('too_many_requests', text, { retryAfter: seconds })
}
