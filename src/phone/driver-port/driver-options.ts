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

type Parse<T> = (typed: string, name: string) => T

/**
 * An option of a driver, one row of its table. The tables check and read what was typed, and are
 * the source of `phone --help`, the questions of `phone setup`, and what is masked.
 */
export interface DriverOption<T> extends OptionNotes {
  /** Throws `usage` with its name and value. */
  readonly parse: Parse<T>
  /** Its value if nothing is typed. */
  readonly absent: T
}

export interface OptionNotes {
  /** An example of an option that must be given, such as `--option device=/dev/ttyUSB0`. */
  readonly required?: string
  /** Environment variable with the value if the option is not typed. */
  readonly variable?: string
  /** What of a saved value is not shown: all, or secret parts of an address. */
  readonly mask?: 'all' | 'address'
  /** Question of `phone setup`, and the answer that it suggests. */
  readonly ask?: string
  readonly suggest?: string
}

/** Options by name; one that ends in `*` stands for all with that prefix. */
export type OptionTable = Readonly<Record<string, DriverOption<unknown>>>

export type OptionValues<O extends OptionTable> = {
  readonly [K in keyof O]: O[K] extends DriverOption<infer T>
    ? K extends `${string}*`
      ? Readonly<Record<string, Exclude<T, undefined>>>
      : T
    : never
}

/** Reads the options of a driver by its table. Throws `usage` for one that is missing or wrong. */
export function readOptions<O extends OptionTable>(
  table: O,
  options: DriverOptions,
  env: Env = {},
): OptionValues<O> {
  const values = Object.entries(table).map(([name, option]) => {
    if (!name.endsWith('*')) return [name, readOption(name, option, options, env)]
    const found = Object.entries(options).filter(([each]) => each.startsWith(name.slice(0, -1)))
    return [
      name,
      Object.fromEntries(found.map(([each, typed]) => [each, option.parse(typed, each)])),
    ]
  })
  return Object.fromEntries(values) as OptionValues<O>
}

function readOption(
  name: string,
  { required, variable, parse, absent }: DriverOption<unknown>,
  options: DriverOptions,
  env: Env,
): unknown {
  const typed = options[name] ?? (variable === undefined ? undefined : env[variable])
  if (required !== undefined) requireOption(typed, name, required)
  return typed === undefined ? absent : parse(typed, name)
}

/** Requires an option that only some settings need. Throws `usage`. */
export function requireOption(typed: string | undefined, name: string, example: string): string {
  if (typed !== undefined && typed.trim() !== '') return typed
  throw new RelayError('usage', `The driver needs the option ${name}, such as ${example}.`)
}

export function refuse(name: string, allowed: string, typed: string): RelayError {
  return new RelayError('usage', `${name} must be ${allowed}; not "${typed}".`)
}

/** An option with a parser of its own. */
export function parsed<const T, D = undefined>(
  parse: Parse<T>,
  { absent, ...notes }: OptionNotes & { readonly absent?: D } = {},
): DriverOption<T | D> {
  return { parse, absent: absent as D, ...notes }
}

/** A text that must be given. */
export function required(example: string, notes: OptionNotes = {}): DriverOption<string> {
  return { parse: typed => typed, absent: '', ...notes, required: example }
}

/** Any text; undefined if absent. */
export function text(notes: OptionNotes = {}): DriverOption<string | undefined> {
  return { parse: typed => typed, absent: undefined, ...notes }
}

/** A text of a form, trimmed; an empty one is the same as none. */
export function formed<D = undefined>(
  form: RegExp,
  allowed: string,
  { absent, ...notes }: OptionNotes & { readonly absent?: D } = {},
): DriverOption<string | D> {
  const parse: Parse<string | D> = (typed, name) => {
    const trimmed = typed.trim()
    if (trimmed === '') return absent as D
    if (form.test(trimmed)) return trimmed
    if (notes.mask === undefined) throw refuse(name, allowed, trimmed)
    throw new RelayError('usage', `${name} must be ${allowed}.`)
  }
  return { parse, absent: absent as D, ...notes }
}

interface NumberNotes<D> extends OptionNotes {
  readonly absent?: D
  /** Unit of a driver option, shown in the error, such as `seconds`. */
  readonly unit?: string
}

export function number<D extends number | undefined = undefined>(
  min: number,
  max: number,
  { absent, unit = '', ...notes }: NumberNotes<D> = {},
  isWhole = false,
): DriverOption<number | D> {
  const parse = (typed: string, name: string): number => {
    const value = /^\s*[+-]?(\d+\.?\d*|\.\d+)\s*$/.test(typed) ? Number(typed) : Number.NaN
    if (value >= min && value <= max && (!isWhole || Number.isInteger(value))) return value
    const kind = isWhole ? 'a whole number' : 'a number'
    const of = unit === '' ? '' : ` of ${unit}`
    throw refuse(name, `${kind}${of}, ${min} to ${max}`, typed)
  }
  return { parse, absent: absent as D, ...notes }
}

export function whole<D extends number | undefined = undefined>(
  min: number,
  max: number,
  notes: NumberNotes<D> = {},
): DriverOption<number | D> {
  return number(min, max, notes, true)
}

/** Seconds, read as milliseconds. */
export function seconds(absent: number, min: number, max: number): DriverOption<number> {
  const { parse } = number(min, max, { unit: 'seconds' })
  return { parse: (typed, name) => Number(parse(typed, name)) * 1000, absent: absent * 1000 }
}

/** One of a few values; the first if absent. */
export function choice<const T extends string>(known: readonly [T, ...T[]]): DriverOption<T> {
  return { parse: (typed, name) => parseChoice(typed, name, known), absent: known[0] }
}

export function parseChoice<const T extends string>(
  typed: string,
  name: string,
  known: readonly T[],
): T {
  const found = known.find(each => each === typed.trim().toLowerCase())
  if (found !== undefined) return found
  throw refuse(name, known.length === 2 ? known.join(' or ') : `one of ${known.join(', ')}`, typed)
}

/** No if absent. */
export function yesNo(): DriverOption<boolean> {
  const parse: Parse<boolean> = (typed, name) => {
    const found = typed.trim().toLowerCase()
    if (found === 'yes' || found === 'no') return found === 'yes'
    throw refuse(name, 'yes or no', typed)
  }
  return { parse, absent: false }
}

/** Languages whose tables of 3GPP TS 23.038 a driver may use, or `auto` for all; none if absent. */
export function national(): DriverOption<readonly NationalLanguage[]> {
  const parse: Parse<readonly NationalLanguage[]> = (given, name) => {
    const typed = given.trim().toLowerCase()
    if (typed === '' || typed === 'no') return []
    if (typed === 'auto') return nationalLanguages
    return typed.split(',').map(each => {
      const found = nationalLanguages.find(language => language === each.trim())
      if (found !== undefined) return found
      throw refuse(name, `no, auto, or languages of ${nationalLanguages.join(', ')}`, each)
    })
  }
  return { parse, absent: [] }
}
