// A setting of the relay is one row of a table. From the rows come the flags of `serve`, their
// variables, the keys of the configuration file, `config show` and `config check`, what a reload
// changes, the example of a file, and the settings of the library.
//
// - `setting` has the kinds of rows; `location-settings` the three rows that also other commands
//   have; `settings` all rows; `check-settings` checks values, alone and together.
import { RelayError } from '../errors.js'

interface RowOptions<T, C> {
  /** The placeholder of its value in help; a FILE or DIR is relative to the configuration file. */
  readonly value?: string
  /** What help says of a setting without a value, if it has no fixed default. */
  readonly otherwise?: string
  /** Its value in the example of a configuration file, if the default is no example. */
  readonly example?: T | number
  /** Its variable, if that has not its name. */
  readonly env?: string
  readonly isSecret?: boolean
  /** Whether a running relay takes over a new value; `kept`: only instead of another value. */
  readonly reload?: 'always' | 'kept'
  /** Checks the value, and converts it for the relay. Throws `usage`. */
  readonly parse?: (value: T, flag: string) => C
}

type Kind = 'text' | 'integer' | 'switch' | 'list' | 'any'

export interface Setting<T = unknown, C = unknown> extends RowOptions<T, C> {
  readonly kind: Kind
  readonly about: string
  readonly default?: T | undefined
  readonly options?: readonly string[]
  readonly group?: string
}

export type Input<S> = S extends Setting<infer T, infer _> ? T : never
export type Checked<S> = S extends Setting<infer _, infer C> ? C : never

export function text<C = string, const D extends string | undefined = undefined>(
  about: string,
  row: RowOptions<string, C> & { readonly default?: D } = {},
): Setting<string, D extends string ? C : C | undefined> {
  return { kind: 'text', about, ...row }
}

export function integer<const D extends number | undefined = undefined>(
  about: string,
  { min, max, ...row }: { min: number; max: number; default?: D } & RowOptions<number, number>,
): Setting<number, D extends number ? number : number | undefined> {
  const parse = (value: number, flag: string) => requireInteger(flag, value, min, max)
  return { kind: 'integer', about, parse, ...row }
}

export function choice<const T extends string>(
  about: string,
  options: readonly T[],
  row: { readonly default: NoInfer<T>; readonly reload?: 'always' },
): Setting<T, T> {
  return { kind: 'text', about, options, ...row }
}

/** A switch that is off by default, or on: then it has `--no-…`. */
export function toggle(about: string, byDefault?: true): Setting<boolean, boolean> {
  return { kind: 'switch', about, default: byDefault }
}

export function list<C = string>(
  about: string,
  { each, ...row }: Omit<RowOptions<readonly string[], C>, 'parse'> & { each: (text: string) => C },
): Setting<readonly string[], readonly C[] | undefined> {
  return { kind: 'list', about, ...row, parse: values => values.map(each) }
}

export function inGroup<R extends object>(group: string, rows: R): R {
  const entries = Object.entries(rows).map(([name, row]) => [name, { ...row, group }])
  return Object.fromEntries(entries) as R
}

/** Name of a setting's flag, which is its key in the configuration file. */
export function toFlagName(name: string): string {
  return name.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)
}

export function toVariable(name: string, { env }: Pick<Setting<never>, 'env'>): string {
  return env ?? `SMSRELAY_${toFlagName(name).replaceAll('-', '_').toUpperCase()}`
}

export function requireInteger(name: string, value: number, min: number, max: number): number {
  if (Number.isInteger(value) && value >= min && value <= max) return value
  throw new RelayError('usage', `The ${name} ${value} must be an integer from ${min} to ${max}.`)
}

/** An empty text would mean the working directory, or all addresses of the machine. */
export function requireNonEmpty(value: string, name: string): string {
  if (value !== '') return value
  throw new RelayError('usage', `The ${name} must not be empty.`)
}
