import { RelayClient } from '../../client/relay-client.js'
import { readProfile, removeProfile } from './profile.js'
import { removeTokens } from './token-cache.js'

/** Milliseconds that a command waits for the relay. */
const timeout = 5000

export interface ForgottenProfile {
  readonly removed: boolean
  /** False if a token of the profile could not be revoked; it expires. */
  readonly revoked: boolean
}

export async function forgetProfile(
  name: string,
  dir: string,
  signal: AbortSignal,
): Promise<ForgottenProfile> {
  const profile = await readProfile(name, dir)
  const removed = await removeProfile(name, dir)
  if (profile === undefined) return { removed, revoked: true }
  return { removed, revoked: await revokeTokens(name, profile.url, dir, signal) }
}

export async function revokeTokens(
  name: string,
  url: string,
  dir: string,
  signal: AbortSignal,
): Promise<boolean> {
  let revoked = true
  for (const token of await removeTokens(dir, name)) {
    const client = new RelayClient({ url, credentials: { token }, timeout, retries: 0 })
    await client.revokeToken(token, { signal }).catch(() => {
      revoked = false
    })
  }
  return revoked
}
