import {
  describeType,
  type FieldRow,
  listFields,
  listReplyFields,
} from '../../src/server/dashboard/reference/describe-schema.js'
import {
  type FormattedExample,
  formatErrorExample,
  formatExample,
} from '../../src/server/dashboard/reference/format-example.js'
import {
  describeErrorsOfAll,
  getComponentName,
  listAllErrors,
  listErrors,
  listOperations,
  listParameters,
  type OpenApiDocument,
  type OperationObject,
  type ParameterObject,
  type ReferenceOperation,
  resolveSchema,
  type SchemaObject,
} from '../../src/server/dashboard/reference/openapi-document.js'
import type { Example } from './document.js'
import { createOpenApiDocument } from './openapi.js'

const introduction = `# The API

<!-- Generated from src/contract/api and tools/reference/examples.json by npm run reference. -->

Every request of a relay, with its fields, limits and errors. [The interface](interface.md) and
[the extensions](extensions.md) explain how they work together. A relay shows this page at
\`/docs\`, and serves it as OpenAPI 3.1 at \`/openapi.json\`.

An operation or a field that is marked *(extension)* is not part of the base interface.

Every reply has an \`X-Request-Id\`, by which the log of the relay names the request; a client can
send one of its own ([request ids](extensions.md#request-ids)). An error has it as \`request_id\`.
Every request can have the errors ${describeErrorsOfAll()}; a request lists the
others that it can have, and [all errors](#all-errors) explains them.

The examples are requests to a relay and its replies. Keys, tokens and other random values in
them are words in capitals. \`…\` stands for further items of a list, and for [links](#links). The
header field \`ETag\` is the strong entity tag of the resource (RFC 9110 section 8.8.3), for
\`If-Match\`.`

/** The generated texts: docs/reference/api.md, and the OpenAPI document that the relay serves. */
export function generateReference(examples: readonly Example[]): {
  page: string
  document: string
} {
  const document = createOpenApiDocument(examples)
  return { page: renderApiPage(document), document: `${JSON.stringify(document, null, 1)}\n` }
}

function renderApiPage(document: OpenApiDocument): string {
  const operations = listOperations(document)
  const groups = document.tags.map(({ name }) => {
    const found = operations.filter(({ operation }) => operation.tags.includes(name))
    return [`## ${name}`, ...found.map(each => renderOperation(document, each))].join('\n\n')
  })
  const parts = [
    introduction,
    renderOverview(operations),
    ...groups,
    renderEvents(document),
    renderObjects(document),
    renderAllErrors(document),
  ]
  return `${parts.join('\n\n')}\n`
}

function renderOverview(operations: readonly ReferenceOperation[]): string {
  const rows = operations.map(({ method, path, operation }) => [
    `[\`${method} ${path}\`](${toAnchor(operation.summary)})`,
    `${operation.summary}${mark(operation['x-extension'])}`,
  ])
  return `## Overview\n\n${renderTable(['Request', 'What it does'], rows)}`
}

function renderOperation(
  document: OpenApiDocument,
  { method, path, operation }: ReferenceOperation,
): string {
  const { summary, description = '', 'x-token': token = '' } = operation
  const example = formatExample(operation, body => shorten(body))
  const request = operation.requestBody?.content['application/json']
  const parts = [
    `### ${summary}`,
    `\`${method} ${path}\` · ${renderSource(operation)} · ${token}`,
    description,
    renderParameters(listParameters(document, operation)),
    request && `Fields of the request (${operation.requestBody?.description}):`,
    request && renderFields(resolveSchema(document, request.schema)),
    renderReply(document, operation),
    renderErrors(document, operation),
    example && renderExample(example),
  ]
  return parts.filter(part => part !== undefined && part !== '').join('\n\n')
}

function renderSource({ 'x-section': section, 'x-extension': extension }: OperationObject): string {
  if (section === undefined) return `extension, [${extension}](extensions.md${toAnchor(extension)})`
  return `section ${section} of [the interface](interface.md)`
}

function renderParameters(parameters: readonly ParameterObject[]): string {
  if (parameters.length === 0) return ''
  const rows = parameters.flatMap(each => {
    const json = each.content?.['application/json']
    const type = json === undefined ? describeType(each.schema ?? {}) : 'text of a JSON object'
    const fields = json === undefined ? [] : listFields(json.schema, each.name)
    return [
      [
        `\`${each.name}\`, ${each.in}${each.required ? ', required' : ''}`,
        type,
        `${each.description}${mark(each['x-extension'])}`,
      ],
      ...fields.map(renderField),
    ]
  })
  return renderTable(['Parameter', 'Type and limits', 'Meaning'], rows)
}

