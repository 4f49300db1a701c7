import { z } from 'zod'

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

export const name = z.string().min(1)
export const count = z.int().min(0)
/**
 * Schema of a time in an imported record, in milliseconds since the epoch. A time that a user chose
 * can be before it.
 */
export const time = z.int()
export const numberPattern = /^\+?\d{3,}$/
export const number = text(numberPattern, 'a canonical number')

export const email = text(/^[^\s@]+@[^\s@]+$/, 'an e-mail address')
