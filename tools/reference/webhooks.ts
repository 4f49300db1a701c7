import { eventDescriptions } from '../../src/contract/api/webhook-events.js'
import type { JsonSchema } from '../../src/contract/schema/describe.js'
import { eventNames, getEventObject } from '../../src/domain/webhook/event.js'
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
