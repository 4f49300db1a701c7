import * as z from 'zod/mini'
import { limits } from '../domain/limits.js'
import { eventNames } from '../domain/webhook/event.js'
import { onExhaustedChoices } from '../domain/webhook/subscription.js'
import { retrySchedule } from './retry-schedule-schema.js'
import { annotate, describe, extension, utcTime, whole } from './schema/describe.js'
import { links } from './schema/link-schema.js'
import { pageLinks, pageQuery } from './schema/list-page-schema.js'
import { booleanField, integerField } from './schema/schema-fields.js'
import { webhookHeaders as headers } from './schema/webhook-headers.js'
import {
  webhookMethod as method,
  webhookPost as post,
  webhookUrl as url,
} from './schema/webhook-target.js'

/** Name of a listener's machine: printable ASCII, and no space at either end. */
const listenerName = /^[!-~](?:[ -~]*[!-~])?$/

const secretText = 'The secret that signs webhooks: `whsec_` and base64 (Standard Webhooks).'

/**
 * The JSON fields of a subscription (docs/reference/interface.md 2.3). The optional ones are the
 * state of its deliveries (extension), in replies to requests that ask for them.
 */
const subscriptionFields = z.lazy(() =>
  describe(
    z.object({
      id: describe(z.string(), 'Identifies the subscription in `/api/1/subscription/<id>`.'),
      event: describe(z.string(), 'The event of which it gets webhooks.'),
      url: describe(z.string(), 'The address of its webhooks.', { format: 'uri' }),
      method: describe(z.string(), 'The HTTP method of its webhooks.'),
      post: describe(
        z.boolean(),
        'True: the data of a webhook is in the body; false: in the query.',
      ),
      stat_triggered: describe(
        z.number(),
        'Events that were delivered or tried; goes up once an event, with its first webhook.',
        whole,
      ),
      ...createStateFields(),
    }),
    'A subscription. The fields after `stat_triggered` are only in extended replies.',
    { id: 'Subscription' },
  ),
)

export const subscriptionReply = z.lazy(() =>
  z.object({
    subscription: subscriptionFields,
    links: z.optional(links),
  }),
)

export const subscriptionIdReply = z.lazy(() =>
  z.object({
    subscription: describe(
      z.object({ id: describe(z.string(), 'The id of the subscription.') }),
      'The subscription.',
    ),
  }),
)

export const subscriptionListReply = z.lazy(() =>
  z.object({
    subscriptions: describe(z.array(subscriptionReply), 'The subscriptions.'),
    links: pageLinks,
  }),
)

export const eventNamesReply = z.lazy(() =>
  z.object({ events: describe(z.array(z.string()), 'The names of the events; more can come.') }),
)

/** The secret that signs a subscription's webhooks, and whether it is its own one. */
export const subscriptionSecretReply = z.lazy(() =>
  z.object({
    secret: describe(z.string(), secretText),
    own: describe(z.boolean(), 'False if the secret is that of the account.'),
  }),
)

export const signingSecretReply = z.lazy(() =>
  z.object({ secret: describe(z.string(), secretText) }),
)

const event = z.lazy(() =>
  describe(
    z.enum(eventNames, { error: `must be exactly one of ${eventNames.join(', ')}` }),
    'The event. Those after `message.blocked` are extensions.',
  ),
)

const onExhausted = z.lazy(() =>
  describe(
    z.enum(onExhaustedChoices, { error: `must be one of ${onExhaustedChoices.join(', ')}` }),
    'After the last failed retry of an event: `pause` before it, or `skip` it.',
    extension,
  ),
)

const window = z.lazy(() =>
  describe(
    integerField(1, limits.window),
    'Webhooks of the subscription that may be in flight at once.',
    extension,
  ),
)

const listener = z.lazy(() =>
  describe(
    z.string({ error: 'must be a string' }).check(
      z.refine(value => listenerName.test(value) && value.length <= limits.listenerName, {
        error: `must have 1 to ${limits.listenerName} printable ASCII characters`,
      }),
    ),
    'The machine of the `hook listen` that the subscription belongs to. The relay removes the ' +
      'subscription one hour after a request last had this field.',
    { minLength: 1, maxLength: limits.listenerName, pattern: listenerName.source, ...extension },
  ),
)

