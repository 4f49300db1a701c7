import { redactText } from '../../domain/redact-text.js'
import { errorText, getErrorCode } from '../../errors.js'
import type { Log, LogError } from './log.js'

/**
 * Creates a function that logs an error that nobody foresaw, with the id of the HTTP request that
 * it ended. Its text has no numbers and secrets.
 * @param hasStack whether the log gets the error's stack
 */
export function createDefectReporter(
  log: Log,
  hasStack: boolean,
): (error: unknown, requestId?: string) => void {
  return (error, requestId) => {
    const fields = requestId === undefined ? {} : { request: requestId }
    log.write('error', 'internal_error', 'An internal error occurred.', {
      ...fields,
      error: describeError(error, hasStack),
    })
  }
}

function describeError(error: unknown, hasStack: boolean): LogError {
  const code = getErrorCode(error)
  const stack = hasStack && error instanceof Error ? error.stack : undefined
  return {
    ...(code === '' ? {} : { code }),
    message: redactText(errorText(error)),
    ...(stack === undefined ? {} : { stack: redactText(stack) }),
  }
}
