import type { JsonSchema } from '../../src/contract/schema/describe.js'
import { type EventName, eventNames, getEventObject } from '../../src/domain/webhook/event.js'
import type { SchemaCollection } from './json-schema.js'

/** The events of the base interface; the others are extensions. */
const baseEvents: readonly string[] = eventNames.slice(0, 4)

const headers: Readonly<Record<string, JsonSchema>> = {
  'X-Hook-From': { description: 'Always `smsrelay`.' },
  'webhook-id': {
    description: '`evt_<sequence>_<object id>`; the same in every attempt.',
    'x-extension': true,
  },
  'webhook-timestamp': {
    description: 'The time of the attempt, in seconds since 1970.',
    'x-extension': true,
  },
  'webhook-signature': {
    description: '`v1,<base64>` (Standard Webhooks); two of them after a new secret.',
    'x-extension': true,
  },
  'webhook-sequence': {
    description: "The event's sequence number. It only grows.",
    'x-extension': true,
  },
  'webhook-previous': {
    description: "The sequence of the subscription's event before this one.",
    'x-extension': true,
  },
}

/** The webhooks of an OpenAPI document: the requests that the relay sends to subscribers. */
export function createWebhooks(schemas: SchemaCollection): Record<string, JsonSchema> {
  return Object.fromEntries(eventNames.map(name => [name, { post: createWebhook(name, schemas) }]))
}

function createWebhook(name: (typeof eventNames)[number], schemas: SchemaCollection): JsonSchema {
  const kind = getEventObject(name)
  const component = `Webhook_${kind}`
  schemas.components[component] = {
    type: 'object',
    description: 'The object of an event; a GET has its fields.',
    properties: {
      [kind]: {
        type: 'object',
        description: 'The object.',
        properties: { id: { type: 'string', description: 'The id of the object.' } },
        required: ['id'],
      },
    },
    required: [kind],
  }
  return {
    operationId: `on ${name}`,
    tags: ['Webhooks'],
    summary: eventDescriptions[name],
    description:
      'Sent with the method of the subscription. Without `post`, ' +
      `\`${kind}%5Bid%5D=<id>\` is in ` +
      'the query, and the body is empty.',
    ...(baseEvents.includes(name) ? { 'x-section': '6' } : { 'x-extension': 'Webhooks' }),
    security: [],
    parameters: Object.entries(headers).map(([header, keywords]) => ({
      name: header,
      in: 'header',
      ...keywords,
      schema: { type: 'string' },
    })),
    requestBody: {
      content: { 'application/json': { schema: { $ref: `#/components/schemas/${component}` } } },
    },
    responses: {
      '2XX': { description: 'The subscription goes on with the next event.' },
      '410': { description: 'The subscription pauses.' },
      default: { description: 'The relay tries again later.' },
    },
  }
}

/** When each event is fired (docs/reference/interface.md 6, docs/reference/extensions.md). */
const eventDescriptions: Readonly<Record<EventName, string>> = {
  'message.create': 'A message was added.',
  'message.sent': 'A message was sent.',
  'message.failed': 'A message could not be sent in five attempts.',
  'message.blocked': 'A Do Not Text list blocked a message.',
  'message.received': 'A text reached a phone.',
  'number.blocked': 'A number was added to the Do Not Text list.',
  'number.unblocked': 'A number was removed from the Do Not Text list.',
  'subscription.paused': 'Another subscription of the account was paused.',
  'subscription.resumed': 'Another subscription of the account was resumed.',
  'message.delivered': 'All parts of a message are delivered.',
  'message.undelivered': 'The first part of a message is undelivered or expired.',
  'person.signed_in': 'Somebody signed in to the account.',
  'person.sign_in_refused': 'A sign-in was refused after many wrong ones.',
}
