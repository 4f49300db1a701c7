import type * as z from 'zod/mini'
import type { Role } from '../../domain/account/person.js'
import type { ApiErrorCode } from './api-errors.js'
import type { HeaderParameter } from './header-parameters.js'

/** Tokens that a REST operation accepts: none, any, all but app, only app, only login. */
export type Scope = 'none' | 'any' | 'full' | 'app' | 'login'

export interface Details {
  /**
   * Where it is described: a section of docs/reference/interface.md, or for an extension a heading
   * of docs/reference/extensions.md.
   */
  readonly section: string
  /** What it does, in a few words that begin with a verb. */
  readonly summary: string
  /** What a client must know besides the fields, in Markdown. */
  readonly description?: string
  readonly headers?: readonly HeaderParameter[]
  /** Whether the reply has the `ETag` of the resource. @default false */
  readonly isTagged?: boolean
  readonly query?: z.ZodMiniType
  readonly request?: z.ZodMiniType
  /** Role that a person needs for it. @default `reader` for GET, `admin` for other methods */
  readonly role?: Role
  /** Replies that are neither a success nor an error, by their status. */
  readonly others?: Readonly<Record<number, z.ZodMiniType>>
  /** The errors that do not follow from the other details, with their causes. */
  readonly errors?: Readonly<Partial<Record<ApiErrorCode, string>>>
}

export interface Operation {
  readonly method: string
  readonly path: string
  readonly scope: Scope
  readonly role: Role
  readonly section: string
  readonly summary: string
  readonly description: string
  readonly headers: readonly HeaderParameter[]
  readonly isTagged: boolean
  readonly query?: z.ZodMiniType | undefined
  readonly request?: z.ZodMiniType | undefined
  readonly reply: z.ZodMiniType
  readonly others: Readonly<Record<number, z.ZodMiniType>>
  readonly errors: readonly ApiErrorCode[]
  readonly causes: Readonly<Partial<Record<ApiErrorCode, string>>>
}

/**
 * Defines a REST operation: adds the base path to one with a token, and the errors that follow from
 * the details.
 */
export function define(
  route: string,
  scope: Scope,
  reply: z.ZodMiniType,
  {
    section,
    summary,
    description = '',
    headers = [],
    isTagged = false,
    query,
    request,
    role,
    others = {},
    errors = {},
  }: Details,
): Operation {
  const [method = '', path = ''] = route.split(' ')
  const needed = role ?? (method === 'GET' ? 'reader' : 'admin')
  const codes = new Set<ApiErrorCode>()
  if (scope !== 'none') codes.add('invalid_token')
  if (scope !== 'none' && scope !== 'any') codes.add('insufficient_scope')
  if (scope !== 'none' && needed !== 'reader') codes.add('forbidden')
  if (query !== undefined || request !== undefined) {
    codes.add('invalid_parameter').add('invalid_request')
  }
  if (headers.includes('If-Match')) codes.add('invalid_parameter').add('precondition_failed')
  if (request !== undefined) codes.add('unsupported_media_type')
  if (method !== 'GET') codes.add('payload_too_large')
  for (const code of Object.keys(errors) as ApiErrorCode[]) codes.add(code)
  return {
    method,
    path: scope === 'none' ? path : `/api/1${path}`,
    scope,
    role: needed,
    ...{ section, summary, description, headers, isTagged, query, request, reply, others },
    errors: [...codes],
    causes: errors,
  }
}
