// What client and server know of secret URLs:
//
// 1. secret-url-schema.ts has the schemas of requests and replies of the resource, and of the
//    requests to a secret URL itself.
// 2. secret-url-address.ts formats the address of a secret URL, and a curl command that uses it.
// 3. server/secret-url answers the requests to the address.
import * as z from 'zod/mini'
import { parseUsageLimit } from '../../domain/account/usage-limit.js'
import { getTemplateFields } from '../../domain/bulk/text-template.js'
import { limits } from '../../domain/limits.js'
import { parseDateTime } from '../../domain/time/date-time.js'
import { links } from '../schema/link-schema.js'
import { pageLinks } from '../schema/list-page-schema.js'
import { booleanField, dateTimeField, integerField, textField } from '../schema/schema-fields.js'

const secretUrlFields = z.lazy(() =>
  z.object({
    id: z.string(),
    name: z.nullable(z.string()),
    /** Recipients of every use of a secret URL; null if each request names its own. */
    destination: z.nullable(z.array(z.string())),
    /**
     * Text of every use of a secret URL, with `{name}` for request fields; null if each has its
     * own.
     */
    message: z.nullable(z.string()),
    /** Maximum uses of a secret URL, such as `10/h`; null: unlimited. */
    rate: z.nullable(z.string()),
    expires_on: z.nullable(z.string()),
    /** Whether GET of a secret URL only shows a page that asks for confirmation. */
    confirm: z.boolean(),
    /** State of a secret URL: `active` or `expired`. */
    state: z.string(),
    created_on: z.string(),
    used_count: z.number(),
    last_used_on: z.nullable(z.string()),
    /** The complete secret URL; only in the reply of POST /url. */
    url: z.optional(z.string()),
  }),
)

export const secretUrlReply = z.lazy(() =>
  z.object({ url: secretUrlFields, links: z.optional(links) }),
)

export const secretUrlIdReply = z.lazy(() => z.object({ url: z.object({ id: z.string() }) }))

export const secretUrlListReply = z.lazy(() =>
  z.object({ urls: z.array(secretUrlReply), links: pageLinks }),
)

/** Longest lifetime of a secret URL that a request can have, in seconds. */
const maxLifetime = 100 * 365 * 24 * 60 * 60

const destinations = z.lazy(() =>
  z.pipe(
    z.pipe(
      z.unknown(),
      z.transform((value): unknown =>
        typeof value === 'string' ? value.split(',').map(each => each.trim()) : value,
      ),
    ),
    z
      .array(textField(1, limits.destination), { error: 'must be a number, or a list of numbers' })
      .check(
        z.minLength(1, { error: 'must name a number, or be left out' }),
        z.maxLength(limits.secretUrlDestinations, {
          error: `must be at most ${limits.secretUrlDestinations} numbers`,
        }),
      ),
  ),
)

const template = z.lazy(() =>
  textField(1, limits.text).check(
    z.refine(value => getTemplateFields(value) !== undefined, {
      error: 'must have {name} for each field of the request, and {{ or }} for a brace',
    }),
  ),
)

const rate = z.lazy(() =>
  z.pipe(
    z.string({ error: 'must be a string such as 10/h' }).check(
      z.refine(value => parseUsageLimit(value) !== undefined, {
        error: 'must be a whole number of 1 to 99999 and /s, /min, /h or /d, such as 10/h',
      }),
    ),
    z.transform(parseUsageLimit),
  ),
)

/** The body of POST /url (extension). */
export const secretUrlCreate = z.lazy(() =>
  z
    .object({
      name: z.optional(textField(1, limits.secretUrlName)),
      destination: z.optional(destinations),
      message: z.optional(template),
      rate: z.optional(rate),
      expires_on: z.optional(z.pipe(dateTimeField(), z.transform(parseDateTime))),
      /** Lifetime of a secret URL in seconds, instead of `expires_on`. */
      expires_in: z.optional(integerField(1, maxLifetime)),
      confirm: z.optional(booleanField()),
    })
    .check(
      z.refine(
        ({ expires_on, expires_in }) => expires_on === undefined || expires_in === undefined,
        {
          error: 'Use only one of `expires_on` and `expires_in`.',
          params: { missing: true },
        },
      ),
      z.refine(isFillable, {
        error: 'must not have {destination}, because requests do not name it',
        path: ['message'],
      }),
    ),
)

export const secretUrlDestination = z.lazy(() =>
  z.object({ destination: textField(1, limits.destination) }),
)

export const secretUrlText = z.lazy(() => z.object({ message: textField(1, limits.text) }))

export type SecretUrlFields = z.infer<typeof secretUrlFields>
export type SecretUrlReply = z.infer<typeof secretUrlReply>
export type SecretUrlCreate = z.infer<typeof secretUrlCreate>

export interface SecretUrlInput {
  readonly name?: string | undefined
  readonly destination?: string | readonly string[] | undefined
  readonly message?: string | undefined
  readonly rate?: string | undefined
  readonly expires_on?: string | undefined
  readonly expires_in?: number | undefined
  readonly confirm?: boolean | undefined
}

/** The reply to a use of a secret URL: JSON of the message without the recipient and the text. */
export interface SecretUrlMessageFields {
  readonly id: string
  readonly status: string
  readonly status_date: string
  readonly created_on: string
  readonly send_on: string
  readonly source: string
}

function isFillable(draft: {
  readonly destination?: unknown
  readonly message?: string | undefined
}): boolean {
  if (draft.destination === undefined || draft.message === undefined) return true
  return !getTemplateFields(draft.message)?.includes('destination')
}
