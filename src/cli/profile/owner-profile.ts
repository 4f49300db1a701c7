import type { NewAccount } from '../../contract/account-schema.js'
import { defaultProfile, type Profile, readProfile, saveProfile } from './profile.js'

/** Name under which the owner's keys are saved where the default profile is of another relay. */
const localProfile = 'local'

/**
 * Saves the owner's keys as this machine's default profile, so that every command works at once; a default
 * profile of another relay is left alone, unless `wanted` names it. Resolves to the name it was saved under.
 */
export async function saveOwnerProfile(
  account: NewAccount,
  url: string,
  wanted?: string,
): Promise<string> {
  const { email, secret_key, api_key, app_key } = account
  const name = wanted ?? (await chooseName(url))
  await saveProfile(name, { url, email, secret_key, api_key, app_key })
  return name
}

async function chooseName(url: string): Promise<string> {
  const present = await readProfile(defaultProfile)
  return present === undefined || present.url === url ? defaultProfile : localProfile
}

/** Mends the address in the profiles of accounts whose service listens elsewhere than last time. */
export async function updateProfileAddresses(
  secretKeys: readonly string[],
  url: string,
): Promise<void> {
  for (const name of [defaultProfile, localProfile]) {
    const profile: Profile | undefined = await readProfile(name)
    if (profile === undefined || profile.url === url) continue
    if (isLoopback(profile.url) && secretKeys.includes(profile.secret_key)) {
      await saveProfile(name, { ...profile, url })
    }
  }
}

function isLoopback(url: string): boolean {
  const host = URL.canParse(url) ? new URL(url).hostname : ''
  return host === 'localhost' || host === '[::1]' || host.startsWith('127.')
}
