import * as z from 'zod/mini'
import { formatDateTime } from '../../domain/time/date-time.js'
import {
  capitalize,
  type DraftOf,
  type EntryOf,
  type Field,
  hasOnce,
  type InputField,
  isOnce,
  type Listed,
  listInputs,
  type RecordOf,
  type ReplyOf,
  type TextField,
} from '../../resources/resource.js'
import { annotate, describe, type JsonSchema, utcTime, whole } from './describe.js'
import { type Links, links } from './link-schema.js'
import { pageLinks } from './list-page-schema.js'
import { integerField, lineField, textField } from './schema-fields.js'

type Entry<R extends Listed> = EntryOf<R> & { readonly links?: Links | undefined }

/** The requests and replies of a resource, made when they are first used. */
export interface ResourceSchemas<R extends Listed> {
  readonly reply: z.ZodMiniType<Entry<R>>
  readonly list: z.ZodMiniType<
    { readonly [K in R['plural']]: Entry<R>[] } & { readonly links?: Links | undefined }
  >
  readonly id: z.ZodMiniType<unknown>
  readonly create: z.ZodMiniType<DraftOf<R>>
  readonly edit: z.ZodMiniType<Partial<DraftOf<R>>>
}

const made = new WeakMap<Listed, ResourceSchemas<Listed>>()

export function getSchemas<R extends Listed>(resource: R): ResourceSchemas<R> {
  const schemas = made.get(resource) ?? createSchemas(resource)
  made.set(resource, schemas)
  return schemas as unknown as ResourceSchemas<R>
}

function createSchemas(resource: Listed): ResourceSchemas<Listed> {
  const { name, title = name, plural, schema, hasLinks, listAbout } = resource
  const isShort = hasOnce(resource) && schema === undefined
  const wrap = (fields: () => z.ZodMiniType) =>
    z.lazy(() => z.object({ [name]: fields(), ...(hasLinks && { links: z.optional(links) }) }))
  const shown = z.lazy(() => {
    const about = `${getArticle(resource)} ${resource.about ?? title}.`
    const id = isShort ? {} : { id: schema ?? capitalize(name) }
    return describe(createReply(resource, !isShort), about, id)
  })
  const id = describe(z.string(), `The id of the ${title}.`)
  return {
    reply: wrap(() => (isShort ? describe(createReply(resource, true), `The ${name}.`) : shown)),
    list: z.lazy(() =>
      z.object({
        [plural]: describe(
          z.array(wrap(() => shown)),
          listAbout ?? `The ${plural}, in order of creation.`,
        ),
        links: pageLinks,
      }),
    ),
    id: z.lazy(() => z.object({ [name]: describe(z.object({ id }), `The ${title}.`) })),
    create: z.lazy(() => z.object(createInputs(resource))),
    edit: z.lazy(() => createEdit(resource)),
  } as unknown as ResourceSchemas<Listed>
}

export function getArticle({ name, title = name }: Listed): string {
  return /^[aeiou]/.test(title) ? 'An' : 'A'
}

function createReply(resource: Listed, isNew = false) {
  const { name, title = name, fields } = resource
  const shape: Record<string, z.ZodMiniType> = {
    id: describe(z.string(), `Identifies the ${title} in \`/api/1/${name}/<id>\`.`),
  }
  const added: Record<string, z.ZodMiniType> = {}
  for (const [key, field] of Object.entries(fields)) {
    if (!isOnce(field)) shape[key] = createReplyField(field)
    else if (isNew) added[key] = createReplyField(field)
  }
  return z.object({ ...shape, ...added })
}

function createReplyField(field: Field): z.ZodMiniType {
  const isOptional = 'optional' in field
  const describeAs = (schema: z.ZodMiniType, keywords: JsonSchema = {}) =>
    describe(isOptional ? z.nullable(schema) : schema, field.about, keywords)
  switch (field.kind) {
    case 'integer': {
      const type = { type: ['integer', 'null'], minimum: field.min }
      return describeAs(z.number(), { ...(isOptional ? type : whole), ...getUnit(field) })
    }
    case 'list':
      return describeAs(z.array(z.string()))
    case 'created':
      return describeAs(z.string(), utcTime)
    case 'choice':
      return describeAs(z.enum([...field.options]))
    case 'key':
      return describeAs(z.optional(z.string()))
    case 'computed':
      if (field.type === 'time') return describeAs(z.string(), utcTime)
      if (field.type === 'boolean') return describeAs(z.boolean())
      if (field.type === 'texts') return describeAs(z.array(z.string()))
      if (field.type === 'text') return describeAs(z.string())
      return describeAs(z.number(), { ...whole, ...getUnit(field) })
    default:
      return describeAs(z.string())
  }
}

