import type { Credentials } from '../../client/transport.js'
import { isRelayError, RelayError } from '../../errors.js'
import { isLoopbackHost } from '../../net/ip-address.js'
import { parseBaseAddress, parseDuration } from '../terminal/parse-values.js'
import { getConfigDir } from './directories.js'
import { readProfiles, requireProfile } from './profile.js'

export interface ConnectionFlags {
  readonly profile?: string | undefined
  readonly url?: string | undefined
  readonly 'secret-key'?: string | undefined
  readonly 'api-key'?: string | undefined
  readonly 'app-key'?: string | undefined
  readonly token?: string | undefined
  readonly timeout?: string | undefined
}

export type KeyKind = 'api' | 'app'

type Env = Readonly<Record<string, string | undefined>>

export interface ConnectionOrigin {
  readonly url: string
  /** `The API key comes from --api-key`, for example. */
  readonly keys: string
  /** Name of the profile that all keys come from; undefined for other keys. */
  readonly profile?: string
}

export interface Connection<C extends Credentials = Credentials> {
  readonly url: string
  readonly credentials: C
  readonly timeout?: number
  readonly origin: ConnectionOrigin
}

export interface KeyConnection
  extends Connection<{ readonly user: string; readonly password: string }> {
  readonly kind: KeyKind
}

const keyNames = { api: 'API key', app: 'application key' } as const

export async function findProfileName(flags: ConnectionFlags, dir: string): Promise<string> {
  return flags.profile ?? (await readProfiles(dir)).current
}

export async function resolveConnection(
  flags: ConnectionFlags,
  env: Env,
  kinds?: readonly KeyKind[],
): Promise<Connection> {
  const { token } = flags
  if (token === undefined || overridesToken(flags, env)) return await resolveKeys(flags, env, kinds)
  const settings = await mergeProfile(flags, env)
  const keys = `The token comes from ${getFlagSource('token', token, env)}`
  const url = requireUrl(settings, flags)
  const origin = { url: settings.url?.source ?? '--url', keys }
  return { url, credentials: { token }, origin, ...parseTimeout(flags) }
}

export async function resolveKeys(
  flags: ConnectionFlags,
  env: Env,
  kinds: readonly KeyKind[] = ['api', 'app'],
): Promise<KeyConnection> {
  const settings = await mergeProfile(flags, env)
  const url = requireUrl(settings, flags)
  const user = settings.secret_key
  if (user === undefined) throw missingSettingError('secret key', '--secret-key', flags)
  const kind = kinds.find(each => settings[`${each}_key`] !== undefined) ?? kinds[0] ?? 'api'
  const key = settings[`${kind}_key`]
  if (key === undefined) throw missingSettingError(keyNames[kind], `--${kind}-key`, flags)
  const origin = {
    url: settings.url?.source ?? '--url',
    keys: describeKeys(user.source, key.source, keyNames[kind]),
    ...(user.profile !== undefined && key.profile !== undefined ? { profile: user.profile } : {}),
  }
  const credentials = { user: user.value, password: key.value }
  return { url, credentials, kind, origin, ...parseTimeout(flags) }
}

/** What to tell a user whose keys and texts go to another machine without encryption. */
export function describePlainHttp(url: string): string | undefined {
  const { protocol, hostname } = new URL(url)
  if (protocol !== 'http:' || isLoopbackHost(hostname)) return undefined
  return `Keys and texts go to ${url} without encryption, and others can read them; use https://.`
}

export async function resolveUrl(flags: ConnectionFlags, env: Env): Promise<string> {
  return requireUrl(await mergeProfile(flags, env), flags)
}

/**
 * Parses --timeout, the connection flag that no profile has, to milliseconds, at least 1. Throws
 * `usage`.
 */
export function parseTimeout({ timeout }: ConnectionFlags): { timeout?: number } {
  if (timeout === undefined) return {}
  return { timeout: Math.max(parseDuration('--timeout', timeout), 1) }
}

