import { RelayError } from '../../errors.js'
import { parseBaseAddress, parseDuration } from '../terminal/parse-values.js'
import { getConfigDir } from './directories.js'
import { defaultProfile, type Profile, readProfile } from './profile.js'

/** Flags that say how to reach a relay; oclif fills them from the environment too. */
export interface ConnectionFlags {
  readonly profile?: string | undefined
  readonly url?: string | undefined
  readonly 'secret-key'?: string | undefined
  readonly 'api-key'?: string | undefined
  readonly 'app-key'?: string | undefined
  readonly timeout?: string | undefined
}

/** The key that a command uses as its password. */
export type KeyKind = 'api' | 'app'

/** The address of a relay, and a key pair. */
export interface Connection {
  readonly url: string
  readonly credentials: { readonly user: string; readonly password: string }
  /** Longest time of one request, in milliseconds. */
  readonly timeout?: number
}

export function getProfileName(flags: ConnectionFlags): string {
  return flags.profile ?? defaultProfile
}

/** The address and keys of the flags or the environment, else of the profile. Throws `usage`. */
export async function resolveConnection(
  flags: ConnectionFlags,
  env: Readonly<Record<string, string | undefined>>,
  kinds: readonly KeyKind[] = ['api', 'app'],
): Promise<Connection> {
  const found = await mergeProfile(flags, env)
  const password = kinds.map(kind => found[`${kind}_key`]).find(key => key !== undefined)
  if (found.url === undefined) throw missingSettingError('address of the relay', '--url', flags)
  if (found.secret_key === undefined) {
    throw missingSettingError('secret key', '--secret-key', flags)
  }
  if (password === undefined) {
    const kind = kinds[0] === 'app' ? 'application key' : 'API key'
    throw missingSettingError(kind, `--${kinds[0]}-key`, flags)
  }
  const url = parseBaseAddress('The address of the relay', found.url)
  return { url, credentials: { user: found.secret_key, password }, ...parseTimeout(flags) }
}

/** The address only, for requests without keys. Throws `usage`. */
export async function resolveUrl(
  flags: ConnectionFlags,
  env: Readonly<Record<string, string | undefined>>,
): Promise<string> {
  const { url } = await mergeProfile(flags, env)
  if (url === undefined) throw missingSettingError('address of the relay', '--url', flags)
  return parseBaseAddress('The address of the relay', url)
}

/** The milliseconds of `--timeout`, at least 1, if it is given. Throws `usage`. */
export function parseTimeout({ timeout }: ConnectionFlags): { timeout?: number } {
  if (timeout === undefined) return {}
  return { timeout: Math.max(parseDuration('--timeout', timeout), 1) }
}

type PartialProfile = { readonly [Key in keyof Profile]?: Profile[Key] | undefined }

/** Never pairs a secret key with a key that the profile has for another account. */
async function mergeProfile(
  flags: ConnectionFlags,
  env: Readonly<Record<string, string | undefined>>,
): Promise<PartialProfile> {
  const own = {
    url: flags.url,
    secret_key: flags['secret-key'],
    api_key: flags['api-key'],
    app_key: flags['app-key'],
  }
  if (own.url !== undefined && own.secret_key !== undefined) return own
  const saved = await readProfile(getProfileName(flags), getConfigDir(env))
  if (saved === undefined) return own
  if (own.secret_key !== undefined && own.secret_key !== saved.secret_key) {
    return { ...own, url: own.url ?? saved.url }
  }
  return {
    url: own.url ?? saved.url,
    secret_key: saved.secret_key,
    api_key: own.api_key ?? saved.api_key,
    app_key: own.app_key ?? saved.app_key,
  }
}

function missingSettingError(what: string, flag: string, flags: ConnectionFlags): RelayError {
  const named = flags.profile === undefined ? '' : ` --profile ${flags.profile}`
  return new RelayError('usage', `The ${what} is missing.`, {
    hint: `Run \`smsrelay login${named}\` or add ${flag}.`,
  })
}
