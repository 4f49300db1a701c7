import type { RelayClient } from '../../client/relay-client.js'
import { isRelayError, RelayError } from '../../errors.js'
import { type ConnectionFlags, openClient, parseTimeout } from './connection.js'
import type { Profile } from './profile.js'

export interface Identity {
  readonly email?: string
  readonly scope: string
}

/** Checks each key of a profile with the relay, and adds the e-mail address of the account. */
export async function checkProfile(
  profile: Profile,
  flags: ConnectionFlags,
  signal: AbortSignal,
): Promise<Profile> {
  const keys = [profile.api_key, profile.app_key].filter(key => key !== undefined)
  if (keys.length === 0) {
    throw new RelayError('usage', 'The API key or application key is missing.', {
      hint: 'Add --api-key or --app-key.',
    })
  }
  const timeout = parseTimeout(flags)
  let email: string | undefined
  for (const password of keys) {
    const credentials = { user: profile.secret_key, password }
    const client = openClient({ url: profile.url, credentials, ...timeout })
    email ??= (await identify(client, signal)).email
  }
  return { ...profile, email }
}

/** Checks a profile's keys: signs in, reads the account, and signs out. Throws `invalid_client`. */
export async function identify(client: RelayClient, signal: AbortSignal): Promise<Identity> {
  const { access_token: token, scope } = await client.issueToken({ signal })
  const session = openClient({ url: client.url, credentials: { token } })
  try {
    return { ...(await session.getUser({ signal })), scope }
  } catch (error) {
    if (isRelayError(error, 'insufficient_scope')) return { scope }
    throw error
  } finally {
    await session.revokeToken(token, { signal }).catch(() => undefined)
  }
}
