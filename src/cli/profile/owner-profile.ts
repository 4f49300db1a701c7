import type { NewAccount } from '../../contract/account-schema.js'
import { isLoopbackHost } from '../../net/ip-address.js'
import { defaultProfile, type Profile, readProfile, saveProfile } from './profile.js'

const localProfile = 'local'

/**
 * Saves the owner's keys as the default profile of the command line, or as `local` if the default
 * profile belongs to another relay, so that every command works at once. Resolves to the name of
 * the profile.
 */
export async function saveOwnerProfile(
  account: NewAccount,
  url: string,
  requested?: string,
): Promise<string> {
  const { email, secret_key, api_key, app_key } = account
  const name = requested ?? (await chooseName(url))
  await saveProfile(name, { url, email, secret_key, api_key, app_key })
  return name
}

async function chooseName(url: string): Promise<string> {
  const present = await readProfile(defaultProfile)
  return present === undefined || present.url === url ? defaultProfile : localProfile
}

/**
 * Updates the relay's address in the saved profiles of these accounts, if the relay listens on a
 * new one.
 */
export async function updateProfileAddresses(
  secretKeys: readonly string[],
  url: string,
): Promise<void> {
  for (const name of [defaultProfile, localProfile]) {
    const profile: Profile | undefined = await readProfile(name)
    if (profile === undefined || profile.url === url) continue
    const isLocal = URL.canParse(profile.url) && isLoopbackHost(new URL(profile.url).hostname)
    if (isLocal && secretKeys.includes(profile.secret_key)) {
      await saveProfile(name, { ...profile, url })
    }
  }
}
