// The REST interface in one table: each operation with its method, path, scope, schemas and errors.
//
// - server/api has one handler for each operation; api-routes.ts mounts them in this order, so the
//   busiest paths come first.
// - client sends the same methods and paths.
//
// `query` and `request` are the schemas of the parameters, `reply` is that of the 200 reply. The
// path `:id` matches one segment. HEAD is answered as GET. define-operation.ts adds the
// base path and the common errors.
import * as z from 'zod/mini'
import type { ErrorCode } from '../../errors.js'
import { settingsEdit, settingsReply } from '../account-schema.js'
import { deliveryReport, deliveryReportReply } from '../delivery-status-schema.js'
import {
  doNotTextCreate,
  doNotTextImport,
  doNotTextImportReply,
  doNotTextListReply,
  doNotTextQuery,
  doNotTextReply,
} from '../do-not-text-schema.js'
import { eventPageReply, eventQuery } from '../event-schema.js'
import { mailboxCreate, mailboxIdReply, mailboxListReply, mailboxReply } from '../mailbox-schema.js'
import {
  batchCreate,
  batchCreateReply,
  batchReport,
  batchReportReply,
  nextReply,
} from '../message-batch-schema.js'
import {
  failureReport,
  listFilter,
  messageCreate,
  messageEdit,
  messageIdReply,
  messageListReply,
  messageReply,
  releaseReport,
  successReport,
} from '../message-schema.js'
import { phoneListReply, phoneReply, queueReply } from '../phone-schema.js'
import {
  receivedTextListReply,
  receivedTextQuery,
  receivedTextReply,
  receivedTextReport,
} from '../received-text-schema.js'
import { pageQuery } from '../schema/list-page-schema.js'
import {
  secretUrlCreate,
  secretUrlIdReply,
  secretUrlListReply,
  secretUrlReply,
} from '../secret-url/secret-url-schema.js'
import { statisticsQuery, statisticsReply } from '../statistics-schema.js'
import { statusReply } from '../status-schema.js'
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
import { anyReply, tokenReply, userAppReply, userReply } from '../user-schema.js'
import {
  deliveryFilter,
  deliveryListReply,
  deliveryReply,
  testReply,
} from '../webhook/delivery-schema.js'
import { type Details, define, type Operation } from './define-operation.js'

const token = z.object({ token: z.string() })
const receipts: Details = { request: deliveryReport }
const messageList: Details = { query: z.object({ filter: listFilter }) }
const receivedList: Details = { query: receivedTextQuery }
const notFound: Details = { errors: ['not_found'] }
const listed: Details = { errors: ['not_found', 'invalid_parameter'] }
const noMessage: Details = { errors: ['not_a_message'] }
const missing: Details = { errors: ['not_a_subscription'] }
const messageErrors: readonly ErrorCode[] = ['not_a_message', 'invalid_state']
const changed: Details = { errors: messageErrors }
const subscriptionErrors: readonly ErrorCode[] = ['not_a_subscription', 'invalid_state']

/** The route table's REST operations without a bearer token (docs/reference/interface.md 4.1). */
export const publicOperations = {
  issueToken: define('GET /oauth', 'none', tokenReply, {
    errors: ['invalid_client', 'too_many_requests'],
  }),
  revokeToken: define('GET /oauth/revoke', 'none', anyReply, { query: token }),
  revokePostedToken: define('POST /oauth/revoke', 'none', anyReply, { request: token }),
} satisfies Record<string, Operation>

/**
 * The route table's REST operations with a bearer token (docs/reference/interface.md 4.2 to 4.4,
 * and extensions).
 */
