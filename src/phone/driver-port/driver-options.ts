import { RelayError } from '../../errors.js'

/** The options of a driver as they were typed. */
export type DriverOptions = Readonly<Record<string, string>>

/** What a number option may be. */
export interface NumberRange {
  readonly least: number
  readonly most: number
  /** Said in the error, such as `seconds`. @default '' */
  readonly unit?: string
  /** @default false */
  readonly whole?: boolean
}

/** Reads a number option; undefined when it was not given. Throws `usage` that names the option and its range. */
export function parseNumberOption(
  options: DriverOptions,
  name: string,
  { least, most, unit = '', whole = false }: NumberRange,
): number | undefined {
  const typed = options[name]
  if (typed === undefined) return undefined
  const value = /^\s*[+-]?(\d+\.?\d*|\.\d+)\s*$/.test(typed) ? Number(typed) : Number.NaN
  if (value >= least && value <= most && (!whole || Number.isInteger(value))) return value
  const kind = whole ? 'a whole number' : 'a number'
  const of = unit === '' ? '' : ` of ${unit}`
  throw new RelayError(
    'usage',
    `${name} must be ${kind}${of}, ${least} to ${most}; not "${typed}".`,
  )
}

/** Reads an option that must be there. Throws `usage`. */
export function requireOption(options: DriverOptions, name: string, example: string): string {
  const typed = options[name]
  if (typed !== undefined && typed.trim() !== '') return typed
  throw new RelayError('usage', `The driver needs the option ${name}, such as ${example}.`)
}

/** Reads an option that is yes or no (@default no). Throws `usage`. */
export function parseYesNoOption(options: DriverOptions, name: string): boolean {
  const typed = options[name]?.trim().toLowerCase() ?? 'no'
  if (typed === 'yes' || typed === 'no') return typed === 'yes'
  throw new RelayError('usage', `${name} is yes or no; not "${typed}".`)
}
