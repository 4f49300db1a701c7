import { RelayError } from '../../errors.js'
import { parseBaseAddress, parseDuration } from '../terminal/parse-values.js'
import { getConfigDir } from './directories.js'
import { defaultProfile, type Profile, readProfile } from './profile.js'

/** What flags and environment say on how to reach a relay. */
export interface ConnectionFlags {
  readonly profile?: string | undefined
  readonly url?: string | undefined
  readonly 'secret-key'?: string | undefined
  readonly 'api-key'?: string | undefined
  readonly 'app-key'?: string | undefined
  readonly timeout?: string | undefined
}

/** Which key a command signs in with, next to the secret key. */
export type KeyKind = 'api' | 'app'

/** How to reach a relay: its address, and a key pair. */
export interface Connection {
  readonly url: string
  readonly credentials: { readonly user: string; readonly password: string }
  /** Milliseconds a request may take. */
  readonly timeout?: number
}

/** The name of the profile in use. */
export function getProfileName(flags: ConnectionFlags): string {
  return flags.profile ?? defaultProfile
}

/** The address and keys to use: flags, then environment (both in `flags`), then the profile. Throws `usage`. */
export async function resolveConnection(
  flags: ConnectionFlags,
  env: Readonly<Record<string, string | undefined>>,
  kinds: readonly KeyKind[] = ['api', 'app'],
): Promise<Connection> {
  const found = await mergeProfile(flags, env)
  const password = kinds.map(kind => found[`${kind}_key`]).find(key => key !== undefined)
  if (found.url === undefined) throw missingSettingError('the address of the relay', '--url', flags)
  if (found.secret_key === undefined)
    throw missingSettingError('the secret key', '--secret-key', flags)
  if (password === undefined)
    throw missingSettingError(`the ${kinds[0]} key`, `--${kinds[0]}-key`, flags)
  const url = parseBaseAddress('The address of the relay', found.url)
  const timeout = flags.timeout === undefined ? {} : { timeout: parseTimeout(flags.timeout) }
  return { url, credentials: { user: found.secret_key, password }, ...timeout }
}

/** The address of the relay alone, for what needs no keys. Throws `usage`. */
export async function resolveUrl(
  flags: ConnectionFlags,
  env: Readonly<Record<string, string | undefined>>,
): Promise<string> {
  const { url } = await mergeProfile(flags, env)
  if (url === undefined) throw missingSettingError('the address of the relay', '--url', flags)
  return parseBaseAddress('The address of the relay', url)
}

/** The milliseconds of `--timeout`, at least 1. Throws `usage`. */
export function parseTimeout(text: string): number {
  return Math.max(parseDuration('--timeout', text), 1)
}

/** What is known of a profile. */
type PartialProfile = { readonly [Key in keyof Profile]?: Profile[Key] | undefined }

/** The keys of a profile count only with the secret key of that profile: pairs are not mixed. */
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
  return new RelayError('usage', `It is not known what ${what} is.`, {
    hint: `Run \`smsrelay login${named}\`, or give ${flag}.`,
  })
}
