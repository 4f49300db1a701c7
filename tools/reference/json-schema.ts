import * as z from 'zod/mini'
import { type JsonSchema, notes } from '../../src/contract/schema/describe.js'

type MutableSchema = Record<string, unknown>

/** The JSON Schemas of the contract's schemas, with those that have an `id` as components. */
export class SchemaCollection {
  readonly components: Record<string, JsonSchema> = {}

  /**
   * Converts a schema of the contract; `io` says whether clients send or receive its values. Adds
   * its components.
   */
  convert(schema: z.ZodMiniType, io: 'input' | 'output'): JsonSchema {
    const { $schema: _, ...json } = z.toJSONSchema(schema, {
      io,
      metadata: notes,
      unrepresentable: 'any',
      override: ({ zodSchema, jsonSchema }) => {
        applyNotes(
          notes.get(zodSchema as unknown as z.ZodMiniType) ?? {},
          jsonSchema as MutableSchema,
        )
        // Of a schema with a transform zod leaves the default out.
        const { def } = zodSchema._zod
        if (def.type === 'default') Object.assign(jsonSchema, { default: def.defaultValue })
        const { itemSchema, ...rest } = jsonSchema as MutableSchema
        if (itemSchema === undefined) return
        delete (jsonSchema as MutableSchema).itemSchema
        const items = this.convert(itemSchema as z.ZodMiniType, io)
        Object.assign(jsonSchema, { ...rest, items })
      },
    })
    const { $defs = {}, ...own } = renameReferences(json) as { $defs?: Record<string, JsonSchema> }
    Object.assign(this.components, $defs)
    return own
  }
}

function applyNotes({ replace, ...keywords }: JsonSchema, schema: MutableSchema): void {
  if (replace !== undefined) {
    for (const name of Object.keys(schema)) delete schema[name]
    Object.assign(schema, replace, keywords)
  }
  // In replies, zod forbids other fields; but a relay may have more fields than this document.
  if (schema.additionalProperties === false) delete schema.additionalProperties
  if (schema.propertyNames !== undefined) delete schema.propertyNames
  delete schema.id
  if (schema.maximum === Number.MAX_SAFE_INTEGER || schema.maximum === undefined)
    delete schema.maximum
}

/** Points references to components of an OpenAPI document. */
function renameReferences(value: unknown): unknown {
  const text = JSON.stringify(value).replaceAll('"#/$defs/', '"#/components/schemas/')
  return JSON.parse(text)
}
