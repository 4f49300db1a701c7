import type { LoginClient, Token, TokenKind } from '../../../domain/account/account.js'
import type { Role } from '../../../domain/account/person.js'
import { getAccountLimit } from '../../../domain/account-limits.js'
import { createSecret } from '../../../util/crypto/secrets.js'
import type { ServiceContext } from '../service-context.js'
import { getSecondFactor } from './change-second-factor.js'
import { CredentialChecker } from './credential-checker.js'
import { SecondFactorService } from './second-factor-service.js'
import {
  createSessionToken,
  getSessionEnd,
  type StartedSession,
  sessionPrecision,
  toTokenId,
  unknownClient,
} from './session-token.js'
import {
  findTokenSigner,
  getRole,
  getSignerEmail,
  getSignerId,
  type Signer,
  toLoginOwner,
} from './signer.js'
import { invalidClientError, invalidTokenError, missingCodeError } from './token-errors.js'
import { TokenExpiries, type TokenExtension } from './token-expiries.js'

export interface IssuedToken {
  readonly token: string
  readonly account: string
  readonly kind: TokenKind
  /** Seconds until the issued token expires, for the service's caller. */
  readonly expiresIn: number
}

export interface LoginProof {
  /** Code of the authenticator app, or a recovery code; required with a second factor. */
  readonly code?: string | undefined
  readonly client?: LoginClient
}

export interface Caller extends Signer {
  readonly kind: TokenKind
  /** Role of the caller; keys are those of an admin, within the scope of their tokens. */
  readonly role: Role
  readonly holder: string
}

export class TokenService {
  readonly #context: ServiceContext
  readonly #lifetime: number
  readonly #credentials: CredentialChecker
  readonly #expiries: TokenExpiries
  readonly #secondFactors: SecondFactorService

  constructor(context: ServiceContext, lifetime: number) {
    this.#context = context
    this.#lifetime = lifetime
    this.#credentials = new CredentialChecker(context)
    this.#expiries = new TokenExpiries(context, lifetime)
    this.#secondFactors = new SecondFactorService(context)
  }

  /**
   * Issues a token for a key pair, or for an e-mail address and its password, with a second factor
   * also for its code. Throws `invalid_client`, `too_many_requests` after many wrong codes, and
   * `unavailable` if too many password checks are queued.
   */
  async issue(user: string, password: string, proof: LoginProof = {}): Promise<IssuedToken> {
    const { signer, kind } = await this.#credentials.check(user, password)
    if (kind === 'login') await this.#checkCode(signer, proof.code)
    const token = createSecret('srt_')
    const now = this.#context.clock.now()
    const { client = unknownClient } = proof
    const login = kind === 'login' ? { ...client, at: now, isSession: false } : undefined
    await this.#put(token, signer, { kind, expiresAt: now + this.#lifetime, login })
    return { token, account: signer.account.id, kind, expiresIn: Math.floor(this.#lifetime / 1000) }
  }

  /** Checks what {@link issue} checks, without the code of a second factor. Issues nothing. */
  async check(user: string, password: string): Promise<void> {
    await this.#credentials.check(user, password)
  }

  /**
   * Starts a session of the dashboard for somebody whose password and second factor were checked: a
   * User Login token that ends after 12 hours without activity, and after 30 days. Throws
   * `invalid_client` if the password was changed since.
   */
  async startSession(signer: Signer, client: LoginClient = unknownClient): Promise<StartedSession> {
    const now = this.#context.clock.now()
    const token = createSessionToken(now)
    const expiresAt = getSessionEnd(token, now) ?? now
    const login = { ...client, at: now, isSession: true }
    await this.#put(token, signer, { kind: 'login', expiresAt, login })
    return { token, signer: getSignerId(signer) }
  }

  async getSessionCaller(token: string, extend = true): Promise<Caller> {
    const end = getSessionEnd(token, this.#context.clock.now())
    if (end === undefined) throw invalidTokenError()
    return await this.#find(
      toTokenId(token),
      extend ? { end, precision: sessionPrecision } : undefined,
    )
  }

  async #put(
    token: string,
    signer: Signer,
    { kind, expiresAt, login }: Pick<Token, 'kind' | 'expiresAt'> & { login: Token['login'] },
  ): Promise<void> {
    const id = toTokenId(token)
    const { tokens } = this.#context.store
    const person = signer.person === undefined ? {} : { person: signer.person.id }
    const known = login === undefined ? {} : { login }
    const record = { id, account: signer.account.id, kind, expiresAt, ...person, ...known }
    await tokens.put(record, getAccountLimit(signer.account.limits, 'tokens'))
    if (signer.person !== undefined) await this.#recordSignIn(signer.person.id)
    if (!(await this.#credentials.isCurrent(signer, kind))) {
      // The tokens of the replaced credentials were perhaps removed before this one was stored.
      await tokens.remove({ id })
      throw invalidClientError()
    }
  }

  async #recordSignIn(id: string): Promise<void> {
    const lastSignInAt = this.#context.clock.now()
    await this.#context.store.people.change(id, person =>
      person === undefined ? null : { ...person, lastSignInAt },
    )
  }

