import { phoneListReply, phoneReply, queueReply } from '../phone-schema.js'
import {
  receivedTextListReply,
  receivedTextQuery,
  receivedTextReply,
  receivedTextReport,
} from '../received-text-schema.js'
import { pageQuery } from '../schema/list-page-schema.js'
import { define, type Operation } from './define-operation.js'

/** The route table's REST operations on the queue and on received texts, before `/message/:id`. */
export const receivedTextOperations = {
  getQueue: define('GET /message/queue', 'any', queueReply, {
    section: 'Messages',
    summary: 'Count the messages that wait',
    description:
      'With an application key it is a sign of life of a phone that does not ask for messages.',
    headers: [
      ...['X-Phone-Name', 'X-Phone-Driver', 'X-Phone-Quiet-Until', 'X-Phone-Signal'],
      ...['X-Phone-Operator', 'X-Phone-Rate'],
    ] as const,
  }),
  listReceivedTexts: define('GET /message/received', 'full', receivedTextListReply, {
    section: 'Received texts',
    summary: 'List received texts',
    query: receivedTextQuery,
  }),
  reportReceivedText: define('POST /message/received', 'any', receivedTextReply, {
    role: 'sender',
    section: 'Received texts',
    summary: 'Report a text that reached a phone',
    description:
      'A text that is only a keyword (STOP, START) changes the Do Not Text list. A repeated ' +
      'request with the same `Idempotency-Key` changes nothing while the text is retained.',
    headers: ['Idempotency-Key'],
    request: receivedTextReport,
  }),
  getReceivedText: define('GET /message/received/:id', 'full', receivedTextReply, {
    section: 'Received texts',
    summary: 'Get a received text',
    errors: { not_found: 'The account has no such text.' },
  }),
} satisfies Record<string, Operation>

export const phoneOperations = {
  listPhones: define('GET /phone', 'full', phoneListReply, {
    section: 'Phones',
    summary: 'List the phones of the account',
    query: pageQuery(),
  }),
  forgetPhone: define('DELETE /phone/:name', 'full', phoneReply, {
    section: 'Phones',
    summary: 'Forget a phone',
    description: 'A phone that asks again is listed again.',
    errors: { not_found: 'The account has no phone of this name.' },
  }),
} satisfies Record<string, Operation>
