import * as z from 'zod/mini'
import { eventPageReply, eventQuery } from '../event-schema.js'
import { describe } from '../schema/describe.js'
import {
  eventNamesReply,
  replayRequest,
  signingSecretReply,
  skipRequest,
  subscriptionCreate,
  subscriptionEdit,
  subscriptionIdReply,
  subscriptionListReply,
  subscriptionQuery,
  subscriptionReply,
  subscriptionSecretReply,
  subscriptionView,
} from '../subscription-schema.js'
import {
  deliveryFilter,
  deliveryListReply,
  deliveryReply,
  testReply,
} from '../webhook/delivery-schema.js'
import { define, type Operation } from './define-operation.js'

const missing = { not_a_subscription: 'There is no such subscription.' }

export const subscriptionOperations = {
  listEventNames: define('GET /subscription/events', 'full', eventNamesReply, {
    section: '4.3',
    summary: 'List the names of events',
  }),
  getSigningSecret: define('GET /subscription/secret', 'full', signingSecretReply, {
    role: 'admin',
    section: 'Webhooks',
    summary: 'Get the secret that signs the webhooks of the account',
  }),
  rotateSigningSecret: define('POST /subscription/secret', 'full', signingSecretReply, {
    section: 'Webhooks',
    summary: 'Replace the secret that signs the webhooks of the account',
    description: 'The old secret also signs for 24 hours.',
  }),
  getSubscriptionSecret: define('GET /subscription/:id/secret', 'full', subscriptionSecretReply, {
    role: 'admin',
    section: 'Webhooks',
    summary: 'Get the secret that signs the webhooks of a subscription',
    errors: missing,
  }),
  rotateSubscriptionSecret: define(
    'POST /subscription/:id/secret',
    'full',
    subscriptionSecretReply,
    {
      section: 'Webhooks',
      summary: 'Give a subscription a new secret of its own',
      description: 'The secret before also signs for 24 hours.',
      errors: missing,
    },
  ),
  removeSubscriptionSecret: define(
    'DELETE /subscription/:id/secret',
    'full',
    subscriptionSecretReply,
    {
      section: 'Webhooks',
      summary: 'Remove the own secret of a subscription',
      description:
        'The secret of the account signs again; the removed one also signs for 24 hours.',
      errors: missing,
    },
  ),
  testSubscription: define('POST /subscription/:id/test', 'full', testReply, {
    section: 'Webhooks',
    summary: 'Send a test webhook',
    description:
      'It has the header field `webhook-test: true` and no sequence. It is no event, is not ' +
      'logged and changes nothing.',
    errors: missing,
  }),
  listSubscriptions: define('GET /subscription', 'full', subscriptionListReply, {
    role: 'admin',
    section: '4.3',
    summary: 'List subscriptions',
    query: subscriptionQuery,
  }),
  createSubscription: define('POST /subscription', 'full', subscriptionReply, {
    section: '4.3',
    summary: 'Subscribe to an event',
    description:
      'A subscription gets the events that are recorded from then on. The status is 200; a ' +
      'client must also accept 201.',
    query: subscriptionView,
    request: subscriptionCreate,
    errors: { invalid_state: 'The account has as many subscriptions as it may have.' },
  }),
  getSubscription: define('GET /subscription/:id', 'full', subscriptionReply, {
    role: 'admin',
    section: '4.3',
    summary: 'Get a subscription',
    isTagged: true,
    query: subscriptionView,
    errors: missing,
  }),
  editSubscription: define('PATCH /subscription/:id', 'full', subscriptionReply, {
    section: '4.3',
    summary: 'Change a subscription',
    description: '`event` and at least one other field are required.',
    headers: ['If-Match'],
    isTagged: true,
    query: subscriptionView,
    request: subscriptionEdit,
    errors: { not_a_subscription: 'There is no such subscription, or it has another event.' },
  }),
  deleteSubscription: define('DELETE /subscription/:id', 'full', subscriptionIdReply, {
    section: '4.3',
    summary: 'Delete a subscription',
    description: 'A second DELETE is 404; treat that as a success.',
    headers: ['If-Match'],
    errors: missing,
  }),
  pauseSubscription: defineControl('pause', 'Pause a subscription', {
    description: 'Its events wait, however many.',
  }),
  resumeSubscription: defineControl('resume', 'Resume a subscription', {
    description: 'It goes on at once; retry delays begin at the first one.',
  }),
  skipEvent: defineControl('skip', 'Skip an event', {
    description: 'Gives up the first event that waits, or the one that is named.',
    request: skipRequest,
    invalid: 'The event has not failed, and the subscription is not paused.',
  }),
  replayEvents: defineControl('replay', 'Deliver events again', {
    description:
      'Delivers everything from a sequence on again, in order. Each event counts as fired again.',
    request: replayRequest,
  }),
  listDeliveries: define('GET /subscription/:id/delivery', 'full', deliveryListReply, {
    role: 'admin',
    section: 'Webhooks',
    summary: 'List attempts to deliver events',
    description: 'Attempts are retained for 30 days, in 1 GiB for all accounts.',
    query: z.object({ filter: describe(deliveryFilter, 'Which attempts, as the text of JSON.') }),
    errors: missing,
  }),
  resendEvent: define('POST /subscription/:id/delivery/:sequence/resend', 'full', deliveryReply, {
    section: 'Webhooks',
    summary: 'Send an event once more',
    description: 'One more attempt for an event that was tried before, outside the order.',
    errors: {
      ...missing,
      not_found: 'The event is not retained.',
      invalid_state: 'The event was not tried yet.',
    },
  }),
  listEvents: define('GET /event', 'full', eventPageReply, {
    section: 'The event stream',
    summary: 'List events, or follow them as a stream',
    description:
      'With `Accept: text/event-stream` the reply is a stream of server-sent events: `id` is the ' +
      'sequence, `event` the name, `data` the event as in a page. A comment comes every 15 ' +
      'seconds. The stream ends with its token.',
    headers: ['Accept', 'Last-Event-ID'],
    query: eventQuery,
  }),
} satisfies Record<string, Operation>

interface Control {
  readonly description: string
  readonly request?: z.ZodMiniType
  readonly invalid?: string
}

function defineControl(
  action: string,
  summary: string,
  { description, request, invalid = 'The state of the subscription does not allow this.' }: Control,
): Operation {
  return define(`PUT /subscription/:id/${action}`, 'full', subscriptionReply, {
    section: 'Webhooks',
    summary,
    description,
    headers: ['If-Match'],
    errors: { ...missing, invalid_state: invalid },
    ...(request === undefined ? {} : { request }),
  })
}
