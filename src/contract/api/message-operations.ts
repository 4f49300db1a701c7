import * as z from 'zod/mini'
import { deliveryReport, deliveryReportReply } from '../delivery-status-schema.js'
import { messageView } from '../message/attempt-schema.js'
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
import { describe } from '../schema/describe.js'
import { type Details, define, type Operation } from './define-operation.js'

const notFinal = { not_a_message: 'There is no such message; or it was deleted.' }
const noReport = {
  ...notFinal,
  invalid_state: 'The message is final, or another phone holds it.',
}
const phone = ['X-Phone-Name', 'X-Phone-Driver'] as const
const next = {
  headers: ['Prefer', ...phone],
  errors: { not_a_message: 'No message is due.' },
} satisfies Partial<Details>

/** The route table's REST operations on messages, in the order in which they are mounted. */
export const messageOperations = {
  createMessage: define('POST /message', 'full', messageReply, {
    role: 'sender',
    section: '4.2',
    summary: 'Create a message',
    description: 'The status is 200; a client must also accept 201.',
    headers: ['Idempotency-Key'],
    query: messageView,
    request: z.object({ message: describe(messageCreate, 'The message to send.') }),
    errors: { too_many_requests: 'A limit of the account does not allow it now.' },
  }),
  nextMessage: define('NEXT /message', 'app', nextReply, {
    role: 'sender',
    section: '4.2',
    summary: 'Get the next message to send',
    description:
      'Hands out the message that has been due longest, and leases it to the token for 120 ' +
      'seconds (`serve --lease`). The same token gets the same message until it reports; another ' +
      'token gets another one. With `batch` in `Prefer` the reply is a batch.',
    ...next,
  }),
  listMessages: define('GET /message', 'full', messageListReply, {
    section: '4.2',
    summary: 'List messages',
    description:
      'The list is stable only with `order` `asc` and `filter` `all`, because messages are added ' +
      'and sent while a client pages.',
    query: z.object({ filter: describe(listFilter, 'Which messages, as the text of JSON.') }),
  }),
  getMessage: define('GET /message/:id', 'any', messageReply, {
    section: '4.2',
    summary: 'Get a message',
    isTagged: true,
    query: messageView,
    errors: notFinal,
  }),
  editMessage: define('PATCH /message/:id', 'full', messageIdReply, {
    role: 'sender',
    section: '4.2',
    summary: 'Change a message',
    description: 'Only messages in N and E can be changed. At least one field is required.',
    headers: ['If-Match'],
    isTagged: true,
    request: z.object({ message: describe(messageEdit, 'The fields to change.') }),
    errors: { ...notFinal, invalid_state: 'The message is not in N or E.' },
  }),
  deleteMessage: define('DELETE /message/:id', 'full', messageIdReply, {
    role: 'sender',
    section: '4.2',
    summary: 'Delete a message',
    description: 'The reply has the id only, without links.',
    headers: ['If-Match'],
    errors: notFinal,
  }),
  reportSuccess: define('PUT /message/:id/success', 'any', messageReply, {
    role: 'sender',
    section: '4.2',
    summary: 'Report that a message was sent',
    description: 'The same success again is answered like the first.',
    headers: phone,
    request: successReport,
    errors: noReport,
  }),
  reportFailure: define('PUT /message/:id/failure', 'any', messageReply, {
    role: 'sender',
    section: '4.2',
    summary: 'Report that a message could not be sent',
    description:
      'After failure n the message is not handed out for 15 × n minutes; the fifth failure is ' +
      'final.',
    headers: ['Idempotency-Key', ...phone],
    request: failureReport,
    errors: noReport,
  }),
  reportMessages: define('POST /message/report', 'any', batchReportReply, {
    role: 'sender',
    section: 'Batches',
    summary: 'Report on several messages',
    description:
      'All outcomes take effect in one commit. An outcome that fails has no effect on the others.',
    headers: ['Prefer', ...phone],
    request: batchReport,
  }),
  createMessages: define('POST /message/batch', 'full', batchCreateReply, {
    role: 'sender',
    section: 'Batches',
    summary: 'Create several messages',
    description:
      'All messages are created in one commit. An item that fails has no effect on the others. ' +
      '`Idempotency-Key` counts for each message by its place.',
    headers: ['Idempotency-Key', 'Prefer'],
    request: batchCreate,
  }),
  reportDelivery: define('POST /message/delivery', 'any', deliveryReportReply, {
    role: 'sender',
    section: 'Delivery status',
    summary: 'Report receipts of the network',
    description:
      'All receipts take effect in one commit. They never change the status of a message. The ' +
      'first final state of a part remains; a receipt without `part` for a message of several ' +
      'parts can change `delivered` to `undelivered` or `expired`.',
    request: deliveryReport,
  }),
  getNextMessage: define('GET /message/next', 'app', nextReply, {
    role: 'sender',
    section: '4.2',
    summary: 'Get the next message to send, for clients without NEXT',
    description: 'The same as `NEXT /api/1/message`. It may be removed one day.',
    ...next,
  }),
} satisfies Record<string, Operation>

/** The route table's REST operations on the state of messages, mounted after those of phones. */
export const messageStateOperations = {
  releaseMessage: define('PUT /message/:id/release', 'any', messageReply, {
    role: 'sender',
    section: 'Messages',
    summary: 'Give a message back',
    description:
      'The message was surely not sent: the lease ends, no attempt is counted and no event is ' +
      'fired. A locked message stays locked.',
    request: releaseReport,
    errors: noReport,
  }),
  lockMessage: define('PUT /message/:id/lock', 'full', messageReply, {
    role: 'sender',
    section: 'Messages',
    summary: 'Hold a message back',
    headers: ['If-Match'],
    errors: { ...notFinal, invalid_state: 'The message is not in N or E.' },
  }),
  unlockMessage: define('PUT /message/:id/unlock', 'full', messageReply, {
    role: 'sender',
    section: 'Messages',
    summary: 'Let a locked message go on',
    headers: ['If-Match'],
    errors: { ...notFinal, invalid_state: 'The message is not in L.' },
  }),
  undeleteMessage: define('PUT /message/:id/undelete', 'full', messageReply, {
    role: 'sender',
    section: 'Messages',
    summary: 'Restore a deleted message',
    headers: ['If-Match'],
    errors: {
      not_a_message: 'There is no such message; or it was removed.',
      invalid_state: 'The message is not deleted, or it was sent again in the dashboard.',
    },
  }),
  retryMessage: define('POST /message/:id/retry', 'full', messageReply, {
    role: 'sender',
    section: 'Messages',
    summary: 'Try a failed message again now',
    description:
      'The message is due now instead of at `retry_on`, but not before its `send_on`. Its ' +
      'failures still count.',
    headers: ['If-Match'],
    errors: { ...notFinal, invalid_state: 'The message is not in E.' },
  }),
} satisfies Record<string, Operation>
