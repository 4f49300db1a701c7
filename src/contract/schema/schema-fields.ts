import { z } from 'zod'
import { parseDateTime } from '../../domain/time/date-time.js'

/** Text without NUL and lone surrogates, `least` to `most` characters (code points) long. */
export function textField(least: number, most: number): z.ZodType<string> {
  return z
    .string({ error: 'must be a string' })
    .refine(value => value.isWellFormed(), { error: 'must be well-formed Unicode', abort: true })
    .refine(value => !value.includes('\0'), { error: 'must not contain NUL', abort: true })
    .refine(value => hasLengthBetween(value, least, most), {
      error: `must have ${least} to ${most} characters`,
    })
}

/** A time, UTC `YYYY-MM-DD HH:MM:SS` (SPEC.md section 2.2). */
export const dateTimeField = z
  .string({ error: 'must be a string, UTC YYYY-MM-DD HH:MM:SS' })
  .refine(value => parseDateTime(value) !== undefined, {
    error: 'must be an existing time, UTC YYYY-MM-DD HH:MM:SS',
  })

/** An integer, as a number or, from a form, as its digits. */
export function integerField(least: number, most: number): z.ZodType<number> {
  const error = `must be an integer, ${least} to ${most}`
  return z
    .union(
      [
        z.number(),
        z
          .string()
          .regex(/^\d{1,15}$/)
          .transform(Number),
      ],
      { error },
    )
    .refine(value => Number.isInteger(value) && value >= least && value <= most, { error })
}

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

/** A boolean, as such or, from a form, as `true`, `false`, `1` or `0`. */
export const booleanField = z
  .unknown()
  .refine(value => booleans.has(value), { error: 'must be true or false' })
  .transform(value => booleans.get(value) === true)

function hasLengthBetween(value: string, least: number, most: number): boolean {
  if (value.length < least) return false
  return value.length <= most || (value.length <= most * 2 && [...value].length <= most)
}
