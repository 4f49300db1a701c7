import { RelayClient } from '../../client/relay-client.js'
import { isRelayError, RelayError } from '../../errors.js'
import type { Session } from './command-session.js'
import { type ConnectionFlags, parseTimeout } from './connection.js'
import type { Profile } from './profile.js'

export interface Identity {
  readonly email?: string
  /** Absent for a token that the user passed. */
  readonly scope?: string
}

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
    const client = new RelayClient({ url: profile.url, credentials, ...timeout })
    email ??= (await identifyKeys(client, signal)).email
  }
  return { ...profile, email }
}

export async function identify(session: Session, signal: AbortSignal): Promise<Identity> {
  const { client, connection } = session
  if ('user' in connection.credentials) return await identifyKeys(client, signal)
  return await readAccount(client, signal)
}

/** Checks a profile's keys: signs in, reads the account, and signs out. Throws `invalid_client`. */
async function identifyKeys(client: RelayClient, signal: AbortSignal): Promise<Identity> {
  const { access_token: token, scope } = await client.issueToken({ signal })
  const session = new RelayClient({ url: client.url, credentials: { token } })
  try {
    return { ...(await readAccount(session, signal)), scope }
  } finally {
    await session.revokeToken(token, { signal }).catch(() => undefined)
  }
}

/** The account's e-mail address, which an application key may not read. */
async function readAccount(client: RelayClient, signal: AbortSignal): Promise<{ email?: string }> {
  try {
    return await client.getUser({ signal })
  } catch (error) {
    if (isRelayError(error, 'insufficient_scope')) return {}
    throw error
  }
}
