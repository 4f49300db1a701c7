import * as z from 'zod/mini'
import { links } from './schema/link-schema.js'

export const userReply = z.lazy(() =>
  z.object({
    user: z.object({ email: z.string() }),
    links: z.optional(links),
  }),
)

export const userAppReply = z.lazy(() =>
  z.object({
    user: z.object({ app_key: z.string(), secret_key: z.string() }),
    links: z.optional(links),
  }),
)

export const tokenReply = z.object({
  access_token: z.string(),
  token_type: z.literal('Bearer'),
  /** Lifetime of a token in seconds; each REST request extends it. */
  expires_in: z.number(),
  /** Reply field: scope of a token, URI patterns separated by spaces. */
  scope: z.string(),
})

/** Schema of a reply without content, such as that of GET /oauth/revoke. */
export const anyReply = z.unknown()

export const errorReply = z.object({
  error: z.string(),
  error_description: z.string(),
  /** Reply field: the request's `X-Request-Id`, by which the log of the relay names it. */
  request_id: z.optional(z.string()),
})

export type UserReply = z.infer<typeof userReply>
export type UserAppReply = z.infer<typeof userAppReply>
export type TokenReply = z.infer<typeof tokenReply>
export type ErrorReply = z.infer<typeof errorReply>
