import * as z from 'zod/mini'
import { limits } from '../../domain/limits.js'
import { describe } from './describe.js'
import { booleanField } from './schema-fields.js'

export const httpToken = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/

/** URL of a subscription: an absolute http or https address (docs/reference/interface.md 2.3). */
export const webhookUrl = z.lazy(() =>
  describe(
    z.string({ error: 'must be a string' }).check(
      z.refine(value => /^https?:\/\//.test(value), {
        error: 'must start with http:// or https://',
        abort: true,
      }),
      z.refine(value => value.length <= limits.url, {
        error: `must have at most ${limits.url} characters`,
        abort: true,
      }),
      z.refine(isWebhookUrl, { error: 'must be an address without spaces or control characters' }),
    ),
    'The address to call, `http://` or `https://`. Login, port, path and query are allowed.',
    { maxLength: limits.url, pattern: '^https?://' },
  ),
)

/** HTTP method of a subscription's webhooks: a token (RFC 9110 section 9.1). */
export const webhookMethod = z.lazy(() =>
  describe(
    z.string({ error: 'must be a string' }).check(
      z.refine(value => value.length >= 1 && value.length <= limits.method, {
        error: `must have 1 to ${limits.method} characters`,
        abort: true,
      }),
      z.refine(value => httpToken.test(value), { error: 'must be a valid HTTP token' }),
    ),
    'The HTTP method of the webhooks, any valid token.',
    { minLength: 1, maxLength: limits.method, pattern: httpToken.source },
  ),
)

export const webhookPost = z.lazy(() =>
  describe(booleanField(), 'True: the data is in the body; false: it is in the query.'),
)

function isWebhookUrl(value: string): boolean {
  return URL.canParse(value) && !/[\s\p{Cc}]/u.test(value) && value.isWellFormed()
}
