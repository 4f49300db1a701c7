import type * as z from 'zod/mini'
import type { ErrorCode } from '../../errors.js'

/** Tokens that a REST operation accepts: none, any, all but app, only app, only login. */
export type Scope = 'none' | 'any' | 'full' | 'app' | 'login'

export interface Operation {
  readonly method: string
  readonly path: string
  readonly scope: Scope
  readonly query?: z.ZodMiniType | undefined
  readonly request?: z.ZodMiniType | undefined
  readonly reply: z.ZodMiniType
  /** Error codes of a REST operation besides `unavailable` and `internal_error`. */
  readonly errors: readonly ErrorCode[]
}

export interface Details {
  readonly query?: z.ZodMiniType
  readonly request?: z.ZodMiniType
  readonly errors?: readonly ErrorCode[]
}

/**
 * Defines a REST operation: adds the base path to one with a token, and the errors that follow from
 * the details.
 */
export function define(
  route: string,
  scope: Scope,
  reply: z.ZodMiniType,
  { query, request, errors = [] }: Details = {},
): Operation {
  const [method = '', path = ''] = route.split(' ')
  const codes = new Set<ErrorCode>()
  if (scope !== 'none') codes.add('invalid_token')
  if (scope !== 'none' && scope !== 'any') codes.add('insufficient_scope')
  if (query !== undefined || request !== undefined) {
    codes.add('invalid_parameter').add('invalid_request')
  }
  if (request !== undefined) codes.add('unsupported_media_type')
  if (method !== 'GET') codes.add('payload_too_large')
  for (const code of errors) codes.add(code)
  return {
    method,
    path: scope === 'none' ? path : `/api/1${path}`,
    scope,
    query,
    request,
    reply,
    errors: [...codes],
  }
}
