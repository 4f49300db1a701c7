import { type ServeValues, serveFlags, toRelaySettings } from '../admin/serve-flags.js'
import type { Io } from '../terminal/io.js'
import { type ParsedFlags, readSettings, type Settings } from './read-settings.js'
import { findSettingProblems } from './setting-problems.js'

export type CheckedSettings = ReturnType<typeof toRelaySettings> & {
  readonly dataDir?: string
  readonly database?: { readonly url: string }
}

/**
 * Reads the settings of `serve` from all layers and checks them; `problems` has all errors, of the
 * file and of the values that `check` rejects. Throws `usage` if a file cannot be read.
 */
export async function loadSettings<V extends ServeValues>(
  parsed: ParsedFlags<V>,
  io: Pick<Io, 'env' | 'stderr'>,
  check: (settings: CheckedSettings) => void,
): Promise<Settings<V>> {
  const settings = await readSettings(parsed, serveFlags, io)
  const values = Object.fromEntries(Object.entries(settings.values))
  const wrong = findSettingProblems(values, settings.origins, each => check(toChecked(each)))
  const problems = [...settings.problems, ...wrong]
  return { ...settings, problems: problems.sort((a, b) => (a.line ?? 0) - (b.line ?? 0)) }
}

function toChecked(values: ServeValues): CheckedSettings {
  const { database, data = '.' } = values
  const location = database === undefined ? { dataDir: data } : { database: { url: database } }
  return { ...toRelaySettings(values), ...location }
}
