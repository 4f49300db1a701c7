import * as z from 'zod/mini'
import { annotate, describe, extension, requestIdText, seconds } from './schema/describe.js'
import { links } from './schema/link-schema.js'

export const userReply = z.lazy(() =>
  z.object({
    user: describe(
      z.object({ email: describe(z.string(), "The account's e-mail address.") }),
      'The account.',
    ),
    links: z.optional(links),
  }),
)

export const userAppReply = z.lazy(() =>
  z.object({
    user: describe(
      z.object({
        app_key: describe(z.string(), "The application key, which is the phone's password."),
        secret_key: describe(
          z.string(),
          'The secret key, which is the user name of phone and integrator.',
        ),
      }),
      'The keys of the account.',
    ),
    links: z.optional(links),
  }),
)

export const tokenReply = z.object({
  access_token: describe(z.string(), 'The token, to be sent as it is.'),
  token_type: describe(z.literal('Bearer'), 'Always `Bearer`.'),
  expires_in: describe(
    z.number(),
    'How long the token lives after the last request that used it.',
    seconds,
  ),
  scope: describe(z.string(), 'The URI patterns that the token may use, separated by spaces.'),
})

/** Schema of a reply without content, such as that of GET /oauth/revoke. */
export const anyReply = annotate(z.unknown(), { type: 'object' })

export const errorReply = describe(
  z.object({
    error: describe(z.string(), 'The code of the error, for programs.'),
    error_description: describe(z.string(), 'One or two sentences that say what to do.'),
    request_id: describe(z.optional(z.string()), requestIdText, extension),
  }),
  'An error (RFC 6749 section 5.2).',
  { id: 'Error' },
)

export type UserReply = z.infer<typeof userReply>
export type UserAppReply = z.infer<typeof userAppReply>
export type TokenReply = z.infer<typeof tokenReply>
export type ErrorReply = z.infer<typeof errorReply>
