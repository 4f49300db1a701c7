import type { Account, Token, TokenKind } from '../../../domain/account/account.js'
import { RelayError } from '../../../errors.js'
import { Semaphore } from '../../../util/async/semaphore.js'
import { createDummyHash, verifyPassword } from '../../../util/crypto/password-hash.js'
import { createSecret, hashText, isSameSecret } from '../../../util/crypto/secrets.js'
import type { ServiceContext } from '../service-context.js'

/** A token as its holder gets it. */
export interface IssuedToken {
  readonly token: string
  readonly kind: TokenKind
  /** Seconds. */
  readonly expiresIn: number
}

/** Who makes a request. */
export interface Caller {
  readonly account: Account
  readonly kind: TokenKind
  /** Identifier of the token, the holder of leases. */
  readonly holder: string
}

// Each check takes 32 MiB and one of the four threads that also write to the disk.
const passwordChecks = { atOnce: 2, waiting: 16 }

/** Issues, checks, extends and ends tokens (SPEC.md section 5). */
export class TokenService {
  readonly #context: ServiceContext
  readonly #lifetime: number
  // An unknown address must take as long as a wrong password.
  readonly #nobody: string
  readonly #expiries = new Map<string, number>()
  readonly #passwords = new Semaphore(passwordChecks.atOnce, passwordChecks.waiting)

  /** @param lifetime milliseconds a token lives after the last request that used it */
  constructor(context: ServiceContext, lifetime: number) {
    this.#context = context
    this.#lifetime = lifetime
    this.#nobody = createDummyHash(context.passwordCost)
  }

  /**
   * Issues a token for a key pair, or for an e-mail address and its password. Throws `invalid_client`, and
   * `unavailable` when too many passwords wait to be checked.
   */
  async issue(user: string, password: string): Promise<IssuedToken> {
    const { account, kind } = user.includes('@')
      ? await this.#login(user, password)
      : await this.#keys(user, password)
    const token = createSecret('srt_')
    const expiresAt = this.#context.now() + this.#lifetime
    await this.#context.store.tokens.put({
      id: toTokenId(token),
      account: account.id,
      kind,
      expiresAt,
    })
    return { token, kind, expiresIn: Math.floor(this.#lifetime / 1000) }
  }

  /**
   * Whom a token stands for, by its identifier. Throws `invalid_token`.
   *
   * @param extend whether its life is extended; what a page does by itself is no sign of a person
   */
  async getCaller(id: string, extend = true): Promise<Caller> {
    const { store, now } = this.#context
    const token = await store.tokens.get(id)
    if (token === undefined || this.#expiry(token) <= now()) throw invalidTokenError()
    const account = await store.accounts.get(token.account)
    if (account === undefined) throw invalidTokenError()
    if (extend) this.#extend(token)
    return { account, kind: token.kind, holder: token.id }
  }

  /** When a token ends unless it is used again, in milliseconds since the epoch; undefined when it has. Extends nothing. */
  async getEndTime(holder: string): Promise<number | undefined> {
    const token = await this.#context.store.tokens.get(holder)
    const end = token === undefined ? 0 : this.#expiry(token)
    return end > this.#context.now() ? end : undefined
  }

  /**
   * Sees that a password is the account's. Throws `invalid_client`, and `unavailable` when too many wait to be
   * checked.
   */
  async confirmPassword({ email }: Account, password: string): Promise<void> {
    await this.#login(email, password)
  }

  /** Ends every login of an account. Throws `unavailable`. */
  async endLogins({ id }: Account): Promise<void> {
    await this.#context.store.tokens.removeByKind(id, ['login'])
  }

  /** Ends a token; one that does not exist is ended already (RFC 7009). */
  async revoke(secret: string): Promise<void> {
    const id = toTokenId(secret)
    this.#expiries.delete(id)
    await this.#context.store.tokens.remove(id)
  }

  /** Forgets tokens that have expired. */
  async sweep(): Promise<void> {
    const now = this.#context.now()
    for (const [id, expiresAt] of this.#expiries) if (expiresAt <= now) this.#expiries.delete(id)
    // A token in use is stored again each sixteenth of its life, so a stored expiry lags by that at most.
    await this.#context.store.tokens.removeExpired(now - this.#lifetime / 16)
  }

  #expiry(token: Token): number {
    return this.#expiries.get(token.id) ?? token.expiresAt
  }

  #extend(token: Token): void {
    const expiresAt = this.#context.now() + this.#lifetime
    this.#expiries.set(token.id, expiresAt)
    if (expiresAt - token.expiresAt < this.#lifetime / 16) return
    this.#context.store.tokens.extend(token.id, expiresAt).catch(() => {
      // The token lives on in memory; the next request tries again.
    })
  }

  async #login(email: string, password: string): Promise<{ account: Account; kind: TokenKind }> {
    const account = await this.#context.store.accounts.findByEmail(email)
    const kept = account?.passwordHash ?? this.#nobody
    const right = await this.#passwords.run(async () => await verifyPassword(password, kept))
    // Checking takes long enough for the password to be changed meanwhile.
    const current = await this.#context.store.accounts.findByEmail(email)
    const isCurrent = current?.passwordHash === account?.passwordHash
    if (account === undefined || !right || !isCurrent) throw invalidClientError()
    return { account, kind: 'login' }
  }

  async #keys(secretKey: string, key: string): Promise<{ account: Account; kind: TokenKind }> {
    const account = await this.#context.store.accounts.findBySecretKey(secretKey)
    // Compared whether or not there is such an account, so that the time tells nothing.
    const isApiKey = isSameSecret(hashText(key), account?.apiKeyHash ?? '')
    const isAppKey = isSameSecret(key, account?.appKey ?? '')
    if (account === undefined || !(isApiKey || isAppKey)) throw invalidClientError()
    return { account, kind: isApiKey ? 'api' : 'app' }
  }
}

/** The identifier of a token: what is kept of it. */
export function toTokenId(secret: string): string {
  return hashText(secret)
}

function invalidTokenError(): RelayError {
  return new RelayError(
    'invalid_token',
    'The token is unknown, expired or revoked; get a new one with GET /oauth.',
  )
}

function invalidClientError(): RelayError {
  return new RelayError(
    'invalid_client',
    'The credentials are wrong; send <SECRET_KEY>:<API_KEY>, <SECRET_KEY>:<APP_KEY> or <EMAIL>:<PASSWORD> as Basic authorization.',
  )
}