export const subscriptionCreate = z.lazy(() =>
  z.object({
    event,
    url,
    method: z._default(method, 'POST'),
    post: z._default(post, false),
    headers: z.optional(headers),
    on_exhausted: z._default(onExhausted, 'pause'),
    window: z._default(window, 1),
    retry_schedule: z._default(retrySchedule, null),
    listener: z.optional(listener),
  }),
)

/** The body of PATCH /subscription/<id>: the event as a filter, and at least one change. */
export const subscriptionEdit = z.lazy(() =>
  z
    .object({
      event: describe(
        z.string({ error: 'must be a string' }),
        'The event of the subscription; another one is `not_a_subscription`.',
      ),
      url: z.optional(url),
      method: z.optional(method),
      post: z.optional(post),
      headers: z.optional(headers),
      on_exhausted: z.optional(onExhausted),
      window: z.optional(window),
      retry_schedule: z.optional(retrySchedule),
      listener: z.optional(listener),
    })
    .check(
      z.refine(
        ({ event: _, ...changes }) => Object.values(changes).some(each => each !== undefined),
        {
          error:
            'At least one of `url`, `method`, `post`, `headers`, `on_exhausted`, `window`, ' +
            '`retry_schedule`, `listener` is required.',
          params: { missing: true },
        },
      ),
    ),
)

/** The query of all requests for subscriptions: whether the reply has the optional fields. */
export const subscriptionView = z.lazy(() => z.object({ extended: extendedField() }))

export const subscriptionQuery = z.lazy(() => z.extend(pageQuery(), { extended: extendedField() }))

export const skipRequest = z.lazy(() =>
  z.object({
    sequence: describe(
      z.optional(sequenceField()),
      'The event to skip. Default: the first one that waits.',
    ),
  }),
)

export const replayRequest = z.lazy(() =>
  z.object({
    from: describe(sequenceField(), 'The sequence of the first event to deliver again.'),
  }),
)

export type SubscriptionFields = z.infer<typeof subscriptionFields>
export type SubscriptionSecretReply = z.infer<typeof subscriptionSecretReply>
export type SubscriptionReply = z.infer<typeof subscriptionReply>
export type SubscriptionCreate = z.infer<typeof subscriptionCreate>
export type SubscriptionCreateInput = Pick<SubscriptionCreate, 'event' | 'url'> &
  Partial<SubscriptionCreate>
export type SubscriptionEdit = z.infer<typeof subscriptionEdit>

function createStateFields() {
  const show = <T extends z.ZodMiniType>(schema: T, description: string, keywords = {}) =>
    describe(z.optional(schema), description, { ...keywords, ...extension })
  return {
    header_names: show(
      z.array(z.string()),
      'The names of its own header fields; absent without any.',
    ),
    on_exhausted: show(z.string(), 'After the last failed retry of an event: `pause` or `skip`.'),
    state: show(z.string(), '`active`, `retrying` or `paused`.'),
    paused_because: show(
      z.string(),
      'Why it is paused: `request`, `gone` (the receiver answered 410) or `exhausted` (the last ' +
        'retry failed).',
    ),
    sequence: show(z.number(), 'The last event that was delivered or skipped.', whole),
    window: show(z.number(), 'Webhooks that may be in flight at once.', whole),
    retry_schedule: show(
      z.array(annotate(z.number(), whole)),
      'The delays before each retry; absent with the default schedule.',
      { 'x-unit': 'seconds' },
    ),
    own_secret: show(z.boolean(), 'Whether it has its own signing secret; absent if not.'),
    retry_at: show(z.string(), 'When the next retry is due; only while retrying.', utcTime),
    listener: show(
      z.string(),
      'The machine of the `hook listen` that it belongs to; absent for a permanent one.',
    ),
    listener_seen_on: show(z.string(), 'When that listener last made contact.', utcTime),
  }
}

function extendedField() {
  return describe(
    z._default(booleanField(), false),
    'Whether the reply has the state of the deliveries.',
    extension,
  )
}

function sequenceField(): z.ZodMiniType<number> {
  return integerField(1, 999_999_999_999_999)
}
