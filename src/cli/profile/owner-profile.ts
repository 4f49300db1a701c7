import { access, constants } from 'node:fs/promises'
import type { NewAccount } from '../../contract/account-schema.js'
import { RelayError } from '../../errors.js'
import { isLoopbackHost } from '../../net/ip-address.js'
import { getFailureReason } from '../../util/files/file-error.js'
import { makeOwnDirectory } from '../../util/files/make-directory.js'
import { getConfigDir } from './directories.js'
import { type Profile, readProfiles, saveProfile } from './profile.js'

const localProfile = 'local'

export interface OwnerProfile {
  readonly name: string
  /** Whether commands use the saved profile without --profile. */
  readonly isCurrent: boolean
  readonly current: string
}

/**
 * Why this user cannot save profiles, as in a container without a home; undefined if he can. Throws
 * `damaged_data`.
 */
export async function findSavingProblem(dir = getConfigDir()): Promise<RelayError | undefined> {
  try {
    await makeOwnDirectory(dir)
    await access(dir, constants.W_OK)
  } catch (cause) {
    const sentence = `The directory ${dir} cannot be used (${getFailureReason(cause)}).`
    const hint = 'Set SMSRELAY_CONFIG_DIR to a directory that you may write to.'
    return new RelayError('configuration', sentence, { hint, cause })
  }
  await readProfiles(dir)
  return undefined
}

/**
 * Saves the owner's keys as the profile that commands use without --profile, if it is free, so that
 * every command works at once. Otherwise, and if `requested` is in use, saves them under a free
 * name.
 */
export async function saveOwnerProfile(
  account: NewAccount,
  url: string,
  requested?: string,
): Promise<OwnerProfile> {
  const { email, secret_key, api_key, app_key } = account
  const { profiles, current } = await readProfiles()
  const names = requested === undefined ? [current, localProfile] : [requested]
  const name = chooseFreeName(names, profiles)
  await saveProfile(name, { url, email, secret_key, api_key, app_key })
  return { name, isCurrent: name === current, current }
}

/** The first name that is free, or the last one with a number. */
function chooseFreeName(names: readonly string[], taken: ReadonlyMap<string, Profile>): string {
  const free = names.find(name => !taken.has(name))
  if (free !== undefined) return free
  const last = names.at(-1) ?? localProfile
  for (let number = 2; ; number += 1) {
    const name = `${last}-${number}`
    if (!taken.has(name)) return name
  }
}

/**
 * Updates the relay's address in the saved profiles of these accounts, if the relay listens on a
 * new one.
 */
export async function updateProfileAddresses(
  secretKeys: readonly string[],
  url: string,
): Promise<void> {
  const { profiles } = await readProfiles()
  for (const [name, profile] of profiles) {
    if (profile.url === url) continue
    const isLocal = URL.canParse(profile.url) && isLoopbackHost(new URL(profile.url).hostname)
    if (isLocal && secretKeys.includes(profile.secret_key)) {
      await saveProfile(name, { ...profile, url })
    }
  }
}
