import * as z from 'zod/mini'

/** Keywords of JSON Schema, and `x-unit` and `x-extension` of the API reference. */
export type JsonSchema = Readonly<Record<string, unknown>>

/**
 * What the API reference says of the contract's schemas: keywords that are added to the JSON Schema
 * of zod, `id` for a name under `components`, and `replace` for one in place of that of zod.
 */
export const notes = z.registry<JsonSchema>()

export const utcTime: JsonSchema = {
  pattern: '^\\d{4}-\\d{2}-\\d{2} \\d{2}:\\d{2}:\\d{2}$',
  'x-unit': 'UTC',
}

export const whole: JsonSchema = { type: 'integer', minimum: 0 }

export const requestIdText =
  'The `X-Request-Id` of the request, by which the log of the relay names it.'

export const seconds: JsonSchema = { ...whole, 'x-unit': 'seconds' }

/** Notes on a field that the interface does not have (docs/reference/extensions.md). */
export const extension: JsonSchema = { 'x-extension': true }

export function describe<T extends z.ZodMiniType>(
  schema: T,
  description: string,
  keywords: JsonSchema = {},
): T {
  return annotate(schema, { description, ...keywords })
}

export function annotate<T extends z.ZodMiniType>(schema: T, keywords: JsonSchema): T {
  notes.add(schema, { ...notes.get(schema), ...keywords })
  return schema
}
