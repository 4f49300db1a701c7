import type { Account, TokenKind } from '../../../domain/account/account.js'
import { Semaphore } from '../../../util/async/semaphore.js'
import { createDummyHash, verifyPassword } from '../../../util/crypto/password-hash.js'
import { hashText, isSameSecret } from '../../../util/crypto/secrets.js'
import type { ServiceContext } from '../service-context.js'
import { getSecondFactor } from './change-second-factor.js'
import { findSigner, getPasswordHash, getSignerEmail, getSignerId, type Signer } from './signer.js'
import { invalidClientError } from './token-errors.js'

export interface CheckedCredentials {
  readonly signer: Signer
  readonly kind: TokenKind
}

// A sign-in's password check needs 32 MiB and one of the four threads that also write to the disk.
const passwordChecks = { atOnce: 2, waiting: 16 }

export class CredentialChecker {
  readonly #context: ServiceContext
  /**
   * Password hash for an unknown e-mail address, so that its check takes as long as a wrong
   * password.
   */
  readonly #dummyHash: string
  readonly #passwords = new Semaphore(passwordChecks.atOnce, passwordChecks.waiting)

  constructor(context: ServiceContext) {
    this.#context = context
    this.#dummyHash = createDummyHash(context.passwordCost)
  }

  /**
   * Checks a key pair, or an e-mail address and its password. Throws `invalid_client`, and
   * `unavailable` if too many password checks are queued.
   */
  async check(user: string, password: string): Promise<CheckedCredentials> {
    return user.includes('@')
      ? await this.checkPassword(user, password)
      : await this.#checkKeys(user, password)
  }

  async checkPassword(email: string, password: string): Promise<CheckedCredentials> {
    const { store } = this.#context
    const signer = await findSigner(store, email)
    const hash = signer === undefined ? this.#dummyHash : getPasswordHash(signer)
    const isRight = await this.#passwords.run(async () => await verifyPassword(password, hash))
    if (signer === undefined || !isRight || !(await this.isCurrent(signer, 'login')))
      throw invalidClientError()
    return { signer, kind: 'login' }
  }

  async isCurrent(known: Signer, kind: TokenKind): Promise<boolean> {
    const { store } = this.#context
    const signer = await findSigner(store, getSignerEmail(known))
    if (signer === undefined || getSignerId(signer) !== getSignerId(known)) return false
    if (kind === 'login')
      return getPasswordHash(signer) === getPasswordHash(known) && !isLacking(known, signer)
    const key = kind === 'api' ? 'apiKeyHash' : 'appKey'
    const { account } = signer
    return account.secretKey === known.account.secretKey && account[key] === known.account[key]
  }

  async #checkKeys(secretKey: string, key: string): Promise<CheckedCredentials> {
    const account: Account | undefined =
      await this.#context.store.accounts.findBySecretKey(secretKey)
    // Keys are compared even without an account, so that the time reveals nothing.
    const isApiKey = isSameSecret(hashText(key), account?.apiKeyHash ?? '')
    const isAppKey = isSameSecret(key, account?.appKey ?? '')
    if (account === undefined || !(isApiKey || isAppKey)) throw invalidClientError()
    return { signer: { account }, kind: isApiKey ? 'api' : 'app' }
  }
}

/** Whether a sign-in without a second factor meets one that was turned on meanwhile. */
function isLacking(known: Signer, current: Signer): boolean {
  return getSecondFactor(known) === undefined && getSecondFactor(current) !== undefined
}
