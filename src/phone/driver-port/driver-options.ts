import { type NationalLanguage, nationalLanguages } from '../../domain/sms/national-tables.js'
import { RelayError } from '../../errors.js'
import type { Clock } from '../../util/async/clock.js'

export type Env = Readonly<Record<string, string | undefined>>

/** The parts of the process that phone drivers use. */
export interface DriverContext {
  readonly env: Env
  readonly clock: Clock
  readonly random: () => number
  /** Directory for what drivers remember, whichever program uses them. @default none */
  readonly stateDir?: string
  /** Downloads the certificate of a webhook's signature. @default over HTTPS */
  readonly download?: (url: string) => Promise<string>
  /** Ends the process as a crash would; for faults of the simulate driver. */
  readonly crash: () => void
}

export type DriverOptions = Readonly<Record<string, string>>

interface NumberRange {
  readonly min: number
  readonly max: number
  /** Unit of a driver option, shown in the error, such as `seconds`. */
  readonly unit?: string
  /** @default false */
  readonly whole?: boolean
}

/** Parses a driver's number option; undefined if absent. Throws `usage` with its name and range. */
export function parseNumberOption(
  options: DriverOptions,
  name: string,
  { min, max, unit = '', whole = false }: NumberRange,
): number | undefined {
  const typed = options[name]
  if (typed === undefined) return undefined
  const value = /^\s*[+-]?(\d+\.?\d*|\.\d+)\s*$/.test(typed) ? Number(typed) : Number.NaN
  if (value >= min && value <= max && (!whole || Number.isInteger(value))) return value
  const kind = whole ? 'a whole number' : 'a number'
  const of = unit === '' ? '' : ` of ${unit}`
  throw new RelayError('usage', `${name} must be ${kind}${of}, ${min} to ${max}; not "${typed}".`)
}

export function requireOption(options: DriverOptions, name: string, example: string): string {
  const typed = options[name]
  if (typed !== undefined && typed.trim() !== '') return typed
  throw new RelayError('usage', `The driver needs the option ${name}, such as ${example}.`)
}

/** Parses a driver's yes-or-no option; no if absent. Throws `usage`. */
export function parseYesNoOption(options: DriverOptions, name: string): boolean {
  const typed = options[name]?.trim().toLowerCase() ?? 'no'
  if (typed === 'yes' || typed === 'no') return typed === 'yes'
  throw new RelayError('usage', `${name} must be yes or no; not "${typed}".`)
}

/**
 * Parses the option `national`: languages whose tables of 3GPP TS 23.038 a driver may use, `auto`
 * for all, or none if absent. Throws `usage`.
 */
export function parseNationalOption(options: DriverOptions): readonly NationalLanguage[] {
  const typed = options.national?.trim().toLowerCase() ?? ''
  if (typed === '' || typed === 'no') return []
  if (typed === 'auto') return nationalLanguages
  return typed.split(',').map(each => {
    const found = nationalLanguages.find(language => language === each.trim())
    if (found !== undefined) return found
    const allowed = `no, auto, or languages of ${nationalLanguages.join(', ')}`
    throw new RelayError('usage', `national must be ${allowed}; not "${each}".`)
  })
}
