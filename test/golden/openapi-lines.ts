import { createHash } from 'node:crypto'

// biome-ignore lint/suspicious/noExplicitAny: a document that another test validates
type Json = Readonly<Record<string, any>>

/**
 * A line for each operation, parameter, reply, schema and property of an OpenAPI document; `#` and
 * a hash stand for what has no line of its own, such as examples.
 */
export function describeOpenApi(document: Json): string[] {
  const { paths, webhooks, components, ...rest } = document
  return [
    `document ${hash(rest)}`,
    ...describePaths(paths),
    ...describePaths(webhooks),
    ...describeParameters(Object.values(components.parameters)),
    ...describeReplies(components.responses),
    ...Object.entries<Json>(components.schemas).flatMap(([name, schema]) => [
      '',
      `schema ${name} ${describeSchema(schema)}`,
      ...describeProperties(schema),
    ]),
    '',
    ...Object.entries(components.examples).map(([name, each]) => `example ${name} ${hash(each)}`),
    ...Object.entries(components.headers).map(([name, each]) => `header ${name} ${hash(each)}`),
  ]
}

function hash(value: unknown): string {
  return `#${createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 8)}`
}

function describePaths(paths: Json): string[] {
  return Object.entries<Json>(paths).flatMap(([path, { parameters, ...item }]) => {
    const { 'x-additionalOperations': others, ...operations } = item
    return Object.entries<Json>({ ...others, ...operations }).flatMap(([method, operation]) => [
      '',
      `${method.toUpperCase()} ${path} ${operation.operationId}: ${describeOperation(operation)}`,
      ...describeParameters(operation.parameters ?? []),
      ...describeContent('body', operation.requestBody),
      ...describeReplies(operation.responses),
    ])
  })
}

function describeOperation({ summary, description = '', security, ...rest }: Json): string {
  const scope = (security as Json[] | undefined)?.map(each => JSON.stringify(each)).join(' or ')
  const about = [
    summary.replace(/\.?$/, '.'),
    description,
    rest['x-token'],
    scope,
    rest['x-extension'] && 'ext',
  ]
  return `${about.filter(Boolean).join(' ')} ${hash(rest)}`
}

function describeParameters(parameters: readonly Json[]): string[] {
  const common = parameters.filter(({ $ref }) => $ref !== undefined).map(toName)
  const own = parameters.filter(({ $ref }) => $ref === undefined).map(describeParameter)
  return common.length === 0 ? own : [...own, `  parameters ${common.join(', ')}`]
}

function describeParameter(parameter: Json): string {
  const { name, in: place, schema, description, content, required, ...rest } = parameter
  const used = schema ?? Object.values<Json>(content ?? {})[0]?.schema ?? {}
  const shown = `${name}${required === true ? '' : '?'} in ${place}: ${describeSchema(used)}`
  return `  parameter ${shown}${describeRest(rest)} ${description}`
}

function describeContent(label: string, body: Json | undefined): string[] {
  if (body === undefined) return []
  if (body.$ref !== undefined) return [`  ${label} ${toName(body)}`]
  const types = Object.keys(body.content ?? {}).map(type => type.replace('application/', ''))
  const schema: Json = Object.values<Json>(body.content ?? {})[0]?.schema ?? {}
  const about = [types.join(' '), describeSchema(schema), Object.keys(body.headers ?? {}).join(' ')]
  const lines = [`  ${label} ${about.filter(Boolean).join(', ')}: ${body.description ?? ''}`]
  return schema.$ref === undefined ? [...lines, ...describeProperties(schema, '    ')] : lines
}

function describeReplies(responses: Json): string[] {
  const all = Object.entries<Json>(responses ?? {})
  const common = all.flatMap(([status, reply]) =>
    reply.$ref ? [`${status} ${toName(reply)}`] : [],
  )
  const own = all.filter(([, reply]) => reply.$ref === undefined)
  const lines = own.flatMap(([status, reply]) => describeContent(status, reply))
  return common.length === 0 ? lines : [...lines, `  ${common.join(', ')}`]
}

function describeProperties(schema: Json, indent = '  '): string[] {
  return Object.entries<Json>(schema.properties ?? {}).flatMap(([name, each]) => {
    const mark = schema.required?.includes(name) === true ? '' : '?'
    const line = `${indent}${name}${mark}: ${describeSchema(each)} ${each.description ?? ''}`
    return [line.trimEnd(), ...describeProperties(each.items ?? each, `${indent}  `)]
  })
}

/** A schema without its properties, which have lines of their own. */
function describeSchema({ description, properties, required, type, $ref, ...rest }: Json): string {
  const { items, enum: values, anyOf, oneOf, ...others } = rest
  const several = (anyOf ?? oneOf) as Json[] | undefined
  const kind =
    $ref === undefined
      ? (values?.join('|') ?? several?.map(describeSchema).join(' or ') ?? type ?? 'any')
      : toName({ $ref })
  return `${items === undefined ? kind : `${describeSchema(items)}[]`}${describeRest(others)}`
}

function describeRest(rest: Json): string {
  const { 'x-extension': extension, ...others } = rest
  const shown = Object.entries(others).map(([name, each]) => ` ${name}=${JSON.stringify(each)}`)
  return `${extension === true ? ' ext' : ''}${shown.join('')}`
}

function toName({ $ref }: Json): string {
  return String($ref).split('/').at(-1) ?? ''
}
