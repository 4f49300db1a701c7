import { serveFlags } from '../admin/serve-flags.js'

/** Settings that a running relay takes over. */
const reloadable: readonly string[] = [
  'log-level',
  ...['stop-words', 'start-words', 'help-words'],
  ...['max-connections', 'max-connections-per-address', 'max-subscriptions'],
  ...['max-webhooks', 'max-webhooks-per-account', 'max-webhooks-per-host'],
  'max-lookups-per-account',
]

/** A running relay takes over other files of a certificate, but not the change to or from TLS. */
const certificates: readonly string[] = ['tls-cert', 'tls-key', 'smtp-cert', 'smtp-key']

type Values = Readonly<Record<string, unknown>>

export interface SettingChanges {
  /** Keys of the changed settings that a running relay takes over. */
  readonly reloaded: readonly string[]
  /** Keys of those that need a restart. */
  readonly restart: readonly string[]
}

/** Compares the settings of a running relay with those that it has read again. */
export function compareSettings(before: Values, after: Values): SettingChanges {
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

/** One sentence on what was reloaded, and one on what needs a restart. */
export function formatChanges({ reloaded, restart }: SettingChanges): string {
  const first =
    reloaded.length === 0
      ? 'The settings were read again; nothing was changed.'
      : `New settings are in use: ${reloaded.join(', ')}.`
  if (restart.length === 0) return first
  return `${first} Restart the relay to use the new ${restart.join(', ')}.`
}
