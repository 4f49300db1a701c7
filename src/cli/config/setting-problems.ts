import { isRelayError, RelayError } from '../../errors.js'
import type { SettingProblem } from './config-file.js'
import type { SettingOrigin } from './read-settings.js'

export type CheckSettings = (values: Readonly<Record<string, unknown>>) => void

/**
 * Finds all settings that `check` rejects. `check` says only what is wrong first; the setting that
 * is wrong is the one without which it says something else. Then the others are checked without it.
 */
export function findSettingProblems(
  values: Readonly<Record<string, unknown>>,
  origins: ReadonlyMap<string, SettingOrigin>,
  check: CheckSettings,
): SettingProblem[] {
  const problems: SettingProblem[] = []
  let rest = values
  for (;;) {
    const error = findError(rest, check)
    if (error === undefined) return problems
    const key = listGiven(origins)
      .filter(name => Object.hasOwn(rest, name))
      .find(name => findError(omit(rest, name), check)?.message !== error.message)
    problems.push(toProblem(error, key, key === undefined ? undefined : origins.get(key)))
    if (key === undefined) return problems
    rest = omit(rest, key)
  }
}

export function assertNoProblems(problems: readonly SettingProblem[], file?: string): void {
  const [first] = problems
  if (first === undefined) return
  if (problems.length === 1) {
    const place = formatPlace(first)
    const hint = first.hint === undefined ? {} : { hint: first.hint }
    throw new RelayError('usage', `${place}${first.message}`, hint)
  }
  throw new RelayError('usage', `${file ?? 'This command'} has ${problems.length} errors.`, {
    details: problems.map(formatProblem),
  })
}

export function formatErrors({ message, hint, details }: RelayError): string {
  return [hint === undefined ? message : `${message} ${hint}`, ...details].join('\n')
}

export function formatProblem(problem: SettingProblem): string {
  return `${formatPlace(problem)}${problem.message}${problem.hint ? ` ${problem.hint}` : ''}`
}

function formatPlace({ file, line, key, variable }: SettingProblem): string {
  if (file === undefined) return variable === undefined ? '' : `${variable}: `
  return `${file}:${line ?? 1}: ${key === undefined ? '' : `${key}: `}`
}

/** The settings that are not defaults, those of the file first and in its order. */
function listGiven(origins: ReadonlyMap<string, SettingOrigin>): string[] {
  const rank = (origin: SettingOrigin): number =>
    origin.kind === 'file' ? origin.line : Number.MAX_SAFE_INTEGER
  return [...origins]
    .filter(([, origin]) => origin.kind !== 'default')
    .sort(([, a], [, b]) => rank(a) - rank(b))
    .map(([key]) => key)
}

function findError(
  values: Readonly<Record<string, unknown>>,
  check: CheckSettings,
): RelayError | undefined {
  try {
    check(values)
    return undefined
  } catch (error) {
    if (isRelayError(error)) return error
    throw error
  }
}

function omit<T extends Readonly<Record<string, unknown>>>(values: T, key: string): T {
  return Object.fromEntries(Object.entries(values).filter(([name]) => name !== key)) as T
}

/** Names the place of an error: where the setting `key` is from. */
export function toProblem(
  { message, hint }: RelayError,
  key: string | undefined,
  origin: SettingOrigin | undefined,
): SettingProblem {
  const said = hint === undefined ? { message } : { message, hint }
  if (key === undefined || origin === undefined) return said
  if (origin.kind === 'file') return { ...said, file: origin.file, line: origin.line, key }
  return origin.kind === 'environment'
    ? { ...said, key, variable: origin.variable }
    : { ...said, key }
}
