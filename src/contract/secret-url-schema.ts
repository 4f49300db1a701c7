import { z } from 'zod'
import { parseUsageLimit } from '../domain/account/usage-limit.js'
import { getTemplateFields } from '../domain/bulk/text-template.js'
import { limits } from '../domain/limits.js'
import { parseDateTime } from '../domain/time/date-time.js'
import { booleanField, dateTimeField, integerField, textField } from './schema/schema-fields.js'

const maxLifetime = 100 * 365 * 24 * 60 * 60

const destinations = z
  .unknown()
  .transform(value =>
    typeof value === 'string' ? value.split(',').map(each => each.trim()) : value,
  )
  .pipe(
    z
      .array(textField(1, limits.destination), { error: 'must be a number, or a list of numbers' })
      .min(1, { error: 'must name a number, or be left out' })
      .max(limits.urlDestinations, { error: `must be at most ${limits.urlDestinations} numbers` }),
  )

const template = textField(1, limits.text).refine(value => getTemplateFields(value) !== undefined, {
  error: 'must have {name} for each field of the request, and {{ or }} for a brace',
})

const rate = z
  .string({ error: 'must be a string such as 10/h' })
  .refine(value => parseUsageLimit(value) !== undefined, {
    error: 'must be a whole number of 1 to 99999 and /s, /min, /h or /d, such as 10/h',
  })
  .transform(value => parseUsageLimit(value))

/** What POST /url takes: all of it may be left out (extension: secret URLs). */
export const secretUrlCreate = z
  .object({
    name: textField(1, limits.urlName).optional(),
    /** Pins the recipients: one number, or a list of them. */
    destination: destinations.optional(),
    /** Pins the text, with `{name}` for fields of the request. */
    message: template.optional(),
    rate: rate.optional(),
    expires_on: dateTimeField.transform(value => parseDateTime(value)).optional(),
    /** Seconds, in place of `expires_on`. */
    expires_in: integerField(1, maxLifetime).optional(),
    confirm: booleanField.optional(),
  })
  .refine(({ expires_on, expires_in }) => expires_on === undefined || expires_in === undefined, {
    error: 'Give one of `expires_on` and `expires_in`.',
    params: { missing: true },
  })
  .refine(isFillable, {
    error: 'must not have {destination}, since the request does not say it',
    path: ['message'],
  })

/** The recipient in a request to a secret URL that does not pin it. */
export const secretUrlDestination = z.object({ destination: textField(1, limits.destination) })

/** The text of a request to a secret URL, as it says it or as its template is filled. */
export const secretUrlText = z.object({ message: textField(1, limits.text) })

export type {
  SecretUrlFields,
  SecretUrlListReply,
  SecretUrlMessageFields,
  SecretUrlReply,
} from './secret-url-reply.js'
export type SecretUrlCreate = z.infer<typeof secretUrlCreate>

/** {@link secretUrlCreate} as it goes over the wire. */
export interface SecretUrlInput {
  readonly name?: string | undefined
  readonly destination?: string | readonly string[] | undefined
  readonly message?: string | undefined
  readonly rate?: string | undefined
  readonly expires_on?: string | undefined
  readonly expires_in?: number | undefined
  readonly confirm?: boolean | undefined
}

function isFillable(draft: {
  readonly destination?: unknown
  readonly message?: string | undefined
}): boolean {
  if (draft.destination === undefined || draft.message === undefined) return true
  return !getTemplateFields(draft.message)?.includes('destination')
}
