import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { errorText, RelayError } from '../../errors.js'
import { getConfigDir } from './directories.js'

export { getDefaultDataDir } from './directories.js'

/** A relay, and the keys of one account on it. */
export interface Profile {
  readonly url: string
  readonly secret_key: string
  readonly api_key?: string | undefined
  readonly app_key?: string | undefined
  readonly email?: string | undefined
}

/** Name of the profile that is meant when none is named. */
export const defaultProfile = 'default'

type Profiles = Readonly<Record<string, Profile>>
const fileName = 'config.json'

/** A saved profile; undefined when there is none of that name. Throws `damaged_data`, `usage`. */
export async function readProfile(
  name: string,
  dir = getConfigDir(),
): Promise<Profile | undefined> {
  assertProfileName(name)
  const profiles = await readProfiles(dir)
  return Object.hasOwn(profiles, name) ? profiles[name] : undefined
}

/** Saves a profile in a file that only this user may read; the file is replaced as a whole. */
export async function saveProfile(
  name: string,
  profile: Profile,
  dir = getConfigDir(),
): Promise<void> {
  assertProfileName(name)
  await writeProfiles({ ...(await readProfiles(dir)), [name]: omitUndefined(profile) }, dir)
}

/** Forgets a profile; says whether there was one. */
export async function removeProfile(name: string, dir = getConfigDir()): Promise<boolean> {
  const profiles = await readProfiles(dir)
  if (!Object.hasOwn(profiles, name)) return false
  const { [name]: _, ...rest } = profiles
  await writeProfiles(rest, dir)
  return true
}

/** Every saved profile. Throws `damaged_data`. Read without conf, which takes longer to load than all else. */
async function readProfiles(dir: string): Promise<Profiles> {
  const path = join(dir, fileName)
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return '{}'
    throw new RelayError('damaged_data', `The profiles in ${path} cannot be read.`, {
      hint: 'Check who owns the file.',
      cause: error,
    })
  })
  return parseProfiles(text, path)
}

async function writeProfiles(profiles: Profiles, cwd: string): Promise<void> {
  try {
    await mkdir(cwd, { recursive: true, mode: 0o700 })
    const { default: Conf } = await import('conf')
    const conf = new Conf({ cwd, configFileMode: 0o600, accessPropertiesByDotNotation: false })
    conf.set('profiles', profiles)
  } catch (cause) {
    const reason = errorText(cause)
    throw new RelayError('configuration', `The profile cannot be saved (${reason}).`, {
      hint: 'Set SMSRELAY_CONFIG_DIR to a directory that you may write to.',
      cause,
    })
  }
}

function parseProfiles(text: string, path: string): Profiles {
  try {
    const stored: unknown = JSON.parse(text)
    if (isObject(stored)) {
      const profiles = stored.profiles ?? {}
      if (isObject(profiles) && Object.values(profiles).every(isProfile)) {
        return profiles as Profiles
      }
    }
  } catch {
    // Told below, like every other damage.
  }
  throw new RelayError('damaged_data', `The profiles in ${path} are damaged.`, {
    hint: 'Remove the file and run `smsrelay login`.',
  })
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
  throw new RelayError('usage', 'A profile is named with letters, digits, dots and dashes.')
}

function omitUndefined(profile: Profile): Profile {
  const entries = Object.entries(profile).filter(([, value]) => value !== undefined)
  return Object.fromEntries(entries) as unknown as Profile
}
