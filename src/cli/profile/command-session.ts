import type { CallOptions } from '../../client/call-options.js'
import { RelayClient } from '../../client/relay-client.js'
import type { Clock } from '../../util/async/clock.js'
import type { Connection, KeyConnection } from './connection.js'
import { readProfile } from './profile.js'
import { TokenCache } from './token-cache.js'

/** Milliseconds that a command waits in its end until its token is revoked. */
const revokeTimeout = 2000

/**
 * A command's client with its token. The keys of a profile share the cached token of the profile;
 * the token for other keys is revoked when the session is closed.
 */
export class Session {
  readonly client: RelayClient
  readonly connection: Connection
  readonly #configDir: string
  readonly #cache: TokenCache | undefined
  readonly #ownTokens: string[] = []

  constructor(connection: Connection, configDir: string, clock: Pick<Clock, 'now'>) {
    const { url, credentials, timeout } = connection
    const { profile } = connection.origin
    this.connection = connection
    this.#configDir = configDir
    this.#cache =
      profile === undefined || !isKeyConnection(connection)
        ? undefined
        : new TokenCache(configDir, profile, connection, clock.now)
    this.client = new RelayClient({
      url,
      credentials,
      findToken: async rejected => {
        const token = await this.#cache?.use()
        return token === rejected ? undefined : token
      },
      onToken: async (token, expiresIn, rejected) => {
        if (!(await this.#cacheToken(token, expiresIn, rejected))) this.#ownTokens.push(token)
      },
      ...(timeout === undefined ? {} : { timeout }),
    })
  }

  /** What identifies the account in the names of files: the secret key, or the e-mail address. */
  async identifyAccount(options: CallOptions): Promise<string> {
    const { credentials } = this.connection
    if ('user' in credentials) return credentials.user
    return (await this.client.getUser(options)).email
  }

  async close(): Promise<void> {
    const { url } = this.client
    const revoke = async (token: string) => {
      const client = new RelayClient({
        url,
        credentials: { token },
        timeout: revokeTimeout,
        retries: 0,
      })
      await client.revokeToken(token).catch(() => {})
    }
    await Promise.all(this.#ownTokens.splice(0).map(revoke))
  }

  /** False for a token that is not cached, also because the profile has been removed meanwhile. */
  async #cacheToken(token: string, expiresIn: number, rejected?: string): Promise<boolean> {
    const { profile } = this.connection.origin
    if (this.#cache === undefined || profile === undefined) return false
    const saved = await readProfile(profile, this.#configDir).catch(() => undefined)
    if (saved === undefined) return false
    return await this.#cache.save(token, expiresIn * 1000, rejected)
  }
}

function isKeyConnection(connection: Connection): connection is KeyConnection {
  return 'user' in connection.credentials
}
