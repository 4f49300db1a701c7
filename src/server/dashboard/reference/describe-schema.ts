import {
  getComponentName,
  listResponses,
  type OpenApiDocument,
  type OperationObject,
  type SchemaObject,
} from './openapi-document.js'

export interface FieldRow {
  /** Path of the field, such as `messages[].message`. */
  readonly name: string
  readonly type: string
  /** Name of the object of which the field is one or has several. */
  readonly component: string | undefined
  readonly isRequired: boolean
  readonly isExtension: boolean
  readonly description: string
}

/**
 * Lists the fields of an operation's reply in the OpenAPI document, after its header fields without
 * those that every reply has.
 */
export function listReplyFields(document: OpenApiDocument, operation: OperationObject): FieldRow[] {
  const reply = new Map(listResponses(document, operation)).get('200')
  const headers = Object.entries(reply?.headers ?? {}).flatMap(([name, header]) => {
    if (!('description' in header)) return []
    const { description, required: isRequired = false } = header
    return [
      { name, type: 'header', component: undefined, isRequired, isExtension: true, description },
    ]
  })
  return [...headers, ...listFields(reply?.content?.['application/json']?.schema ?? {})]
}

export function listFields(schema: SchemaObject, prefix = ''): FieldRow[] {
  if (schema.type === 'array' && schema.items !== undefined)
    return listFields(schema.items, `${prefix}[]`)
  if (schema.anyOf !== undefined) return schema.anyOf.flatMap(each => listFields(each, prefix))
  return Object.entries(schema.properties ?? {}).flatMap(([key, field]) => {
    const name = prefix === '' ? key : `${prefix}.${key}`
    const row = {
      name,
      type: describeType(field),
      component: findComponent(field),
      isRequired: schema.required?.includes(key) === true,
      isExtension: field['x-extension'] === true,
      description: field.description ?? '',
    }
    return row.component === undefined ? [row, ...listFields(field, name)] : [row]
  })
}

function findComponent(schema: SchemaObject): string | undefined {
  if (schema.$ref !== undefined) return getComponentName({ $ref: schema.$ref })
  return schema.items === undefined ? undefined : findComponent(schema.items)
}

export function describeType(schema: SchemaObject): string {
  const limits = [describeRange(schema), describeUnit(schema), describeDefault(schema)]
  return [describeKind(schema), ...limits].filter(text => text !== '').join(', ')
}

function describeKind(schema: SchemaObject): string {
  if (schema.$ref !== undefined) return getComponentName({ $ref: schema.$ref })
  if (schema.const !== undefined) return String(schema.const)
  const values = schema.enum?.map(each => `\`${each}\``).join(', ')
  const types = [schema.type ?? 'any'].flat()
  const orNull = types.includes('null') ? ' or null' : ''
  if (values !== undefined) return `one of ${values}${orNull}`
  const type = types.find(each => each !== 'null')
  if (type !== 'array' || schema.items === undefined) return `${type}${orNull}`
  return `list of ${describeType(schema.items)}${orNull}`
}

function describeRange(schema: SchemaObject): string {
  const { minimum, maximum, minLength = 0, maxLength, maxItems, multipleOf } = schema
  const parts: string[] = []
  if (maximum !== undefined) parts.push(`${minimum ?? 0} to ${maximum}`)
  else if (minimum !== undefined && minimum !== 0) parts.push(`at least ${minimum}`)
  if (maxLength !== undefined) parts.push(`${minLength} to ${maxLength} characters`)
  if (maxItems !== undefined) parts.push(`at most ${maxItems} items`)
  if (multipleOf !== undefined) parts.push(`a multiple of ${multipleOf}`)
  return parts.join(', ')
}

function describeUnit({ 'x-unit': unit = '' }: SchemaObject): string {
  return unit === 'UTC' ? '`YYYY-MM-DD HH:MM:SS`, UTC' : unit
}

function describeDefault({ default: value }: SchemaObject): string {
  return value === undefined ? '' : `default \`${JSON.stringify(value)}\``
}
