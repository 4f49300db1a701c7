// Profiles: the address of a relay and the keys of one account, saved under a name.
//
// - `profile` reads and writes `config.json` in the configuration directory of `directories`.
// - `connection` decides which address and keys a command uses: flags, then the environment, then
//   the profile. It also makes the client of these.
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

export const defaultProfile = 'default'

interface ProfileFile {
  readonly profiles?: Readonly<Record<string, Profile>>
}

/** Reads a profile; undefined if the name is unknown. Throws `damaged_data`, `usage`. */
export async function readProfile(
  name: string,
  dir = getConfigDir(),
): Promise<Profile | undefined> {
  assertProfileName(name)
  const { profiles = {} } = (await openProfileFile(dir).read()) ?? {}
  return Object.hasOwn(profiles, name) ? profiles[name] : undefined
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
  const file = openProfileFile(dir)
  const { profiles = {} } = (await file.read()) ?? {}
  await file.write({ profiles: { ...profiles, [name]: omitUndefined(profile) } })
}

export async function removeProfile(name: string, dir = getConfigDir()): Promise<boolean> {
  const file = openProfileFile(dir)
  const { profiles = {} } = (await file.read()) ?? {}
  if (!Object.hasOwn(profiles, name)) return false
  const { [name]: _, ...rest } = profiles
  await file.write({ profiles: rest })
  return true
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
    write: async ({ profiles }) => {
      const { default: Conf } = await import('conf')
      const conf = new Conf({
        cwd: dirname(path),
        configFileMode: 0o600,
        accessPropertiesByDotNotation: false,
      })
      conf.set('profiles', profiles)
    },
  })
}

function isProfileFile(value: unknown): value is ProfileFile {
  if (!isObject(value)) return false
  const { profiles = {} } = value
  return isObject(profiles) && Object.values(profiles).every(isProfile)
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

function assertProfileName(name: string): void {
  if (/^[A-Za-z0-9][\w.-]{0,63}$/.test(name)) return
  throw new RelayError('usage', `The profile name ${JSON.stringify(name)} is invalid.`, {
    hint: 'Use 1 to 64 letters, digits, dots, dashes and underscores.',
  })
}

function omitUndefined(profile: Profile): Profile {
  const entries = Object.entries(profile).filter(([, value]) => value !== undefined)
  return Object.fromEntries(entries) as unknown as Profile
}
