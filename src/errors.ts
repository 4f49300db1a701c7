/** Every error code, with the condition that it names (docs/reference/interface.md 7). */
export const errorCodes = {
  not_a_message: 'the message does not exist or belongs to another account',
  not_a_subscription: 'the subscription does not exist or belongs to another account',
  not_an_account: 'the account does not exist',
  invalid_parameter: 'a value is invalid',
  invalid_request: 'something required is missing, or the request is malformed',
  invalid_client: 'the credentials on /oauth are wrong or missing',
  invalid_token: 'the bearer token is wrong, missing, expired or revoked',
  insufficient_scope: 'the token is valid but not allowed to do this',
  forbidden: 'the role of the person does not allow this',
  invalid_state: 'the state of the message or subscription does not allow this',
  precondition_failed: 'the resource has changed since the version that the request names',
  not_found: 'there is nothing at this path',
  method_not_allowed: 'the path does not support this method',
  unsupported_media_type: 'the content type of the body is not supported',
  payload_too_large: 'the body is too large',
  too_many_requests: 'too many requests',
  unavailable: 'the relay cannot do this at present',
  internal_error: 'the relay failed',
  timed_out: 'something did not happen in time',
  unreachable: 'the relay could not be reached',
  invalid_reply: 'the reply is not that of a relay',
  usage: 'the command line is invalid',
  configuration: 'the settings contradict each other or are incomplete',
  directory_in_use: 'another process uses the data directory',
  damaged_data: 'the data directory holds something unreadable',
} as const

export type ErrorCode = keyof typeof errorCodes

const transientCodes: readonly ErrorCode[] = [
  'unreachable',
  'timed_out',
  'unavailable',
  'too_many_requests',
  'internal_error',
  // Error code for the reply of a proxy in front of a relay that restarts.
  'invalid_reply',
]

export interface RelayErrorOptions {
  /** One sentence on what the user can do next about the error. */
  hint?: string
  /** One line for each of the error's causes, if there are several. */
  details?: readonly string[]
  cause?: unknown
  /** Seconds after which the same request may succeed. */
  retryAfter?: number
  /** Values of the error for programs, such as the id of a message. */
  fields?: Readonly<Record<string, string>>
}

/** What a copy of an error changes; undefined keeps the hint. */
interface ErrorChanges extends Pick<RelayErrorOptions, 'fields'> {
  readonly hint?: string | undefined
}

/** The error class of smsrelay: a code for programs and a sentence for people. */
export class RelayError extends Error {
  override readonly name = 'RelayError'
  readonly code: ErrorCode
  readonly hint: string | undefined
  readonly details: readonly string[]
  readonly retryAfter: number | undefined
  readonly fields: Readonly<Record<string, string>>

  constructor(code: ErrorCode, message: string, options: RelayErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.code = code
    this.hint = options.hint
    this.details = options.details ?? []
    this.retryAfter = options.retryAfter
    this.fields = options.fields ?? {}
  }

  /** Copies the error with another hint or further fields. */
  copyWith({ hint = this.hint, fields }: ErrorChanges): RelayError {
    const { code, message, details, retryAfter } = this
    return new RelayError(code, message, {
      details,
      fields: { ...this.fields, ...fields },
      cause: this,
      ...(hint === undefined ? {} : { hint }),
      ...(retryAfter === undefined ? {} : { retryAfter }),
    })
  }
}

/** Returns whether `error` is a {@link RelayError}, with this code if one is given. */
export function isRelayError(error: unknown, code?: ErrorCode): error is RelayError {
  return error instanceof RelayError && (code === undefined || error.code === code)
}

/** Returns whether the same request may succeed later, without a change. */
export function isTransient(error: unknown): error is RelayError {
  return isRelayError(error) && transientCodes.includes(error.code)
}

/**
 * The text that any error gives people: its message; without one, its code; for other values, their
 * text.
 */
export function errorText(error: unknown): string {
  return error instanceof Error ? error.message || getErrorCode(error) : String(error)
}

/** The code of any error of Node, such as ECONNRESET; empty for other values. */
export function getErrorCode(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}
