import { formatFields, formatTable } from '../terminal/terminal-text.js'
import type { Profile } from './profile.js'

/** A profile as the commands of `profile` print it: without its keys. */
export interface ProfileSummary {
  readonly name: string
  /** Whether commands use the profile without --profile. */
  readonly current: boolean
  readonly url: string
  readonly email: string | null
  readonly keys: readonly ('api' | 'app')[]
}

export function summarizeProfile(name: string, profile: Profile, current: string): ProfileSummary {
  return {
    name,
    current: name === current,
    url: profile.url,
    email: profile.email ?? null,
    keys: [
      ...(profile.api_key === undefined ? [] : (['api'] as const)),
      ...(profile.app_key === undefined ? [] : (['app'] as const)),
    ],
  }
}

export function formatProfileTable(profiles: readonly ProfileSummary[]): string {
  const rows = profiles.map(({ current, name, url, email, keys }) => [
    ...[current ? '*' : '', name, url, email ?? '-', keys.join(', ')],
  ])
  return formatTable(['', 'NAME', 'ADDRESS', 'E-MAIL', 'KEYS'], rows)
}

type ShownKeys = Partial<Pick<Profile, 'secret_key' | 'api_key' | 'app_key'>>

export function formatProfile(profile: ProfileSummary & ShownKeys): string {
  return formatFields({
    name: profile.name,
    current: profile.current ? 'yes' : 'no',
    address: profile.url,
    email: profile.email ?? '(hidden from an application key)',
    keys: profile.keys.join(', '),
    ...(profile.secret_key === undefined ? {} : { 'secret key': profile.secret_key }),
    ...(profile.api_key === undefined ? {} : { 'API key': profile.api_key }),
    ...(profile.app_key === undefined ? {} : { 'application key': profile.app_key }),
  })
}
