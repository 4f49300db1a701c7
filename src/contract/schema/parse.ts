// How values are checked against the schemas of contract:
//
// 1. schema-fields.ts has the kinds of fields that requests share, such as text and date-time.
// 2. link-schema.ts has the links of replies.
// 3. parseInput checks a request on the server and names the wrong field in the error.
// 4. parseReply checks a reply in the client.
import type { core, ZodMiniType } from 'zod/mini'
import { RelayError } from '../../errors.js'

type Issue = core.$ZodIssue

/**
 * Checks an input by its schema in the contract. Throws `invalid_request` if something required is
 * missing and `invalid_parameter` for an invalid value; the sentence names the field.
 * @param what names the input in an error
 */
export function parseInput<T>(schema: ZodMiniType<T>, value: unknown, what = 'request'): T {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  // Only this option adds the input to an issue of the schema; it makes the check three times
  // slower.
  const issue = schema.safeParse(value, { reportInput: true }).error?.issues[0]
  throw issue === undefined ? new RelayError('invalid_request', what) : inputError(issue, what)
}

function inputError(issue: Issue, what: string): RelayError {
  const field = issue.path.join('.')
  if (issue.code === 'custom' && issue.params?.missing === true) {
    return new RelayError('invalid_request', issue.message)
  }
  if (issue.code === 'unrecognized_keys') {
    return new RelayError('invalid_parameter', `\`${issue.keys[0]}\` ${issue.message}.`)
  }
  if (field === '') {
    return new RelayError('invalid_request', `The ${what} must be an object with named fields.`)
  }
  if (issue.input === undefined) {
    return new RelayError('invalid_request', `\`${field}\` is required.`)
  }
  return new RelayError('invalid_parameter', `\`${field}\` ${issue.message}.`)
}

/** Checks a relay's reply by its schema in the contract. Throws `invalid_reply`. */
export function parseReply<T>(schema: ZodMiniType<T>, value: unknown): T {
  // Compiling the schema of a reply takes longer than the few checks of a command.
  const result = schema.safeParse(value, { jitless: true })
  if (result.success) return result.data
  const issue = result.error.issues[0]
  const field = issue?.path.length ? `\`${issue.path.join('.')}\`` : 'it'
  throw new RelayError(
    'invalid_reply',
    `The reply is not that of a relay: ${field} ${describeIssue(issue)}.`,
    { hint: 'Check that the address is that of a relay.' },
  )
}

function describeIssue(issue: Issue | undefined): string {
  return issue?.code === 'invalid_type'
    ? `must be of type ${issue.expected}`
    : 'has an unknown value'
}
