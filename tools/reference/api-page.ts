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
  getComponentName,
  listOperations,
  listParameters,
  listResponses,
  type OpenApiDocument,
  type OperationObject,
  type ParameterObject,
  type ReferenceOperation,
  resolveSchema,
  type SchemaObject,
} from '../../src/server/dashboard/reference/openapi-document.js'

const introduction = `# The API

<!-- Generated from src/contract/api and tools/reference/examples.json by npm run reference. -->

Every request of a relay, with its fields, limits and errors. [The interface](interface.md) and
[the extensions](extensions.md) explain how they work together. A relay shows this page at
\`/docs\`, and serves it as OpenAPI: 3.1 at \`/openapi.json\`, where \`GET /message/next\` stands
for NEXT, and 3.2 at \`/openapi-3.2.json\`, which has NEXT. \`/docs/try\` sends requests with your
own token.

An operation or a field that is marked *(extension)* is not part of the base interface.

Every reply has an \`X-Request-Id\`, by which the log of the relay names the request; a client can
send one of its own ([request ids](extensions.md#request-ids)). An error has it as \`request_id\`.

The examples are requests to a relay and its replies. Keys, tokens and other random values in
them are words in capitals, and long lists are shortened.`

/** Renders docs/reference/api.md from the OpenAPI document. */
export function renderApiPage(document: OpenApiDocument): string {
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
    renderErrors(document, operations),
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
  const request = operation.requestBody?.content['application/json']
  const parts = [
    `### ${summary}`,
    `\`${method} ${path}\` · ${renderSource(operation)} · ${token}`,
    description,
    renderParameters(listParameters(document, operation)),
    request && `Fields of the request (${operation.requestBody?.description}):`,
    request && renderFields(resolveSchema(document, request.schema)),
    renderReply(document, operation),
    renderCauses(document, operation),
    renderExample(operation),
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
  const table = renderRows(listReplyFields(document, operation))
  return table === '' ? '' : `Fields of the reply:\n\n${table}`
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

function renderCauses(document: OpenApiDocument, operation: OperationObject): string {
  const rows = listResponses(document, operation).flatMap(([status, response]) =>
    (response['x-errors'] ?? []).map(({ code, cause }) => [status, `\`${code}\``, cause]),
  )
  return renderTable(['Status', 'Error', 'Cause'], rows)
}

function renderExample(operation: OperationObject): string {
  const example = formatExample(operation)
  return example === undefined ? '' : renderExchange('Example:', example)
}

function renderExchange(title: string, { request, reply }: FormattedExample): string {
  const blocks = [request, reply].map(text => `\`\`\`http\n${text}\n\`\`\``)
  return [title, ...blocks].join('\n\n')
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

function renderErrors(
  document: OpenApiDocument,
  operations: readonly ReferenceOperation[],
): string {
  const remedies = new Map<string, readonly string[]>()
  for (const { operation } of operations) {
    for (const [status, response] of listResponses(document, operation)) {
      for (const { code, remedy } of response['x-errors'] ?? [])
        remedies.set(code, [`\`${code}\``, status, remedy])
    }
  }
  const rows = [...remedies.values()].sort(([, a = ''], [, b = '']) => Number(a) - Number(b))
  const examples = rows.flatMap(([name = '']) => {
    const example = document.components.examples[name.replaceAll('`', '')]
    return example === undefined ? [] : [renderExchange(`### ${name}`, formatErrorExample(example))]
  })
  const table = renderTable(['Error', 'Status', 'What to do'], rows)
  return ['## What to do about errors', table, ...examples].join('\n\n')
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
