import type { ErrorCode } from '../../errors.js'

export const exitCodes = {
  ok: 0,
  failed: 1,
  usage: 2,
  notSent: 3,
  notAuthorized: 4,
  notFound: 5,
  warning: 6,
  nothingDue: 7,
  timedOut: 124,
  interrupted: 130,
} as const

const exitCodeByErrorCode: Partial<Record<ErrorCode, number>> = {
  usage: exitCodes.usage,
  invalid_client: exitCodes.notAuthorized,
  invalid_token: exitCodes.notAuthorized,
  insufficient_scope: exitCodes.notAuthorized,
  forbidden: exitCodes.notAuthorized,
  not_a_message: exitCodes.notFound,
  not_a_subscription: exitCodes.notFound,
  not_an_account: exitCodes.notFound,
  not_found: exitCodes.notFound,
  timed_out: exitCodes.timedOut,
}

export function getExitCode(code: ErrorCode): number {
  return exitCodeByErrorCode[code] ?? exitCodes.failed
}
