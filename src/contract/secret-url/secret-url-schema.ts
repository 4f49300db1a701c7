// What client and server know of secret URLs:
//
// 1. secret-url-schema.ts has the schemas of requests to create one, and of the requests to a
//    secret URL itself; resources/secret-url.ts declares replies.
// 2. secret-url-address.ts formats the address of a secret URL, and a curl command that uses it.
// 3. server/secret-url answers the requests to the address.
import * as z from 'zod/mini'
import { parseUsageLimit } from '../../domain/account/usage-limit.js'
import { getTemplateFields } from '../../domain/bulk/text-template.js'
import { limits } from '../../domain/limits.js'
import { parseDateTime } from '../../domain/time/date-time.js'
import { describe } from '../schema/describe.js'
import {
  booleanField,
  dateTimeField,
  integerField,
  maxLengthField,
  textField,
} from '../schema/schema-fields.js'

/** Longest lifetime of a secret URL that a request can have, in seconds. */
const maxLifetime = 100 * 365 * 24 * 60 * 60

const destinations = z.lazy(() => {
  const schema = z.pipe(
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
  )
  const description =
    'The recipients of every use, in a form separated by commas. Without it each request names ' +
    'its own.'
  const items = { type: 'string', minLength: 1, maxLength: limits.destination }
  const maxItems = limits.secretUrlDestinations
  return describe(schema, description, { replace: { type: 'array', minItems: 1, maxItems, items } })
})

const template = z.lazy(() =>
  describe(
    textField(1, limits.text).check(
      z.refine(value => getTemplateFields(value) !== undefined, {
        error:
          'must have {name} for each field of the request, {a|b|"text"} for the first of ' +
          'several, and {{ or }} for a brace',
      }),
    ),
    'The text of every use, with `{name}` for a field of the request, `{a|b|"text"}` for the ' +
      'first of them that is there, and `{{` or `}}` for a brace. Without it each request has ' +
      'its own.',
  ),
)

const rate = z.lazy(() => {
  const schema = z.pipe(
    z.string({ error: 'must be a string such as 10/h' }).check(
      z.refine(value => parseUsageLimit(value) !== undefined, {
        error: 'must be a whole number of 1 to 99999 and /s, /min, /h or /d, such as 10/h',
      }),
    ),
    z.transform(parseUsageLimit),
  )
  return describe(schema, 'The most uses, such as `10/h`. Default: unlimited.', {
    pattern: '^[1-9][0-9]{0,4}/(s|min|h|d)$',
  })
})

export const secretUrlCreate = z.lazy(() =>
  createDraftFields().check(
    z.refine(({ expires_on, expires_in }) => expires_on === undefined || expires_in === undefined, {
      error: 'Use only one of `expires_on` and `expires_in`.',
      params: { missing: true },
    }),
    z.refine(isFillable, {
      error: 'must not have {destination}, because requests do not name it',
      path: ['message'],
    }),
  ),
)

function createDraftFields() {
  return z.object({
    name: describe(z.optional(textField(1, limits.secretUrlName)), 'A name for people.'),
    destination: z.optional(destinations),
    message: z.optional(template),
    max_length: maxLengthField('the rest is cut off.'),
    rate: z.optional(rate),
    expires_on: describe(
      z.optional(z.pipe(dateTimeField(), z.transform(parseDateTime))),
      'When it ends. Default: never.',
    ),
    expires_in: describe(
      z.optional(integerField(1, maxLifetime)),
      'How long it lives, in place of `expires_on`.',
      { 'x-unit': 'seconds' },
    ),
    confirm: describe(
      z.optional(booleanField()),
      'Whether GET only shows a page that asks for confirmation. Default: false.',
    ),
  })
}

export const secretUrlDestination = z.lazy(() =>
  z.object({ destination: textField(1, limits.destination) }),
)

export const secretUrlText = z.lazy(() => z.object({ message: textField(1, limits.text) }))

export type SecretUrlCreate = z.infer<typeof secretUrlCreate>

export interface SecretUrlInput {
  readonly name?: string | undefined
  readonly destination?: string | readonly string[] | undefined
  readonly message?: string | undefined
  readonly max_length?: number | undefined
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
  return !getTemplateFields(draft.message)?.some(({ name }) => name === 'destination')
}
