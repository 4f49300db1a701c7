// The OpenAPI document of the relay, from the tables of src/contract/api.
//
// - openapi: the document with its paths; operation-object: one operation of it
// - parameters, responses, json-schema: the parts of an operation
// - webhooks: the requests that the relay sends to subscribers
// - error-examples: the examples of errors, which all operations share
// - examples.json: requests and the replies that a test gets from a real relay
// - api-page: docs/reference/api.md, from the document
// tools/build/api-reference.js writes both.
import type { Operation } from '../../src/contract/api/define-operation.js'
import { operations, publicOperations } from '../../src/contract/api/operations.js'
import { serverOperations } from '../../src/contract/api/server-operations.js'
import type { JsonSchema } from '../../src/contract/schema/describe.js'
import { errorReply } from '../../src/contract/user-schema.js'
import type { OpenApiDocument } from '../../src/server/dashboard/reference/openapi-document.js'
import type { Example } from './document.js'
import { createErrorExamples } from './error-examples.js'
import { SchemaCollection } from './json-schema.js'
import { createOperationObject, toTag } from './operation-object.js'
import { createHeaderComponents, createReplyHeaderComponents } from './parameters.js'
import { ErrorResponses } from './responses.js'
import { createWebhooks } from './webhooks.js'

type PathItem = Record<string, unknown>

const tables: Readonly<Record<string, Operation>> = {
  ...publicOperations,
  ...operations,
  ...serverOperations,
}

/** What all operations of a path have. */
const shared: PathItem = { parameters: [{ $ref: '#/components/parameters/X-Request-Id' }] }

/** The methods that a path item of OpenAPI 3.1 can have. */
const plainMethods = new Set(['GET', 'PUT', 'POST', 'DELETE', 'OPTIONS', 'HEAD', 'PATCH', 'TRACE'])

const description = `A text-message relay. A client gets a token from \`GET /oauth\` and sends it
with every request below \`/api/1\`. Bodies are JSON, \`application/x-www-form-urlencoded\` or
\`multipart/form-data\`, in UTF-8, not compressed; a parameter that is an object is the text of JSON
in the last two.
Unknown fields are ignored; a field that is given twice is an error. HEAD is answered like GET,
without a body. Times are UTC, \`YYYY-MM-DD HH:MM:SS\`. Every reply has an \`X-Request-Id\`, by
which the log of the relay names the request; a client can send one of its own (1 to 64 letters,
digits, \`_\`, \`.\` or \`-\`). An error has it as \`request_id\`.

What is marked as an extension is not part of the base interface; a client that does not use it
never notices it.`

const securitySchemes = {
  credentials: {
    type: 'http',
    scheme: 'basic',
    description: 'Secret key and API key, secret key and application key, or e-mail and password.',
  },
  token: { type: 'http', scheme: 'bearer', description: 'A token of `GET /oauth`.' },
}

/** Creates the OpenAPI document of the relay. Its paths are in the order of the route table. */
export function createOpenApiDocument(examples: readonly Example[]): OpenApiDocument {
  const schemas = new SchemaCollection()
  const errorExamples = createErrorExamples(examples, tables)
  const errors = new ErrorResponses(errorExamples)
  schemas.convert(errorReply, 'output')
  const paths: Record<string, PathItem> = {}
  const tags = new Set<string>()
  for (const [id, operation] of Object.entries(tables)) {
    tags.add(toTag(operation))
    const example = examples.find(each => each.operation === id && each.reply.status < 300)
    const object = createOperationObject(id, operation, { schemas, errors, example })
    const path = operation.path.replace(/:(\w+)/g, '{$1}')
    paths[path] = addOperation(paths[path] ?? shared, operation.method, object)
  }
  const webhooks = createWebhooks(schemas)
  const document = {
    openapi: '3.1.1',
    info: {
      title: 'smsrelay',
      version: '1',
      description,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/' }],
    tags: [...tags].map(name => ({ name })),
    paths,
    webhooks,
    components: {
      schemas: schemas.components,
      responses: errors.components,
      examples: errorExamples,
      parameters: createHeaderComponents(),
      headers: createReplyHeaderComponents(),
      securitySchemes,
    },
  }
  return document as unknown as OpenApiDocument
}

function addOperation(item: PathItem, method: string, object: JsonSchema): PathItem {
  if (plainMethods.has(method)) return { ...item, [method.toLowerCase()]: object }
  const others = item['x-additionalOperations'] as PathItem | undefined
  return { ...item, 'x-additionalOperations': { ...others, [method]: object } }
}
