import * as z from 'zod/mini'
import { limits } from '../domain/limits.js'
import { eventNames } from '../domain/webhook/event.js'
import { onExhaustedChoices } from '../domain/webhook/subscription.js'
import { links } from './schema/link-schema.js'
import { pageLinks, pageQuery } from './schema/list-page-schema.js'
import { booleanField, integerField } from './schema/schema-fields.js'

const httpToken = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/

/**
 * The JSON fields of a subscription (docs/reference/interface.md 2.3). The optional ones are the
 * state of its deliveries (extension), in replies to requests that ask for them.
 */
const subscriptionFields = z.lazy(() =>
  z.object({
    id: z.string(),
    event: z.string(),
    url: z.string(),
    method: z.string(),
    post: z.boolean(),
    stat_triggered: z.number(),
    /** What the subscription does after the last failed retry of an event: `pause` or `skip`. */
    on_exhausted: z.optional(z.string()),
    /** State of the subscription: `active`, `retrying` or `paused`. */
    state: z.optional(z.string()),
    /** Why the subscription is paused: `request`, `gone` or `exhausted`. */
    paused_because: z.optional(z.string()),
    /** Sequence of the subscription's last event that was delivered or skipped. */
    sequence: z.optional(z.number()),
    /** Reply field: webhooks that may be in flight at once. */
    window: z.optional(z.number()),
    /** Seconds before each retry; absent with the default schedule. */
    retry_schedule: z.optional(z.array(z.number())),
    /** Whether the subscription has its own signing secret; absent if not. */
    own_secret: z.optional(z.boolean()),
    /** Time of the next webhook retry, UTC `YYYY-MM-DD HH:MM:SS`; only when retrying. */
    retry_at: z.optional(z.string()),
  }),
)

export const subscriptionReply = z.lazy(() =>
  z.object({
    subscription: subscriptionFields,
    links: z.optional(links),
  }),
)

export const subscriptionIdReply = z.lazy(() =>
  z.object({ subscription: z.object({ id: z.string() }) }),
)

export const subscriptionListReply = z.lazy(() =>
  z.object({ subscriptions: z.array(subscriptionReply), links: pageLinks }),
)

export const eventNamesReply = z.lazy(() => z.object({ events: z.array(z.string()) }))

/** The secret that signs a subscription's webhooks, and whether it is its own one. */
export const subscriptionSecretReply = z.lazy(() =>
  z.object({ secret: z.string(), own: z.boolean() }),
)

export const signingSecretReply = z.lazy(() => z.object({ secret: z.string() }))

const event = z.lazy(() =>
  z.enum(eventNames, { error: `must be exactly one of ${eventNames.join(', ')}` }),
)

/** URL of a subscription: an absolute http or https address (docs/reference/interface.md 2.3). */
const url = z.lazy(() =>
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
)

/** HTTP method of a subscription's webhooks: a token (RFC 9110 section 9.1). */
const method = z.lazy(() =>
  z.string({ error: 'must be a string' }).check(
    z.refine(value => value.length >= 1 && value.length <= limits.method, {
      error: `must have 1 to ${limits.method} characters`,
      abort: true,
    }),
    z.refine(value => httpToken.test(value), { error: 'must be a valid HTTP token' }),
  ),
)

const onExhausted = z.lazy(() =>
  z.enum(onExhaustedChoices, {
    error: `must be one of ${onExhaustedChoices.join(', ')}`,
  }),
)

const window = z.lazy(() => integerField(1, limits.window))

const scheduleError =
  `must be 1 to ${limits.retryDelays} delays in seconds, each 1 to ${limits.retryDelay}, ` +
  `together at most ${limits.retryTime}; or empty for the default`

/** Delays before each retry in seconds, or from a form their list; empty: null, the default. */
const retrySchedule = z.lazy(() =>
  z
    .pipe(
      z.union([z.array(z.number()), z.null(), z.string()], { error: scheduleError }),
      z.transform(value => parseRetrySchedule(value)),
    )
    .check(z.refine(value => value === null || isRetrySchedule(value), { error: scheduleError })),
)

export const subscriptionCreate = z.lazy(() =>
  z.object({
    event,
    url,
    method: z._default(method, 'POST'),
    post: z._default(booleanField(), false),
    on_exhausted: z._default(onExhausted, 'pause'),
    window: z._default(window, 1),
    retry_schedule: z._default(retrySchedule, null),
  }),
)

/** The body of PATCH /subscription/<id>: the event as a filter, and at least one change. */
export const subscriptionEdit = z.lazy(() =>
  z
    .object({
      event: z.string({ error: 'must be a string' }),
      url: z.optional(url),
      method: z.optional(method),
      post: z.optional(booleanField()),
      on_exhausted: z.optional(onExhausted),
      window: z.optional(window),
      retry_schedule: z.optional(retrySchedule),
    })
    .check(
      z.refine(
        ({ event: _, ...changes }) => Object.values(changes).some(each => each !== undefined),
        {
          error:
            'At least one of `url`, `method`, `post`, `on_exhausted`, `window`, ' +
            '`retry_schedule` is required.',
          params: { missing: true },
        },
      ),
    ),
)

/** The query of all requests for subscriptions: whether the reply has the optional fields. */
export const subscriptionView = z.lazy(() =>
  z.object({ extended: z._default(booleanField(), false) }),
)

/** The query of GET /subscription. */
export const subscriptionQuery = z.lazy(() =>
  z.extend(pageQuery(), { extended: z._default(booleanField(), false) }),
)

export const skipRequest = z.lazy(() => z.object({ sequence: z.optional(sequenceField()) }))

export const replayRequest = z.lazy(() => z.object({ from: sequenceField() }))

export type SubscriptionFields = z.infer<typeof subscriptionFields>
export type SubscriptionSecretReply = z.infer<typeof subscriptionSecretReply>
export type SubscriptionReply = z.infer<typeof subscriptionReply>
export type SubscriptionCreate = z.infer<typeof subscriptionCreate>
export type SubscriptionCreateInput = Pick<SubscriptionCreate, 'event' | 'url'> &
  Partial<SubscriptionCreate>
export type SubscriptionEdit = z.infer<typeof subscriptionEdit>

function parseRetrySchedule(value: readonly number[] | string | null): number[] | null {
  const delays = typeof value === 'string' ? splitDelays(value) : (value ?? [])
  return delays.length === 0 ? null : [...delays]
}

function splitDelays(text: string): number[] {
  const list = text.trim().replace(/^\[(.*)\]$/, '$1')
  if (list === '') return []
  return list.split(',').map(part => (/^\s*\d{1,9}\s*$/.test(part) ? Number(part) : Number.NaN))
}

function isRetrySchedule(delays: readonly number[]): boolean {
  const isDelay = (delay: number): boolean =>
    Number.isInteger(delay) && delay >= 1 && delay <= limits.retryDelay
  if (delays.length > limits.retryDelays || !delays.every(isDelay)) return false
  return delays.reduce((sum, delay) => sum + delay, 0) <= limits.retryTime
}

function sequenceField(): z.ZodMiniType<number> {
  return integerField(1, 999_999_999_999_999)
}

function isWebhookUrl(value: string): boolean {
  return URL.canParse(value) && !/[\s\p{Cc}]/u.test(value) && value.isWellFormed()
}