/** Adds to an error about address or keys where these come from, and how to replace them. */
export function explainConnectionError(error: unknown, { origin }: Connection): unknown {
  if (!isRelayError(error)) return error
  const isAddress = error.code === 'unreachable' || error.code === 'invalid_reply'
  const isKey = ['invalid_client', 'invalid_token', 'insufficient_scope'].includes(error.code)
  if (!isAddress && !isKey) return error
  const source = isAddress ? `The address comes from ${origin.url}.` : `${origin.keys}.`
  const { profile } = origin
  const login = `smsrelay login${profile === undefined ? '' : ` --profile ${profile}`}`
  const next = isAddress ? '' : `Run \`${login}\` to save other keys.`
  const hint = [source, error.hint, next].filter(Boolean).join(' ')
  return error.copyWith({ hint })
}

interface Setting {
  readonly value: string
  /** `--url`, `SMSRELAY_URL` or `the profile default`. */
  readonly source: string
  readonly profile?: string
}

interface Settings {
  readonly url?: Setting | undefined
  readonly secret_key?: Setting | undefined
  readonly api_key?: Setting | undefined
  readonly app_key?: Setting | undefined
}

/**
 * Merges flags with a saved profile. Never pairs a secret key with a profile's key of another
 * account. Throws `usage` if --profile names a profile that is needed and not saved.
 */
async function mergeProfile(flags: ConnectionFlags, env: Env): Promise<Settings> {
  const given = {
    url: fromFlag('url', flags, env),
    secret_key: fromFlag('secret-key', flags, env),
    api_key: fromFlag('api-key', flags, env),
    app_key: fromFlag('app-key', flags, env),
  }
  if (given.url !== undefined && (given.secret_key ?? flags.token) !== undefined) return given
  const dir = getConfigDir(env)
  if (flags.profile !== undefined) await requireProfile(flags.profile, dir, 'usage')
  const { profiles, current } = await readProfiles(dir)
  const name = flags.profile ?? current
  const profile = profiles.get(name)
  if (profile === undefined) return given
  const fromProfile = (value: string | undefined): Setting | undefined =>
    value === undefined ? undefined : { value, source: `the profile ${name}`, profile: name }
  const url = given.url ?? fromProfile(profile.url)
  if (given.secret_key !== undefined && given.secret_key.value !== profile.secret_key) {
    return { ...given, url }
  }
  return {
    url,
    secret_key: fromProfile(profile.secret_key),
    api_key: given.api_key ?? fromProfile(profile.api_key),
    app_key: given.app_key ?? fromProfile(profile.app_key),
  }
}

function fromFlag(
  name: 'url' | 'secret-key' | 'api-key' | 'app-key',
  flags: ConnectionFlags,
  env: Env,
): Setting | undefined {
  const value = flags[name]
  return value === undefined ? undefined : { value, source: getFlagSource(name, value, env) }
}

function getFlagSource(name: string, value: string, env: Env): string {
  const variable = `SMSRELAY_${name.replace('-', '_').toUpperCase()}`
  return env[variable] === value ? variable : `--${name}`
}

function overridesToken({ token = '', 'secret-key': key }: ConnectionFlags, env: Env): boolean {
  const isTyped = key !== undefined && getFlagSource('secret-key', key, env).startsWith('--')
  return isTyped && !getFlagSource('token', token, env).startsWith('--')
}

function describeKeys(user: string, key: string, kind: string): string {
  if (user === key) return `The secret key and the ${kind} come from ${user}`
  return `The secret key comes from ${user}, the ${kind} from ${key}`
}

function requireUrl({ url }: Settings, flags: ConnectionFlags): string {
  if (url === undefined) throw missingSettingError('address of the relay', '--url', flags)
  return parseBaseAddress(`The address of the relay (from ${url.source})`, url.value)
}

function missingSettingError(what: string, flag: string, flags: ConnectionFlags): RelayError {
  const profileFlag = flags.profile === undefined ? '' : ` --profile ${flags.profile}`
  return new RelayError('usage', `The ${what} is missing.`, {
    hint: `Run \`smsrelay login${profileFlag}\` or add ${flag}.`,
  })
}
