import * as z from 'zod/mini'
import { limits } from '../../domain/limits.js'
import { parseDateTime } from '../../domain/time/date-time.js'
import { annotate, describe, utcTime } from './describe.js'

const booleans = new Map<unknown, boolean>([
  [true, true],
  [false, false],
  ['true', true],
  ['false', false],
  [1, true],
  [0, false],
  ['1', true],
  ['0', false],
])

/**
 * Request field: text of `min` to `max` characters (code points), without NUL and lone surrogates.
 */
export function textField(min: number, max: number): z.ZodMiniType<string> {
  const schema = z.string({ error: 'must be a string' }).check(
    z.refine(value => value.isWellFormed(), { error: 'must be well-formed Unicode', abort: true }),
    z.refine(value => !value.includes('\0'), { error: 'must not contain NUL', abort: true }),
    z.refine(value => hasLengthBetween(value, min, max), {
      error: `must have ${min} to ${max} characters`,
    }),
  )
  return annotate(schema, { minLength: min, maxLength: max })
}

/** Request field: a text in one line, without a space at its ends. */
export function lineField(min: number, max: number): z.ZodMiniType<string> {
  return textField(min, max).check(
    z.refine(value => !/\p{Cc}/u.test(value), { error: 'must be one line' }),
    z.refine(value => value.trim() === value, { error: 'must not begin or end with a space' }),
  )
}

/** Request field: a time, UTC `YYYY-MM-DD HH:MM:SS` (docs/reference/interface.md 2.2). */
export function dateTimeField(): z.ZodMiniType<string> {
  const schema = z.string({ error: 'must be a string, UTC YYYY-MM-DD HH:MM:SS' }).check(
    z.refine(value => parseDateTime(value) !== undefined, {
      error: 'must be an existing time, UTC YYYY-MM-DD HH:MM:SS',
    }),
  )
  return annotate(schema, utcTime)
}

export function integerField(min: number, max: number): z.ZodMiniType<number> {
  const error = `must be an integer, ${min} to ${max}`
  const digits = z.pipe(z.string().check(z.regex(/^\d{1,15}$/)), z.transform(Number))
  const isInRange = (value: number): boolean =>
    Number.isInteger(value) && value >= min && value <= max
  const schema = z.union([z.number(), digits], { error }).check(z.refine(isInRange, { error }))
  return annotate(schema, { replace: { type: 'integer', minimum: min, maximum: max } })
}

/** Request field: a boolean or, from a form, `true`, `false`, `1` or `0`. */
export function booleanField(): z.ZodMiniType<boolean> {
  const schema = z.pipe(
    z.unknown().check(z.refine(value => booleans.has(value), { error: 'must be true or false' })),
    z.transform(value => booleans.get(value) === true),
  )
  return annotate(schema, { replace: { type: 'boolean' } })
}

/** Request field: the most characters of a text that comes from elsewhere. */
export function maxLengthField(rest: string): z.ZodMiniType<number> {
  return describe(
    z._default(integerField(1, limits.text), limits.text),
    `The most characters of a text; ${rest}`,
    { 'x-unit': 'characters' },
  )
}

/** The parameters of a list: an unknown one is an error, because the list would be another one. */
export function queryObject<T extends z.core.$ZodShape>(
  shape: T,
): z.ZodMiniObject<T, z.core.$strict> {
  const known = Object.keys(shape).join(', ')
  return z.strictObject(shape, {
    error: ({ code }) =>
      code === 'unrecognized_keys' ? `is unknown here; known are ${known}` : undefined,
  })
}

/** Request field: an identifier in a query; `name` says of what. */
export function idField(name: string): z.ZodMiniType<string> {
  const error = `must be the id of ${name}`
  return z.string({ error }).check(z.regex(/^[\w-]{1,64}$/, { error }))
}

function hasLengthBetween(value: string, min: number, max: number): boolean {
  if (value.length < min) return false
  return value.length <= max || (value.length <= max * 2 && [...value].length <= max)
}
