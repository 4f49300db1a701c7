import type { z } from 'zod'
import { RelayError } from '../../errors.js'

type Issue = z.core.$ZodIssue

/**
 * Checks a value against a schema of the interface. Throws `invalid_request` when something required is
 * missing and `invalid_parameter` when a value is wrong, with a sentence that names the field.
 */
export function parseInput<T>(schema: z.ZodType<T>, value: unknown, what = 'request'): T {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  // Only this one tells the input of an issue, which takes three times as long.
  const issue = schema.safeParse(value, { reportInput: true }).error?.issues[0]
  throw issue === undefined ? new RelayError('invalid_request', what) : toInputError(issue, what)
}

function toInputError(issue: Issue, what: string): RelayError {
  const field = issue.path.join('.')
  if (issue.code === 'custom' && issue.params?.missing === true) {
    return new RelayError('invalid_request', issue.message)
  }
  if (field === '')
    return new RelayError('invalid_request', `The ${what} must be an object with named fields.`)
  if (issue.input === undefined) {
    return new RelayError('invalid_request', `\`${field}\` is required.`)
  }
  return new RelayError('invalid_parameter', `\`${field}\` ${issue.message}.`)
}
