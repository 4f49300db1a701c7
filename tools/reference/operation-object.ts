import type { Operation, Scope } from '../../src/contract/api/define-operation.js'
import type { JsonSchema } from '../../src/contract/schema/describe.js'
import { limits } from '../../src/domain/limits.js'
import type { Example } from './document.js'
import type { SchemaCollection } from './json-schema.js'
import { createParameters } from './parameters.js'
import { type ErrorResponses, replyHeaders } from './responses.js'

interface Parts {
  readonly schemas: SchemaCollection
  readonly errors: ErrorResponses
  readonly example: Example | undefined
}

/** The groups of operations; sections that are not listed are groups of their own. */
const sectionTags: Readonly<Record<string, string>> = {
  '4.1': 'Tokens',
  '4.2': 'Messages',
  '4.3': 'Subscriptions',
  '4.4': 'User',
  'Automatic replies': 'User',
  'The Do Not Text list': 'Do Not Text list',
  'The event stream': 'Events',
  Statistics: 'Status',
  'The server': 'Server',
}

const scopeTexts: Readonly<Record<Scope, string>> = {
  none: 'No token.',
  any: 'Any token.',
  full: 'A token of the API key, or a User Login token.',
  app: 'A token of the application key.',
  login: 'A User Login token.',
}

/** What a request needs: a token, and the role of the person whose User Login token it is. */
function formatToken({ scope, role }: Operation): string {
  const hasRole = (scope === 'any' || scope === 'full' || scope === 'login') && role !== 'reader'
  return hasRole ? `${scopeTexts[scope]} A person needs the role ${role}.` : scopeTexts[scope]
}

/** The name of the group of an operation. */
export function toTag({ section }: Operation): string {
  return sectionTags[section] ?? section
}

/** Whether an operation is not part of the base interface. */
function isExtension({ section }: Operation): boolean {
  return !/^\d/.test(section)
}

export function createOperationObject(
  id: string,
  operation: Operation,
  { schemas, errors, example }: Parts,
): JsonSchema {
  const { section, summary, scope } = operation
  const parameters = createParameters(operation, schemas)
  const body = createRequestBody(id, operation, schemas, example)
  return {
    operationId: id,
    tags: [toTag(operation)],
    summary,
    ...(operation.description === '' ? {} : { description: operation.description }),
    ...(isExtension(operation) ? { 'x-extension': section } : { 'x-section': section }),
    'x-token': formatToken(operation),
    ...(scope === 'none' ? createCredentials(id) : { security: [{ token: [scope] }] }),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(body === undefined ? {} : { requestBody: body }),
    ...(example === undefined ? {} : createExample(operation, example)),
    responses: {
      ...createReply(id, operation, schemas, example),
      ...errors.create(operation),
      ...createOtherReplies(operation, schemas),
    },
  }
}

function createCredentials(id: string): JsonSchema {
  return id === 'issueToken' ? { security: [{ credentials: [] }] } : { security: [] }
}

function createExample({ method }: Operation, { request, reply }: Example): JsonSchema {
  const { target, headers: sent } = request
  const { status, headers: received } = reply
  return {
    'x-request': { method, target, ...(sent === undefined ? {} : { headers: sent }) },
    'x-reply': { status, ...(received === undefined ? {} : { headers: received }) },
  }
}

function createRequestBody(
  id: string,
  { scope, request }: Operation,
  schemas: SchemaCollection,
  example: Example | undefined,
): JsonSchema | undefined {
  if (request === undefined) return undefined
  const schema = schemas.convert(request, 'input')
  const name = `${id.charAt(0).toUpperCase()}${id.slice(1)}Request`
  schemas.components[name] = schema
  const isBatch = schema.type === 'array'
  const bytes = isBatch ? limits.batchBody : scope === 'none' ? limits.openBody : limits.body
  const types = isBatch
    ? ['application/json', 'application/x-ndjson']
    : ['application/json', 'application/x-www-form-urlencoded', 'multipart/form-data']
  const used = example?.request.headers?.['Content-Type'] ?? 'application/json'
  const body = example?.request.body
  return {
    required: true,
    description: isBatch
      ? `A JSON array, or one item a line; at most ${bytes} bytes.`
      : `At most ${bytes} bytes.`,
    content: Object.fromEntries(
      types.map(type => [
        type,
        {
          schema: { $ref: `#/components/schemas/${name}` },
          ...(type === used && body !== undefined ? { example: body } : {}),
        },
      ]),
    ),
  }
}

function createReply(
  id: string,
  { method, reply, path, isTagged }: Operation,
  schemas: SchemaCollection,
  example: Example | undefined,
): Record<string, JsonSchema> {
  const schema = schemas.convert(reply, 'output')
  if (schema['x-empty'] === true) {
    return { '204': { description: 'Done, without a body.', headers: replyHeaders } }
  }
  const { 'x-media-type': mediaType = 'application/json', ...content } = schema
  const json = {
    schema: content,
    ...(example?.reply.body === undefined ? {} : { example: example.reply.body }),
  }
  const stream = { schema: { type: 'string', description: 'Server-sent events.' } }
  return {
    '200': {
      description: 'Done.',
      headers: { ...replyHeaders, ...createReplyHeaders(`${method} ${path}`, isTagged) },
      content: {
        [String(mediaType)]: json,
        ...(id === 'listEvents' ? { 'text/event-stream': stream } : {}),
      },
    },
  }
}

function createOtherReplies(
  { others }: Operation,
  schemas: SchemaCollection,
): Record<string, JsonSchema> {
  const replies = Object.entries(others).map(([status, schema]) => {
    const json = { schema: schemas.convert(schema, 'output') }
    const content = { 'application/json': json }
    return [status, { description: 'Not ready.', headers: replyHeaders, content }]
  })
  return Object.fromEntries(replies)
}

/** NEXT says which preferences it used (RFC 7240 section 3); `ETag` is for `If-Match`. */
function createReplyHeaders(route: string, isTagged: boolean): JsonSchema {
  const preferences = 'The preferences of `Prefer` that NEXT used.'
  const tag = 'The strong entity tag of the resource (RFC 9110 section 8.8.3), for `If-Match`.'
  const isNext = /^NEXT |^GET .*\/next$/.test(route)
  return {
    ...(isNext ? { 'Preference-Applied': createHeader(preferences) } : {}),
    ...(isTagged ? { ETag: { ...createHeader(tag), required: true } } : {}),
  }
}

function createHeader(description: string): JsonSchema {
  return { description, schema: { type: 'string' } }
}
