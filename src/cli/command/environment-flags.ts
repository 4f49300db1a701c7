import { RelayError } from '../../errors.js'
import type { Io } from '../terminal/io.js'

interface FlagDefinition {
  readonly type: 'boolean' | 'option'
  readonly char?: string | undefined
  readonly env?: string | undefined
  readonly multiple?: boolean | undefined
  readonly options?: readonly string[] | undefined
  readonly dependsOn?: readonly string[] | undefined
  readonly exclusive?: readonly string[] | undefined
}

type Definitions = Readonly<Record<string, FlagDefinition>>

const truePattern = /^(1|true|y|yes)$/i
const falsePattern = /^(0|false|n|no)$/i

export function isTrueVariable(value: string | undefined): boolean {
  return truePattern.test(value ?? '')
}

/**
 * Prepares a command's flags for oclif, which reads their environment variables. A variable does
 * not apply if its flag and one on the command line exclude each other, if the variable of a switch
 * excludes it, or if a flag that its own needs is set nowhere. Throws `usage` for a switch that is
 * neither true nor false, and for a value that the flag does not have.
 */
export function applyEnvironment<D extends Definitions>(
  definitions: D,
  argv: readonly string[],
  env: Io['env'],
): D {
  const isTyped = (name: string) => hasTypedFlag(argv, name, definitions[name]?.char)
  const isSet = (name: string) => isTyped(name) || isVariableSet(env[definitions[name]?.env ?? ''])
  const isExcluded = (name: string) =>
    Object.entries(definitions).some(([other, { exclusive, env: variable }]) => {
      const isBack = definitions[name]?.exclusive?.includes(other) === true
      if (exclusive?.includes(name) !== true) return isBack && isTyped(other)
      return isTyped(other) || (!isBack && isTrueVariable(env[variable ?? '']))
    })
  const prepared = Object.entries(definitions).map(([name, flag]) => {
    if (flag.env === undefined || !isVariableSet(env[flag.env]) || isTyped(name)) {
      return [name, flag]
    }
    if (isExcluded(name) || flag.dependsOn?.some(other => !isSet(other))) {
      return [name, { ...flag, env: undefined }]
    }
    const value = env[flag.env] ?? ''
    if (flag.type === 'boolean') assertBoolean(flag.env, value)
    else if (flag.multiple !== true) assertOption(flag.env, value, flag.options)
    // For oclif, a switch that is off excludes others too.
    const isOff = flag.type === 'boolean' && flag.exclusive !== undefined && !isTrueVariable(value)
    return [name, isOff ? { ...flag, env: undefined } : flag]
  })
  return Object.fromEntries(prepared) as D
}

/** Splits the variable of a repeatable flag into lines; oclif gives it as one text. */
export function splitRepeatedValues<F extends Record<string, unknown>>(
  flags: F,
  definitions: Definitions,
): F {
  const values = Object.entries(flags).map(([name, value]) => {
    const isText = definitions[name]?.multiple === true && typeof value === 'string'
    return [name, isText ? value.split(/\r?\n/).filter(line => line.trim() !== '') : value]
  })
  return Object.fromEntries(values) as F
}

/** oclif ignores an empty variable. */
function isVariableSet(value: string | undefined): boolean {
  return value !== undefined && value !== ''
}

function hasTypedFlag(argv: readonly string[], name: string, char: string | undefined): boolean {
  const end = argv.indexOf('--')
  const words = end === -1 ? argv : argv.slice(0, end)
  return words.some(
    word =>
      word === `--${name}` ||
      word === `--no-${name}` ||
      word.startsWith(`--${name}=`) ||
      (char !== undefined && word.startsWith(`-${char}`)),
  )
}

/**
 * Adds to an error about a flag's value, which the error's field `flag` names, that the value is
 * from an environment variable.
 */
export function explainFlagError(
  error: RelayError,
  definitions: Definitions,
  argv: readonly string[],
  env: Io['env'],
): RelayError {
  const name = error.fields.flag?.replace(/^--/, '') ?? ''
  const { env: variable, char } = definitions[name] ?? {}
  if (variable === undefined || !isVariableSet(env[variable])) return error
  if (hasTypedFlag(argv, name, char)) return error
  const hint = [`The value is from ${variable}.`, error.hint].filter(Boolean).join(' ')
  return error.copyWith({ hint, fields: { variable } })
}

function assertOption(variable: string, value: string, options?: readonly string[]): void {
  if (options === undefined || options.includes(value)) return
  const message = `${variable} must be one of ${options.join(', ')}, not "${value}".`
  throw new RelayError('usage', message, { fields: { variable } })
}

function assertBoolean(variable: string, value: string): void {
  if (truePattern.test(value) || falsePattern.test(value)) return
  throw new RelayError('usage', `${variable} must be true or false, not "${value}".`, {
    fields: { variable },
  })
}
