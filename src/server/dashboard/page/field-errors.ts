import type { ZodMiniType } from 'zod/mini'
import { type ErrorCode, isRelayError, type RelayError } from '../../../errors.js'
import type { BodyFields } from '../../http/request-body.js'
import { getField, type PageRequest } from './page.js'

/** Errors of a dashboard form: one sentence by field name; the name '' is for the whole form. */
export type FieldErrors = Readonly<Record<string, string>>

export type ParsedForm<T> = { readonly data: T } | { readonly errors: FieldErrors }

export function pickFilledFields(
  fields: BodyFields,
  names: readonly string[],
): Record<string, string> {
  const pairs = names.map(name => [name, fields[name]] as const)
  const filled = pairs.filter(
    (pair): pair is [string, string] => typeof pair[1] === 'string' && pair[1].trim() !== '',
  )
  return Object.fromEntries(filled)
}

export function createFieldProps(request: PageRequest, errors: FieldErrors | undefined) {
  return (name: string) => ({ name, value: getField(request, name), error: errors?.[name] })
}

export function parseFields<T>(schema: ZodMiniType<T>, fields: BodyFields): ParsedForm<T> {
  const { success, data, error } = schema.safeParse(fields)
  if (success) return { data }
  const errors: Record<string, string> = {}
  for (const { path, message } of error.issues) {
    const name = String(path[0] ?? '')
    errors[name] ??= name in fields || name === '' ? formatRule(message) : 'It is required.'
  }
  return { errors }
}

const formErrorCodes: readonly ErrorCode[] = [
  'invalid_parameter',
  'invalid_request',
  'invalid_state',
]

/**
 * Converts an error of a service to the error of the form field that its message begins with.
 * Rethrows errors that the form does not cause.
 */
export function toFieldErrors(error: unknown): FieldErrors {
  if (!isRelayError(error) || !formErrorCodes.includes(error.code)) throw error
  const text = addHint(error)
  const [, name = '', rest = ''] = /^`(\w+)`:? (.*)$/s.exec(text) ?? []
  return name === '' ? { '': removeBackticks(text) } : { [name]: formatRule(rest) }
}

export function formatFormError(error: RelayError): string {
  const text = removeBackticks(addHint(error))
  return text.slice(0, 1).toUpperCase() + text.slice(1)
}

export function removeBackticks(text: string): string {
  return text.replaceAll('`', '')
}

function addHint({ message, hint }: RelayError): string {
  return hint === undefined ? message : `${message} ${hint}`
}

/**
 * Makes a sentence for a field of a dashboard form from a rule of a schema, such as "must be a
 * number".
 */
function formatRule(rule: string): string {
  const text = removeBackticks(rule)
  const sentence = /^(must|is|has)\b/.test(text) ? `It ${text}` : text.replace(/^each\b/, 'Each')
  return /[.!?]$/.test(sentence) ? sentence : `${sentence}.`
}
