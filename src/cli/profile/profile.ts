// Profiles: the address of a relay and the keys of one account, saved under a name.
//
// - `profile` reads and writes `config.json` in the configuration directory of `directories`.
// - `connection` decides which address and keys a command uses: flags, then the environment, then
//   the profile. It also explains errors about these.
// - `command-session` makes the client of a command, whose token `token-cache` saves.
// - `check-login` checks keys with their relay before `login` saves them.
// - `owner-profile` saves the keys of a new relay, so that the other commands work at once.
import { dirname, join } from 'node:path'
import { RelayError } from '../../errors.js'
import { JsonFile } from '../../util/files/json-file.js'
import { getConfigDir } from './directories.js'

export interface Profile {
  readonly url: string
  readonly secret_key: string
  readonly api_key?: string | undefined
  readonly app_key?: string | undefined
  readonly email?: string | undefined
}

const defaultProfile = 'default'

interface ProfileFile {
  readonly profiles?: Readonly<Record<string, Profile>>
  /** Name of the profile that commands use without --profile. @default `default` */
  readonly current?: string
}

export interface SavedProfiles {
  readonly profiles: ReadonlyMap<string, Profile>
  /** Name of the profile that commands use without --profile; it may not be saved. */
  readonly current: string
}

export async function readProfiles(dir = getConfigDir()): Promise<SavedProfiles> {
  const { profiles = {}, current = defaultProfile } = (await openProfileFile(dir).read()) ?? {}
  const entries = Object.entries(profiles).sort(([a], [b]) => a.localeCompare(b))
  return { profiles: new Map(entries), current }
}

/** Reads a profile; undefined if the name is unknown. Throws `damaged_data`, `usage`. */
export async function readProfile(
  name: string,
  dir = getConfigDir(),
): Promise<Profile | undefined> {
  assertProfileName(name)
  return (await readProfiles(dir)).profiles.get(name)
}

export async function listProfileNames(dir = getConfigDir()): Promise<string[]> {
  return Object.keys((await openProfileFile(dir).read())?.profiles ?? {})
}

/**
 * Saves a profile in a file that only this user can read. Throws `damaged_data`, `configuration`,
 * `usage`.
 */
export async function saveProfile(
  name: string,
  profile: Profile,
  dir = getConfigDir(),
): Promise<void> {
  assertProfileName(name)
  await changeProfiles(dir, profiles => profiles.set(name, omitUndefined(profile)))
}

export async function removeProfile(name: string, dir = getConfigDir()): Promise<boolean> {
  if ((await readProfiles(dir)).profiles.get(name) === undefined) return false
  await changeProfiles(dir, profiles => profiles.delete(name))
  return true
}

export async function useProfile(name: string, dir = getConfigDir()): Promise<void> {
  await requireProfile(name, dir)
  await changeProfiles(dir, () => {}, name)
}

export async function renameProfile(from: string, to: string, dir = getConfigDir()): Promise<void> {
  assertProfileName(to)
  const profile = await requireProfile(from, dir)
  const { profiles, current } = await readProfiles(dir)
  if (profiles.has(to)) {
    throw new RelayError('usage', `There is a profile ${to} already.`, {
      hint: `Choose another name, or run \`smsrelay profile remove ${to}\` first.`,
    })
  }
  const move = (all: Map<string, Profile>) => all.delete(from) && all.set(to, profile)
  await changeProfiles(dir, move, current === from ? to : current)
}

export async function requireProfile(
  name: string,
  dir = getConfigDir(),
  code: 'not_found' | 'usage' = 'not_found',
): Promise<Profile> {
  assertProfileName(name)
  const { profiles } = await readProfiles(dir)
  const profile = profiles.get(name)
  if (profile !== undefined) return profile
  const names = [...profiles.keys()].join(', ')
  const login = `Run \`smsrelay login --profile ${name}\` to save it.`
  throw new RelayError(code, `There is no profile ${name}.`, {
    hint: names === '' ? login : `Saved profiles: ${names}. ${login}`,
  })
}

async function changeProfiles(
  dir: string,
  change: (profiles: Map<string, Profile>) => void,
  current?: string,
): Promise<void> {
  const saved = await readProfiles(dir)
  const profiles = new Map(saved.profiles)
  change(profiles)
  const chosen = current ?? saved.current
  await openProfileFile(dir).write({
    profiles: Object.fromEntries(profiles),
    ...(profiles.has(chosen) && chosen !== defaultProfile ? { current: chosen } : {}),
  })
}

/**
 * The file of profiles. conf is loaded only to write: loading it takes longer than the rest of a
 * command.
 */
function openProfileFile(dir: string): JsonFile<ProfileFile> {
  const path = join(dir, 'config.json')
  return new JsonFile(path, {
    content: 'The profiles',
    isValid: isProfileFile,
    damagedHint: 'Check the permissions of the file, or remove it and run `smsrelay login`.',
    writeHint: 'Set SMSRELAY_CONFIG_DIR to a directory that you may write to.',
    write: async content => {
      const { default: Conf } = await import('conf')
      const conf = new Conf({
        cwd: dirname(path),
        configFileMode: 0o600,
        accessPropertiesByDotNotation: false,
      })
      conf.store = { ...content }
    },
  })
}

function isProfileFile(value: unknown): value is ProfileFile {
  if (!isObject(value)) return false
  const { profiles = {}, current = defaultProfile } = value
  if (!isObject(profiles) || typeof current !== 'string') return false
  return Object.values(profiles).every(isProfile)
}

function isProfile(value: unknown): value is Profile {
  if (!isObject(value)) return false
  const texts = [value.api_key, value.app_key, value.email]
  return (
    typeof value.url === 'string' &&
    typeof value.secret_key === 'string' &&
    texts.every(text => text === undefined || typeof text === 'string')
  )
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function assertProfileName(name: string): void {
  if (/^[A-Za-z0-9][\w.-]{0,63}$/.test(name)) return
  throw new RelayError('usage', `The profile name ${JSON.stringify(name)} is invalid.`, {
    hint: 'Use 1 to 64 letters, digits, dots, dashes and underscores.',
  })
}

function omitUndefined(profile: Profile): Profile {
  const entries = Object.entries(profile).filter(([, value]) => value !== undefined)
  return Object.fromEntries(entries) as unknown as Profile
}
