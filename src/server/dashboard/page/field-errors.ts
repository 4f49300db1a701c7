import type { ZodMiniType } from 'zod/mini'
import { isRelayError } from '../../../errors.js'
import type { BodyFields } from '../../http/request-body.js'

/** What is wrong with the fields of a form, by name, in sentences; `''` is what concerns none alone. */
export type FieldErrors = Readonly<Record<string, string>>

/** What was read from a form: its data, or what is wrong. */
export type ParsedForm<T> = { readonly data: T } | { readonly errors: FieldErrors }

/** The fields of a form without those that were left empty, and without its token. */
export function pickFilledFields(
  fields: BodyFields,
  names: readonly string[],
): Record<string, string> {
  const pairs = names.map(name => [name, fields[name]] as const)
  const typed = pairs.filter(
    (pair): pair is [string, string] => typeof pair[1] === 'string' && pair[1].trim() !== '',
  )
  return Object.fromEntries(typed)
}

/** Checks fields as the interface does, and tells of each that is wrong. */
export function parseFields<T>(schema: ZodMiniType<T>, fields: BodyFields): ParsedForm<T> {
  const { success, data, error } = schema.safeParse(fields)
  if (success) return { data }
  const errors: Record<string, string> = {}
  for (const { path, message } of error.issues) {
    const name = String(path[0] ?? '')
    errors[name] ??= name in fields || name === '' ? formatRule(message) : 'It is needed.'
  }
  return { errors }
}

/** What a service found wrong, at the field that its sentence begins with. Throws what is not of the form's doing. */
export function toFieldErrors(error: unknown): FieldErrors {
  const isOfForm =
    isRelayError(error, 'invalid_parameter') || isRelayError(error, 'invalid_request')
  if (!isOfForm) throw error
  const text = [error.message, ...(error.hint === undefined ? [] : [error.hint])].join(' ')
  const [, name = '', rest = ''] = /^`(\w+)`:? (.*)$/s.exec(text) ?? []
  return name === '' ? { '': removeBackticks(text) } : { [name]: formatRule(rest) }
}

/** A rule of the interface about a field, as a sentence below it. */
function formatRule(rule: string): string {
  const text = removeBackticks(rule)
  const begun = /^(must|is)\b/.test(text) ? `It ${text}` : text.replace(/^each\b/, 'Each')
  return /[.!?]$/.test(begun) ? begun : `${begun}.`
}

function removeBackticks(text: string): string {
  return text.replaceAll('`', '')
}
