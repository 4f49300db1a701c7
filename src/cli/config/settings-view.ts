import { RelayError } from '../../errors.js'
import { type Setting, toFlagName } from '../../settings/setting.js'
import { listSettings } from '../../settings/settings.js'
import type { Column } from '../output/column.js'
import type { SettingProblem } from './config-file.js'
import { maskSecret, type ReadSettings, type SettingOrigin } from './read-settings.js'

export interface ShownSetting {
  readonly key: string
  /** Null if the setting is not given and has no fixed default. */
  readonly value: string | number | boolean | readonly string[] | null
  readonly origin: SettingOrigin['kind']
  readonly variable?: string
  readonly file?: string
  readonly line?: number
  readonly default?: string
}

export function toShownSettings({ values, origins }: ReadSettings): ShownSetting[] {
  const rows = listSettings().filter(([name]) => name !== 'config')
  return rows.map(([name, row]) => {
    const { kind = 'default', ...place } = origins.get(name) ?? {}
    const value = maskValue(row, values[name])
    const { otherwise } = row
    const fallback = value === null && otherwise !== undefined ? { default: otherwise } : {}
    return { key: toFlagName(name), value, origin: kind, ...place, ...fallback }
  })
}

export const settingColumns: readonly Column<ShownSetting>[] = [
  { name: 'key', isId: true, read: each => each.key },
  {
    name: 'value',
    canTruncate: true,
    read: each => each.value,
    show: each => [each.value].flat().join(', '),
    empty: each => `(${each.default ?? 'none'})`,
  },
  { name: 'origin', title: 'from', read: formatOrigin },
]

export function assertNoProblems(problems: readonly SettingProblem[], file?: string): void {
  const [first] = problems
  if (first === undefined) return
  if (problems.length === 1) {
    const hint = first.hint === undefined ? {} : { hint: first.hint }
    throw new RelayError('usage', `${formatPlace(first)}${first.message}`, hint)
  }
  throw new RelayError('usage', `${file ?? 'This command'} has ${problems.length} errors.`, {
    details: problems.map(formatProblem),
  })
}

export function formatProblem(problem: SettingProblem): string {
  return `${formatPlace(problem)}${problem.message}${problem.hint ? ` ${problem.hint}` : ''}`
}

function formatPlace({ file, line, key, variable }: SettingProblem): string {
  if (file === undefined) return variable === undefined ? '' : `${variable}: `
  return `${file}:${line ?? 1}: ${key === undefined ? '' : `${key}: `}`
}

function formatOrigin({ origin, variable, file, line }: ShownSetting): string {
  return origin === 'file' ? `${file}:${line}` : (variable ?? origin)
}

function maskValue({ kind, isSecret }: Setting, value: unknown): ShownSetting['value'] {
  if (value === undefined) return kind === 'switch' ? false : null
  return typeof value === 'string' && isSecret
    ? maskSecret(value)
    : (value as ShownSetting['value'])
}