function getUnit(field: Field) {
  return 'unit' in field ? { 'x-unit': field.unit } : {}
}

function createInputs(resource: Listed): Record<string, z.ZodMiniType> {
  return Object.fromEntries(
    listInputs(resource).map(({ name, field }) => {
      const schema = addDefault(createInputField(field), field)
      return [name, describe(schema, field.input ?? field.about, getUnit(field))]
    }),
  )
}

function addDefault(schema: z.ZodMiniType, field: InputField): z.ZodMiniType {
  if ('optional' in field) return z.optional(schema)
  return field.kind !== 'list' && field.default !== undefined
    ? z._default(schema, field.default)
    : schema
}

function createEdit(resource: Listed): z.ZodMiniType {
  const inputs = createInputs(resource)
  const names = Object.keys(inputs)
  if (names.length === 1) return z.object(inputs)
  const shape = Object.fromEntries(
    listInputs(resource).map(({ name, field }) => {
      const schema = inputs[name] as z.ZodMiniType
      if (!('optional' in field)) return [name, z.optional(schema)]
      const text = `${field.input ?? field.about} Null removes it.`
      return [name, describe(z.optional(z.nullable(schema)), text)]
    }),
  )
  return z.object(shape).check(
    z.refine(edit => names.some(name => edit[name] !== undefined), {
      error: `must have at least one of ${names.slice(0, -1).join(', ')} and ${names.at(-1)}`,
    }),
  )
}

/** Request field: a value by its declaration, without its default. */
export function createInputField(field: TextField): z.ZodMiniType<string>
export function createInputField(field: InputField): z.ZodMiniType
export function createInputField(field: InputField): z.ZodMiniType {
  switch (field.kind) {
    case 'integer':
      return integerField(field.min, field.max)
    case 'choice':
      return z.enum([...field.options], { error: `must be one of ${field.options.join(', ')}` })
    case 'list':
      return textListField(field.count, field.max)
    case 'text': {
      const { min, max, isLine = false, refused } = field
      const schema = isLine ? lineField(min, max) : textField(min, max)
      if (refused === undefined) return schema
      const { pattern, error } = refused
      return schema.check(z.refine(value => !pattern.test(value), { error }))
    }
  }
}

function textListField(count: number, max: number): z.ZodMiniType<string[]> {
  const error = `must be a list of at most ${count} texts of at most ${max} characters`
  const fromForm = z.pipe(
    z.string(),
    z.transform(text => text.split(',')),
  )
  const schema = z
    .pipe(
      z._default(z.union([z.array(z.string()), fromForm], { error }), []),
      z.transform(all => all.map(each => each.trim()).filter(each => each !== '')),
    )
    .check(
      z.refine(all => all.length <= count && all.every(each => isShortText(each, max)), { error }),
    )
  const items = { type: 'string', maxLength: max }
  return annotate(schema, { replace: { type: 'array', maxItems: count, items, default: [] } })
}

function isShortText(value: string, max: number): boolean {
  return value.length <= max && value.isWellFormed() && !value.includes('\0')
}

/** A record in a reply. `said` has the fields that its service computes. */
export function toReply<R extends Listed>(
  { fields }: R,
  record: RecordOf<R>,
  said: Readonly<Record<string, unknown>> = {},
): ReplyOf<R> {
  const stored = record as Readonly<Record<string, unknown>>
  const shown = Object.entries(fields).map(([name, field]) => {
    if (isOnce(field) || name in said) return [name, said[name]]
    const place = field.kind === 'created' ? 'createdAt' : 'stored' in field && field.stored
    return [name, formatValue(field, stored[place || name])]
  })
  return { id: stored.id, ...Object.fromEntries(shown) } as ReplyOf<R>
}

function formatValue(field: Field, value: unknown): unknown {
  const type = field.kind === 'created' ? 'time' : field.kind === 'computed' && field.type
  if (type === 'boolean') return value !== undefined
  return type === 'time' && value !== undefined ? formatDateTime(value as number) : (value ?? null)
}
