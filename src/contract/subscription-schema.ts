import { z } from 'zod'
import { limits } from '../domain/limits.js'
import { eventNames } from '../domain/webhook/event.js'
import { onExhaustedChoices } from '../domain/webhook/subscription.js'
import { booleanField, integerField } from './schema/schema-fields.js'

const httpToken = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/

const event = z.enum(eventNames, { error: `must be exactly one of ${eventNames.join(', ')}` })

/** An address to hit: absolute http or https, at most 1,024 characters (SPEC.md section 2.3). */
const url = z
  .string({ error: 'must be a string' })
  .refine(value => /^https?:\/\//.test(value), {
    error: 'must start with http:// or https://',
    abort: true,
  })
  .refine(value => value.length <= limits.url, {
    error: `must have at most ${limits.url} characters`,
    abort: true,
  })
  .refine(isWebhookUrl, { error: 'must be an address without spaces or control characters' })

/** A request method: an HTTP token of at most 16 characters (RFC 9110 section 9.1, SPEC.md section 2.3). */
const method = z
  .string({ error: 'must be a string' })
  .refine(value => value.length >= 1 && value.length <= limits.method, {
    error: `must have 1 to ${limits.method} characters`,
    abort: true,
  })
  .refine(value => httpToken.test(value), { error: 'must be a valid HTTP token' })

/** What becomes of an event whose retries are used up (extension). */
const onExhausted = z.enum(onExhaustedChoices, {
  error: `must be one of ${onExhaustedChoices.join(', ')}`,
})

/** What POST /subscription takes (SPEC.md section 4.3). */
export const subscriptionCreate = z.object({
  event,
  url,
  method: method.default('POST'),
  post: booleanField.default(false),
  on_exhausted: onExhausted.default('pause'),
})

/** What PATCH /subscription/<id> takes: the event as a filter, and at least one change (SPEC.md section 4.3). */
export const subscriptionEdit = z
  .object({
    event: z.string({ error: 'must be a string' }),
    url: url.optional(),
    method: method.optional(),
    post: booleanField.optional(),
    on_exhausted: onExhausted.optional(),
  })
  .refine(({ event: _, ...changes }) => Object.values(changes).some(each => each !== undefined), {
    error: 'At least one of `url`, `method`, `post`, `on_exhausted` is required.',
    params: { missing: true },
  })

/** The query of the requests that answer subscriptions: whether with the state of their lanes (extension). */
export const subscriptionView = z.object({ extended: booleanField.default(false) })

/** What PUT /subscription/<id>/skip takes (extension). */
export const skipRequest = z.object({ sequence: sequenceField().optional() })

/** What PUT /subscription/<id>/replay takes (extension). */
export const replayRequest = z.object({ from: sequenceField() })

export type {
  EventNamesReply,
  SubscriptionFields,
  SubscriptionListReply,
  SubscriptionReply,
} from './subscription-reply.js'
export type SubscriptionCreate = z.infer<typeof subscriptionCreate>
export type SubscriptionCreateInput = Pick<SubscriptionCreate, 'event' | 'url'> &
  Partial<SubscriptionCreate>
export type SubscriptionEdit = z.infer<typeof subscriptionEdit>

function sequenceField(): z.ZodType<number> {
  return integerField(1, 999_999_999_999_999)
}

function isWebhookUrl(value: string): boolean {
  return URL.canParse(value) && !/[\s\p{Cc}]/u.test(value) && value.isWellFormed()
}