  /**
   * Finds the caller of a token by the token's identifier, and extends its life. Throws
   * `invalid_token`.
   */
  async getCaller(id: string): Promise<Caller> {
    const end = this.#context.clock.now() + this.#lifetime
    return await this.#find(id, { end, precision: this.#expiries.precision })
  }

  async #find(id: string, extension: TokenExtension | undefined): Promise<Caller> {
    const { store, clock } = this.#context
    const token = await store.tokens.get(id)
    if (token === undefined || this.#expiries.get(token) <= clock.now()) throw invalidTokenError()
    const signer = await findTokenSigner(store, token)
    if (signer === undefined) throw invalidTokenError()
    if (extension !== undefined) this.#expiries.extend(token, extension)
    return { ...signer, role: getRole(signer), kind: token.kind, holder: token.id }
  }

  /**
   * When a token ends unless it is used again, in milliseconds since the epoch; undefined if it has
   * ended. Does not extend it.
   */
  async getEndTime(holder: string): Promise<number | undefined> {
    const token = await this.#context.store.tokens.get(holder)
    const end = token === undefined ? 0 : this.#expiries.get(token)
    return end > this.#context.clock.now() ? end : undefined
  }

  /**
   * Finds who signs in with an e-mail address and a password, without the second factor. Throws
   * `invalid_client`, and `unavailable` if too many password checks are queued.
   */
  async checkPassword(email: string, password: string): Promise<Signer> {
    return (await this.#credentials.checkPassword(email, password)).signer
  }

  async #checkCode(signer: Signer, code: string | undefined): Promise<void> {
    if (getSecondFactor(signer) === undefined) return
    if (code === undefined) throw missingCodeError()
    await this.#secondFactors.useCode(signer, code)
  }

  async confirmPassword(signer: Signer, password: string): Promise<void> {
    await this.#credentials.checkPassword(getSignerEmail(signer), password)
  }

  async endLogins({ account, person }: Signer): Promise<void> {
    await this.#context.store.tokens.remove(toLoginOwner({ account, person }))
  }

  /** Ends a token and resolves to it; an unknown one is no error (RFC 7009, section 2.2). */
  async revoke(secret: string): Promise<Token | undefined> {
    const { tokens } = this.#context.store
    const id = toTokenId(secret)
    const token = await tokens.get(id)
    this.#expiries.forget(id)
    await tokens.remove({ id })
    return token
  }

  /**
   * Stores when tokens expire that are not used any more: {@link getCaller} does not store each
   * extension, and other nodes know only the stored ones. Throws `unavailable`.
   */
  async storeExtensions(): Promise<void> {
    await this.#expiries.store()
  }

  async removeExpired(): Promise<void> {
    await this.#expiries.removeExpired()
  }
}
