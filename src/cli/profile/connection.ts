import { RelayClient, type RelayClientOptions } from '../../client/relay-client.js'
import { sendWithoutKy } from '../../client/request-sender.js'
import { RelayError } from '../../errors.js'
import { parseBaseAddress, parseDuration } from '../terminal/parse-values.js'
import { getConfigDir } from './directories.js'
import { defaultProfile, type Profile, readProfile } from './profile.js'

/**
 * The flags --url, --user and others that name a relay; oclif fills them from the environment too.
 */
export interface ConnectionFlags {
  readonly profile?: string | undefined
  readonly url?: string | undefined
  readonly 'secret-key'?: string | undefined
  readonly 'api-key'?: string | undefined
  readonly 'app-key'?: string | undefined
  readonly timeout?: string | undefined
}

export type KeyKind = 'api' | 'app'

export interface Connection {
  readonly url: string
  readonly credentials: { readonly user: string; readonly password: string }
  /** The flag --timeout in milliseconds; a profile has none. */
  readonly timeout?: number
}

export function getProfileName(flags: ConnectionFlags): string {
  return flags.profile ?? defaultProfile
}

/** Finds the relay and the keys of a command: flags, environment, profile. Throws `usage`. */
export async function resolveConnection(
  flags: ConnectionFlags,
  env: Readonly<Record<string, string | undefined>>,
  kinds: readonly KeyKind[] = ['api', 'app'],
): Promise<Connection> {
  const settings = await mergeProfile(flags, env)
  const password = kinds.map(kind => settings[`${kind}_key`]).find(key => key !== undefined)
  if (settings.url === undefined) throw missingSettingError('address of the relay', '--url', flags)
  if (settings.secret_key === undefined) {
    throw missingSettingError('secret key', '--secret-key', flags)
  }
  if (password === undefined) {
    const kind = kinds[0] === 'app' ? 'application key' : 'API key'
    throw missingSettingError(kind, `--${kinds[0]}-key`, flags)
  }
  const url = parseBaseAddress('The address of the relay', settings.url)
  return { url, credentials: { user: settings.secret_key, password }, ...parseTimeout(flags) }
}

/** Finds the relay's address for a command that needs no keys. Throws `usage`. */
export async function resolveUrl(
  flags: ConnectionFlags,
  env: Readonly<Record<string, string | undefined>>,
): Promise<string> {
  const { url } = await mergeProfile(flags, env)
  if (url === undefined) throw missingSettingError('address of the relay', '--url', flags)
  return parseBaseAddress('The address of the relay', url)
}

/**
 * Parses --timeout, the connection flag that no profile has, to milliseconds, at least 1. Throws
 * `usage`.
 */
export function parseTimeout({ timeout }: ConnectionFlags): { timeout?: number } {
  if (timeout === undefined) return {}
  return { timeout: Math.max(parseDuration('--timeout', timeout), 1) }
}

/**
 * Opens a client with a profile's keys, without ky, which a command would load for one or two
 * requests.
 */
export function openClient(options: RelayClientOptions): RelayClient {
  return new RelayClient({ request: sendWithoutKy, ...options })
}

type PartialProfile = { readonly [Key in keyof Profile]?: Profile[Key] | undefined }

/**
 * Merges flags with a saved profile. Never pairs a secret key with a profile's key of another
 * account.
 */
async function mergeProfile(
  flags: ConnectionFlags,
  env: Readonly<Record<string, string | undefined>>,
): Promise<PartialProfile> {
  const fromFlags = {
    url: flags.url,
    secret_key: flags['secret-key'],
    api_key: flags['api-key'],
    app_key: flags['app-key'],
  }
  if (fromFlags.url !== undefined && fromFlags.secret_key !== undefined) return fromFlags
  const saved = await readProfile(getProfileName(flags), getConfigDir(env))
  if (saved === undefined) return fromFlags
  if (fromFlags.secret_key !== undefined && fromFlags.secret_key !== saved.secret_key) {
    return { ...fromFlags, url: fromFlags.url ?? saved.url }
  }
  return {
    url: fromFlags.url ?? saved.url,
    secret_key: saved.secret_key,
    api_key: fromFlags.api_key ?? saved.api_key,
    app_key: fromFlags.app_key ?? saved.app_key,
  }
}

function missingSettingError(what: string, flag: string, flags: ConnectionFlags): RelayError {
  const profileFlag = flags.profile === undefined ? '' : ` --profile ${flags.profile}`
  return new RelayError('usage', `The ${what} is missing.`, {
    hint: `Run \`smsrelay login${profileFlag}\` or add ${flag}.`,
  })
}
