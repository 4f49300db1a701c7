import { z } from 'zod'

/**
 * A schema for each field of an imported record; the compiler requires one for each field of the
 * type.
 */
type Shape<T> = {
  readonly [F in keyof T]-?: T extends Record<F, unknown>
    ? z.ZodType<T[F]>
    : z.ZodExactOptional<z.ZodType<Exclude<T[F], undefined>>>
}

/** Schema of an object in an imported record, with these fields and no others. */
export function object<T>(shape: Shape<T>): z.ZodType<T> {
  return z.strictObject(shape as unknown as z.ZodRawShape) as unknown as z.ZodType<T>
}

/** One of the names; with an explicit type the compiler requires all names of it. */
export function oneOf<T extends string>(names: Readonly<Record<T, true>>): z.ZodType<T> {
  return z.enum(Object.keys(names) as [T, ...T[]]) as unknown as z.ZodType<T>
}

/** Schema of a field that an imported record can lack. */
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

export const name = z.string().min(1)
export const count = z.int().min(0)
/**
 * Schema of a time in an imported record, in milliseconds since the epoch. A time that a user chose
 * can be before it.
 */
export const time = z.int()
export const numberPattern = /^\+?\d{3,}$/
/** Schema of a canonical phone number in an imported record. */
export const number = text(numberPattern, 'a canonical number')

/** Schema of an e-mail address in an imported record. */
export const email = text(/^[^\s@]+@[^\s@]+$/, 'an e-mail address')
