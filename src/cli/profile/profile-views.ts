import type { Column } from '../output/column.js'
import type { Profile } from './profile.js'

export interface ProfileSummary {
  readonly name: string
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

type ShownKeys = Partial<Pick<Profile, 'secret_key' | 'api_key' | 'app_key'>>

export const profileColumns: readonly Column<ProfileSummary & ShownKeys>[] = [
  { name: 'current', read: each => each.current || undefined },
  { name: 'name', isId: true, read: each => each.name },
  { name: 'url', title: 'address', read: each => each.url },
  { name: 'email', empty: '-', read: each => each.email },
  { name: 'keys', read: each => each.keys },
  { name: 'secret_key', isWide: true, read: each => each.secret_key },
  { name: 'api_key', title: 'API key', isWide: true, read: each => each.api_key },
  { name: 'app_key', title: 'application key', isWide: true, read: each => each.app_key },
]