function renderReply(document: OpenApiDocument, operation: OperationObject): string {
  const rows = listReplyFields(document, operation)
  const isShort = rows.every(({ name, component }) => name === 'ETag' || component !== undefined)
  if (!isShort) return `Fields of the reply:\n\n${renderRows(rows)}`
  const fields = rows.map(renderField).map(([name, type]) => `${name}: ${type}`)
  return fields.length === 0 ? '' : `Fields of the reply: ${fields.join('; ')}.`
}

function renderFields(schema: SchemaObject): string {
  return renderRows(listFields(schema))
}

function renderRows(rows: readonly FieldRow[]): string {
  if (rows.length === 0) return ''
  return renderTable(['Field', 'Type and limits', 'Meaning'], rows.map(renderField))
}

function renderField(row: FieldRow): readonly string[] {
  const { name, type, component, isRequired, isExtension, description } = row
  const linked =
    component === undefined
      ? type
      : type.replace(component, `[${component}](${toAnchor(component)})`)
  return [
    `\`${name}\`${isRequired ? '' : ', optional'}`,
    linked,
    `${description}${mark(isExtension)}`,
  ]
}

function renderErrors(document: OpenApiDocument, operation: OperationObject): string {
  const { special, others } = listErrors(document, operation)
  const rows = special.map(({ status, code, cause }) => [status, `\`${code}\``, cause])
  const codes = others.map(code => `\`${code}\``).join(', ')
  const table = rows.length === 0 ? '' : renderTable(['Status', 'Error', 'Cause'], rows)
  const text = codes === '' ? '' : `${rows.length === 0 ? 'Errors' : 'Other errors'}: ${codes}.`
  return [table, text].filter(Boolean).join('\n\n')
}

function renderExample({ request, reply }: FormattedExample): string {
  return `\`\`\`http\n${request}\n\n${reply}\n\`\`\``
}

/** Shortens lists of objects to their first item, and links, which are alike in all examples. */
function shorten(value: unknown, name = ''): unknown {
  if (name === 'links' && typeof value === 'object') return '…'
  if (Array.isArray(value)) {
    const [first, ...rest] = value.map(each => shorten(each))
    return rest.length > 0 && typeof first === 'object' ? [first, '…'] : value
  }
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, shorten(each, key)]))
}

function renderEvents({ webhooks }: OpenApiDocument): string {
  const rows = Object.entries(webhooks).map(([name, { post }]) => {
    const schema = post.requestBody?.content['application/json']?.schema
    const object = getComponentName({ $ref: schema?.$ref ?? '' }).replace('Webhook_', '')
    const data = `\`{"${object}":{"id":"…"}}\``
    return [`\`${name}\``, `${post.summary}${mark(post['x-extension'])}`, data]
  })
  const text =
    'The relay sends a webhook to each subscription of the event. ' +
    '[Webhooks](extensions.md#webhooks) has their header fields, signature and retries.'
  return `## Events\n\n${text}\n\n${renderTable(['Event', 'Fired when', 'Data'], rows)}`
}

function renderObjects({ components }: OpenApiDocument): string {
  const objects = Object.entries(components.schemas)
    .filter(([name]) => !/^Webhook_|Request$|^Links$/.test(name))
    .map(([name, schema]) => `### ${name}\n\n${schema.description}\n\n${renderFields(schema)}`)
  const links = '### Links\n\nThe operations on a resource: a [Link](#link) under each name.'
  return ['## Objects', ...objects, links].join('\n\n')
}

function renderAllErrors(document: OpenApiDocument): string {
  const errors = listAllErrors(document)
  const rows = errors.map(({ code, status, cause, remedy }) => [
    `\`${code}\``,
    status,
    `${cause} ${remedy}`.trim(),
  ])
  const examples = errors.flatMap(({ code }) => {
    const example = document.components.examples[code]
    return example === undefined ? [] : [renderExample(formatErrorExample(example))]
  })
  const table = renderTable(['Error', 'Status', 'Cause, and what to do'], rows)
  return ['## All errors', table, 'Examples:', ...examples].join('\n\n')
}

function renderTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [head, head.map(() => '---'), ...rows]
  return lines
    .map(cells => `| ${cells.map(cell => cell.replaceAll('|', '\\|')).join(' | ')} |`)
    .join('\n')
}

function mark(extension: string | boolean | undefined): string {
  return extension === undefined || extension === false ? '' : ' *(extension)*'
}

function toAnchor(heading = ''): string {
  return `#${heading
    .toLowerCase()
    .replace(/[^\p{L}\d _-]/gu, '')
    .replaceAll(' ', '-')}`
}
