import { serveFlags } from '../admin/serve-flags.js'
import type { Column } from '../output/column.js'
import {
  maskSecret,
  type ParsedFlags,
  type SettingOrigin,
  type Settings,
  secretSettings,
} from './read-settings.js'

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

export function toShownSettings(
  { values, origins }: Settings<object>,
  { metadata }: Pick<ParsedFlags<object>, 'metadata'>,
): ShownSetting[] {
  const switches = Object.entries(serveFlags).filter(([, flag]) => flag.type === 'boolean')
  const off = Object.fromEntries(switches.map(([key]) => [key, false]))
  const given: Readonly<Record<string, unknown>> = { ...off, ...values }
  const keys = [...origins].filter(([key]) => key !== 'config')
  return keys.map(([key, { kind, ...place }]) => {
    const value = maskValue(key, given[key])
    const help = metadata.flags[key]?.defaultHelp
    const fallback = value === null && typeof help === 'string' ? { default: help } : {}
    return { key, value, origin: kind, ...place, ...fallback }
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

function formatOrigin({ origin, variable, file, line }: ShownSetting): string {
  if (origin === 'file') return `${file}:${line}`
  return variable ?? origin
}

function maskValue(key: string, value: unknown): ShownSetting['value'] {
  if (Array.isArray(value)) return value.map(String)
  if (typeof value === 'number' || typeof value === 'boolean') return value
  if (typeof value !== 'string') return null
  return secretSettings.includes(key) ? maskSecret(value) : value
}
