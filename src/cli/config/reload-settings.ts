import { isRelayError } from '../../errors.js'
import { toFlagName } from '../../settings/setting.js'
import { listSettings, type SettingName, type SettingValues } from '../../settings/settings.js'
import { createEchoFilter, endSignals } from '../terminal/interruption.js'
import type { EndSignal, Io } from '../terminal/io.js'
import type { ReadSettings } from './read-settings.js'
import { assertNoProblems } from './settings-view.js'

type Values = ReadSettings['values']

export interface ReloadParts {
  readonly values: Values
  readonly load: () => Promise<ReadSettings>
  readonly apply: (values: Values) => Promise<void>
  readonly report: (sentence: string) => void
}

/**
 * Creates the function that reads all settings again. It says what was changed and what needs a
 * restart; if a setting is wrong, it says why and changes nothing.
 */
export function createReload({ values, load, apply, report }: ReloadParts): () => Promise<void> {
  let running = values
  return async () => {
    try {
      const next = await load()
      assertNoProblems(next.problems, next.values.config)
      await apply(next.values)
      const changes = compareSettings(running, next.values)
      const taken = changes.reloaded.map(name => [name, next.values[name]])
      running = { ...running, ...Object.fromEntries(taken) }
      report(formatChanges(changes))
    } catch (error) {
      if (!isRelayError(error)) throw error
      const { message, hint, details } = error
      const lines = [hint === undefined ? message : `${message} ${hint}`, ...details]
      report(`The settings were not reloaded. ${lines.join('\n')}`)
    }
  }
}

/**
 * The signals that end `serve`. On a terminal SIGHUP means that the terminal was closed; elsewhere,
 * that settings are to be read again.
 */
export function getServeEndSignals({ stdin, stderr }: Io): readonly EndSignal[] {
  const hasTerminal = stdin.isTTY === true || stderr.isTTY === true
  return endSignals.filter(name => hasTerminal || name !== 'SIGHUP')
}

export function listenForReload(
  io: Io,
  reload: () => Promise<void>,
  reportDefect: (error: unknown) => void,
): () => void {
  if (getServeEndSignals(io).includes('SIGHUP')) return () => {}
  let isRunning = false
  const isEcho = createEchoFilter(io.clock)
  const onSignal = (): void => {
    if (isEcho() || isRunning) return
    isRunning = true
    reload()
      .catch(reportDefect)
      .finally(() => {
        isRunning = false
      })
  }
  io.signals.on('SIGHUP', onSignal)
  return () => void io.signals.off('SIGHUP', onSignal)
}

interface SettingChanges {
  readonly reloaded: readonly SettingName[]
  readonly restart: readonly SettingName[]
}

function compareSettings(before: SettingValues, after: SettingValues): SettingChanges {
  const changed = listSettings().filter(
    ([name]) => JSON.stringify(before[name]) !== JSON.stringify(after[name]),
  )
  const taken = changed.filter(([name, { reload }]) => {
    // A certificate can be replaced, but not the change to or from TLS.
    const isKept = before[name] !== undefined && after[name] !== undefined
    return reload === 'always' || (reload === 'kept' && isKept)
  })
  const list = (rows: typeof changed) => rows.map(([name]) => name)
  return { reloaded: list(taken), restart: list(changed.filter(row => !taken.includes(row))) }
}

function formatChanges({ reloaded, restart }: SettingChanges): string {
  const list = (names: readonly SettingName[]) => names.map(toFlagName).join(', ')
  const first =
    reloaded.length === 0
      ? 'The settings were read again; nothing was changed.'
      : `New settings are in use: ${list(reloaded)}.`
  if (restart.length === 0) return first
  return `${first} Restart the relay to use the new ${list(restart)}.`
}
