import type { ErrorCode } from '../../errors.js'

interface ApiError {
  /** HTTP status of a reply with the error (RFC 9110 section 15). */
  readonly status: number
  readonly remedy: string
}

/**
 * The errors of the REST interface (docs/reference/interface.md 7); `errorCodes` has what each of
 * them means.
 */
export const apiErrors = {
  not_a_message: {
    status: 404,
    remedy: 'Check the id and the account of the token. After NEXT: ask again later.',
  },
  not_a_subscription: { status: 404, remedy: 'Check the id and the account of the token.' },
  not_an_account: { status: 404, remedy: 'Check the e-mail address.' },
  not_found: { status: 404, remedy: 'Check the path, and the identifier in it.' },
  invalid_parameter: {
    status: 400,
    remedy: 'Correct the value of the field that the sentence names.',
  },
  invalid_request: { status: 400, remedy: 'Add what the sentence names, or repair the body.' },
  invalid_client: {
    status: 401,
    remedy: 'Send `Authorization: Basic` with the secret key and the API or application key.',
  },
  invalid_token: { status: 401, remedy: 'Get a new token with `GET /oauth`.' },
  insufficient_scope: { status: 403, remedy: 'Use a token of the scope that the sentence names.' },
  forbidden: {
    status: 403,
    remedy: 'Ask an admin of the account, or sign in as a person with the role.',
  },
  invalid_state: { status: 409, remedy: 'Get the resource, and look at its state.' },
  precondition_failed: {
    status: 412,
    remedy: 'Get the resource again, and decide on its new version.',
  },
  method_not_allowed: { status: 405, remedy: 'Use a method of the header field `Allow`.' },
  unsupported_media_type: {
    status: 415,
    remedy: 'Send the body uncompressed, in UTF-8, and name its type in `Content-Type`.',
  },
  timed_out: { status: 408, remedy: 'Send the whole request without long pauses.' },
  payload_too_large: { status: 413, remedy: 'Send less in one request.' },
  too_many_requests: { status: 429, remedy: 'Try again after `Retry-After` seconds.' },
  unavailable: { status: 503, remedy: 'Try again after `Retry-After` seconds.' },
  internal_error: { status: 500, remedy: "Report the defect; the relay's log has its reason." },
} as const satisfies Partial<Record<ErrorCode, ApiError>>

export type ApiErrorCode = keyof typeof apiErrors

export function isApiErrorCode(code: ErrorCode): code is ApiErrorCode {
  return code in apiErrors
}
