import type { Operation } from '../../src/contract/api/define-operation.js'
import { headerParameters } from '../../src/contract/api/header-parameters.js'
import type { JsonSchema } from '../../src/contract/schema/describe.js'
import type { SchemaCollection } from './json-schema.js'

const pathParameters: Readonly<Record<string, string>> = {
  'message/:id': 'The id of the message.',
  'received/:id': 'The id of the received text.',
  'subscription/:id': 'The id of the subscription.',
  'url/:id': 'The id of the secret URL.',
  'mailbox/:id': 'The id of the mailbox.',
  'contact/:number': 'The number, as for `destination` of a message; write `+` as `%2B`.',
  'group/:id': 'The id of the group.',
  'template/:id': 'The id of the template.',
  'audit/:id': 'The id of the entry of the audit log.',
  'phone/:name': 'The name of the phone.',
  'do-not-text/:number': 'The number, as for `destination` of a message; write `+` as `%2B`.',
  'delivery/:sequence': 'The sequence of the event.',
  'account/:email': 'The e-mail address of the account.',
  'person/:id': 'The id of the person.',
  'invitation/:id': 'The id of the invitation.',
  'u/:secret': 'The secret.',
}

/** The parameter objects of an operation: of its path, its query and its header fields. */
export function createParameters(operation: Operation, schemas: SchemaCollection): JsonSchema[] {
  return [
    ...createPathParameters(operation.path),
    ...createQueryParameters(operation, schemas),
    ...operation.headers.map(name => ({ $ref: `#/components/parameters/${name}` })),
  ]
}

function createPathParameters(path: string): JsonSchema[] {
  return [...path.matchAll(/([\w-]+)\/:(\w+)/g)].map(([name, , parameter = '']) => {
    const description = pathParameters[name]
    if (description === undefined) throw new Error(`${name} of ${path} has no description.`)
    return createParameter('path', parameter, true, { type: 'string', description })
  })
}

function createQueryParameters({ query }: Operation, schemas: SchemaCollection): JsonSchema[] {
  if (query === undefined) return []
  const { properties = {}, required = [] } = schemas.convert(query, 'input') as {
    properties?: Readonly<Record<string, JsonSchema>>
    required?: readonly string[]
  }
  return Object.entries(properties).map(([name, schema]) => {
    const isJson = schema.type === 'object'
    return createParameter('query', name, !isJson && required.includes(name), schema)
  })
}

/** Header fields of requests, as components of an OpenAPI document. */
export function createHeaderComponents(): Record<string, JsonSchema> {
  return Object.fromEntries(
    Object.entries(headerParameters).map(([name, schema]) => [
      name,
      createParameter('header', name, false, schema),
    ]),
  )
}

/** Header fields of replies, as components of an OpenAPI document. */
export function createReplyHeaderComponents(): Record<string, JsonSchema> {
  const description = 'The id of the request, by which the log of the relay names it.'
  return { 'X-Request-Id': { description, schema: { type: 'string' }, 'x-extension': true } }
}

/** An object is the text of its JSON, a list has its items between commas. */
function createParameter(
  place: string,
  name: string,
  required: boolean,
  { description, 'x-extension': isExtension, ...schema }: JsonSchema,
): JsonSchema {
  return {
    name,
    in: place,
    description,
    ...(required ? { required } : {}),
    ...(isExtension === undefined ? {} : { 'x-extension': isExtension }),
    ...(schema.type === 'array' ? { style: 'form', explode: false } : {}),
    ...(schema.type === 'object' ? { content: { 'application/json': { schema } } } : { schema }),
  }
}
