import { z } from 'zod'
import { isEmailAddress } from '../../../../domain/account/email-address.js'

type Shape<T> = {
  readonly [F in keyof T]-?: T extends Record<F, unknown>
    ? z.ZodType<T[F]>
    : z.ZodExactOptional<z.ZodType<Exclude<T[F], undefined>>>
}

export function object<T>(shape: Shape<T>): z.ZodType<T> {
  return z.strictObject(shape as unknown as z.ZodRawShape) as unknown as z.ZodType<T>
}

/** One of the names; with an explicit type the compiler requires all names of it. */
export function oneOf<T extends string>(names: Readonly<Record<T, true>>): z.ZodType<T> {
  return z.enum(Object.keys(names) as [T, ...T[]]) as unknown as z.ZodType<T>
}

export function optional<T>(schema: z.ZodType<T>): z.ZodExactOptional<z.ZodType<T>> {
  return schema.exactOptional()
}

/**
 * Schema of a text in an imported record that matches a pattern; `expected` completes the sentence
 * of the error.
 */
export function text(pattern: RegExp, expected: string): z.ZodType<string> {
  return z.string().regex(pattern, `Invalid input: expected ${expected}`)
}

/** Schema of a text in an imported record, of well-formed Unicode without U+0000. */
function plainText(min: number, max: number): z.ZodType<string> {
  return z
    .string()
    .refine(value => value.isWellFormed() && !value.includes('\0'), {
      error: 'Invalid input: expected well-formed Unicode without U+0000',
    })
    .refine(value => [...value].length >= min && [...value].length <= max, {
      error: `Invalid input: expected ${min} to ${max} characters`,
    })
}

/** Schema of a text in an imported record, which must not be empty. */
export function someText(max: number): z.ZodType<string> {
  return plainText(1, max)
}

/** Schema of a text in an imported record, which may be empty. */
export function anyText(max: number): z.ZodType<string> {
  return plainText(0, max)
}

export const name = z.string().min(1)
export const count = z.int().min(0)
/**
 * Schema of a time in an imported record, in milliseconds since the epoch: of the years 1 to 9999.
 * A time that a user chose can be before the epoch.
 */
export const time = z
  .int()
  .refine(
    at => at >= Date.parse('0001-01-01T00:00:00Z') && at < Date.parse('+010000-01-01T00:00:00Z'),
    {
      error: 'Invalid input: expected a time of the years 1 to 9999',
    },
  )
/** E.164, a short code, or a test number without its `+`. */
export const numberPattern = /^\+?\d{3,15}$/
export const number = text(numberPattern, 'a canonical number')

export const email = z
  .string()
  .refine(isEmailAddress, { error: 'Invalid input: expected an e-mail address' })