export const operations = {
  createMessage: define('POST /message', 'full', messageReply, {
    request: z.object({ message: messageCreate }),
  }),
  nextMessage: define('NEXT /message', 'app', nextReply, noMessage),
  listMessages: define('GET /message', 'full', messageListReply, messageList),
  getMessage: define('GET /message/:id', 'any', messageReply, noMessage),
  editMessage: define('PATCH /message/:id', 'full', messageIdReply, {
    request: z.object({ message: messageEdit }),
    errors: messageErrors,
  }),
  deleteMessage: define('DELETE /message/:id', 'full', messageIdReply, noMessage),
  reportSuccess: define('PUT /message/:id/success', 'any', messageReply, {
    request: successReport,
    errors: messageErrors,
  }),
  reportFailure: define('PUT /message/:id/failure', 'any', messageReply, {
    request: failureReport,
    errors: messageErrors,
  }),
  reportMessages: define('POST /message/report', 'any', batchReportReply, {
    request: batchReport,
  }),
  createMessages: define('POST /message/batch', 'full', batchCreateReply, {
    request: batchCreate,
  }),
  reportDelivery: define('POST /message/delivery', 'any', deliveryReportReply, receipts),
  getNextMessage: define('GET /message/next', 'app', nextReply, noMessage),
  getQueue: define('GET /message/queue', 'any', queueReply),
  listReceivedTexts: define('GET /message/received', 'full', receivedTextListReply, receivedList),
  reportReceivedText: define('POST /message/received', 'any', receivedTextReply, {
    request: receivedTextReport,
  }),
  getReceivedText: define('GET /message/received/:id', 'full', receivedTextReply, notFound),
  releaseMessage: define('PUT /message/:id/release', 'any', messageReply, {
    request: releaseReport,
    errors: messageErrors,
  }),
  lockMessage: define('PUT /message/:id/lock', 'full', messageReply, changed),
  unlockMessage: define('PUT /message/:id/unlock', 'full', messageReply, changed),
  undeleteMessage: define('PUT /message/:id/undelete', 'full', messageReply, changed),

  listEventNames: define('GET /subscription/events', 'full', eventNamesReply),
  getSigningSecret: define('GET /subscription/secret', 'full', signingSecretReply),
  rotateSigningSecret: define('POST /subscription/secret', 'full', signingSecretReply),
  getSubscriptionSecret: defineSecret('GET'),
  rotateSubscriptionSecret: defineSecret('POST'),
  removeSubscriptionSecret: defineSecret('DELETE'),
  testSubscription: define('POST /subscription/:id/test', 'full', testReply, missing),
  listSubscriptions: define('GET /subscription', 'full', subscriptionListReply, {
    query: subscriptionQuery,
  }),
  createSubscription: define('POST /subscription', 'full', subscriptionReply, {
    query: subscriptionView,
    request: subscriptionCreate,
  }),
  getSubscription: define('GET /subscription/:id', 'full', subscriptionReply, {
    query: subscriptionView,
    errors: ['not_a_subscription'],
  }),
  editSubscription: define('PATCH /subscription/:id', 'full', subscriptionReply, {
    query: subscriptionView,
    request: subscriptionEdit,
    errors: ['not_a_subscription'],
  }),
  deleteSubscription: define('DELETE /subscription/:id', 'full', subscriptionIdReply, missing),
  pauseSubscription: defineControl('pause'),
  resumeSubscription: defineControl('resume'),
  skipEvent: defineControl('skip', skipRequest),
  replayEvents: defineControl('replay', replayRequest),
  listDeliveries: define('GET /subscription/:id/delivery', 'full', deliveryListReply, {
    query: z.object({ filter: deliveryFilter }),
    errors: ['not_a_subscription'],
  }),
  resendEvent: define('POST /subscription/:id/delivery/:sequence/resend', 'full', deliveryReply, {
    errors: ['not_a_subscription', 'not_found', 'invalid_state'],
  }),
  listEvents: define('GET /event', 'full', eventPageReply, { query: eventQuery }),

  getUser: define('GET /user', 'full', userReply),
  getUserApp: define('GET /user/app', 'login', userAppReply),
  getSettings: define('GET /user/settings', 'full', settingsReply),
  editSettings: define('PATCH /user/settings', 'full', settingsReply, { request: settingsEdit }),
  listPhones: define('GET /phone', 'full', phoneListReply, { query: pageQuery() }),
  forgetPhone: define('DELETE /phone/:name', 'full', phoneReply, notFound),
  getStatus: define('GET /status', 'full', statusReply),
  getStatistics: define('GET /statistics', 'full', statisticsReply, { query: statisticsQuery }),

  listDoNotText: define('GET /do-not-text', 'full', doNotTextListReply, { query: doNotTextQuery }),
  addDoNotText: define('POST /do-not-text', 'full', doNotTextReply, { request: doNotTextCreate }),
  importDoNotText: define('POST /do-not-text/import', 'full', doNotTextImportReply, {
    request: doNotTextImport,
  }),
  getDoNotText: define('GET /do-not-text/:number', 'full', doNotTextReply, listed),
  removeDoNotText: define('DELETE /do-not-text/:number', 'full', doNotTextReply, listed),
  listSecretUrls: define('GET /url', 'full', secretUrlListReply, { query: pageQuery() }),
  createSecretUrl: define('POST /url', 'full', secretUrlReply, { request: secretUrlCreate }),
  revokeSecretUrl: define('DELETE /url/:id', 'full', secretUrlIdReply, notFound),
  listMailboxes: define('GET /mailbox', 'full', mailboxListReply, { query: pageQuery() }),
  createMailbox: define('POST /mailbox', 'full', mailboxReply, { request: mailboxCreate }),
  deleteMailbox: define('DELETE /mailbox/:id', 'full', mailboxIdReply, notFound),
} satisfies Record<string, Operation>

export type OperationId = keyof typeof operations
export type PublicOperationId = keyof typeof publicOperations

function defineControl(action: string, request?: z.ZodMiniType): Operation {
  const details = { errors: subscriptionErrors, ...(request === undefined ? {} : { request }) }
  return define(`PUT /subscription/:id/${action}`, 'full', subscriptionReply, details)
}

function defineSecret(method: string): Operation {
  const path = `${method} /subscription/:id/secret`
  return define(path, 'full', subscriptionSecretReply, missing)
}
