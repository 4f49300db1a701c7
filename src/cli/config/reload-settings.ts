import { isRelayError } from '../../errors.js'
import type { LogValues } from '../admin/log-flags.js'
import { type ServeValues, serveFlags } from '../admin/serve-flags.js'
import { createEchoFilter, endSignals } from '../terminal/interruption.js'
import type { EndSignal, Io } from '../terminal/io.js'
import type { Settings } from './read-settings.js'
import { assertNoProblems, formatErrors } from './setting-problems.js'

type Values = ServeValues & LogValues
type AnyValues = Readonly<Record<string, unknown>>

export interface ReloadParts {
  readonly values: Values
  readonly load: () => Promise<Settings<Values>>
  readonly apply: (values: Values) => Promise<void>
  readonly report: (sentence: string) => void
}

/**
 * Creates the function that reads all settings again. It says what was changed and what needs a
 * restart; if a setting is wrong, it says why and changes nothing.
 */
export function createReload({ values, load, apply, report }: ReloadParts): () => Promise<void> {
  let running: AnyValues = { ...values }
  return async () => {
    try {
      const next = await load()
      assertNoProblems(next.problems, next.values.config)
      await apply(next.values)
      const after: AnyValues = { ...next.values }
      const changes = compareSettings(running, after)
      const taken = changes.reloaded.map(key => [key, after[key]])
      running = { ...running, ...Object.fromEntries(taken) }
      report(formatChanges(changes))
    } catch (error) {
      if (!isRelayError(error)) throw error
      report(`The settings were not reloaded. ${formatErrors(error)}`)
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

const reloadable: readonly string[] = [
  ...['log-level', 'keywords', 'max-connections', 'max-subscriptions'],
  ...['max-webhooks', 'max-webhooks-per-host'],
]

/** A running relay takes over other files of a certificate, but not the change to or from TLS. */
const certificates: readonly string[] = ['tls-cert', 'tls-key', 'smtp-cert', 'smtp-key']

interface SettingChanges {
  readonly reloaded: readonly string[]
  readonly restart: readonly string[]
}

function compareSettings(before: AnyValues, after: AnyValues): SettingChanges {
  const changed = Object.keys(serveFlags).filter(
    key => JSON.stringify(before[key]) !== JSON.stringify(after[key]),
  )
  const canReload = (key: string): boolean => {
    const isKept = before[key] !== undefined && after[key] !== undefined
    return reloadable.includes(key) || (certificates.includes(key) && isKept)
  }
  return {
    reloaded: changed.filter(canReload),
    restart: changed.filter(key => !canReload(key)),
  }
}

function formatChanges({ reloaded, restart }: SettingChanges): string {
  const first =
    reloaded.length === 0
      ? 'The settings were read again; nothing was changed.'
      : `New settings are in use: ${reloaded.join(', ')}.`
  if (restart.length === 0) return first
  return `${first} Restart the relay to use the new ${restart.join(', ')}.`
}
