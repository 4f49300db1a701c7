/** Every error code of the interface, with the condition it names (SPEC.md section 7 and the table of open details). */
export const errorCodes = {
  not_a_message: 'the message does not exist or belongs to another user',
  not_a_subscription: 'the subscription does not exist or belongs to another user',
  not_an_account: 'the account does not exist',
  invalid_parameter: 'a value is wrong',
  invalid_request: 'something required is missing, or the request is malformed',
  invalid_client: 'the credentials on /oauth are wrong or missing',
  invalid_token: 'the bearer token is wrong, missing, expired or revoked',
  insufficient_scope: 'the token is valid but may not do this',
  invalid_state: 'the message or the subscription is in a state that does not allow this',
  not_found: 'there is nothing at this path',
  method_not_allowed: 'the path does not know this method',
  unsupported_media_type: 'the body is of a content type that is not understood',
  payload_too_large: 'the body is too large',
  too_many_requests: 'too many requests',
  unavailable: 'the service cannot do this at present',
  internal_error: 'the service failed',
  timed_out: 'what was waited for did not happen in time',
  unreachable: 'the relay could not be reached',
  invalid_reply: 'the relay answered something that is not of the interface',
  usage: 'the command was typed wrongly',
  configuration: 'the settings contradict each other or are incomplete',
  directory_in_use: 'another process holds the data directory',
  damaged_data: 'the data directory holds something that cannot be read',
} as const

/** One of {@link errorCodes}. */
export type ErrorCode = keyof typeof errorCodes

/** Extra facts of a {@link RelayError}. */
export interface RelayErrorOptions {
  /** One sentence on what to do next. */
  hint?: string
  cause?: unknown
  /** Seconds after which the same call may succeed. */
  retryAfter?: number
}

/** The one error this program throws on purpose: a code for programs and a sentence for people. */
export class RelayError extends Error {
  override readonly name = 'RelayError'
  readonly code: ErrorCode
  readonly hint: string | undefined
  readonly retryAfter: number | undefined

  constructor(code: ErrorCode, message: string, options: RelayErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.code = code
    this.hint = options.hint
    this.retryAfter = options.retryAfter
  }
}

/** Whether `error` is a {@link RelayError}, of that code where one is given. */
export function isRelayError(error: unknown, code?: ErrorCode): error is RelayError {
  return error instanceof RelayError && (code === undefined || error.code === code)
}
