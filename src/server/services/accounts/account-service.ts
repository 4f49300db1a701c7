// Accounts and who acts for them.
// - account-service: creates and changes accounts, for the operator and the dashboard
// - new-keys: creates keys
// - signer: who signs in with an e-mail address: the account itself or one of its people
// - credential-checker: checks keys and passwords
// - token-service: issues tokens for them, and finds the caller of a request
// - session-token: the tokens of the dashboard's sessions, and when they end
// - second-factor-service: authenticator app, passkeys and recovery codes of a person;
//   change-second-factor stores them, code-throttle slows down the guessing of codes
// - token-errors: what a wrong token, key or password answers
// - sign-in-throttle: slows down clients that guess credentials or mailboxes
// - failure-counter: counts failures and finds delays; also used for secret URLs

import type { Account, DeliveryMode } from '../../../domain/account/account.js'
import { findOwner, getNextOwnerTime } from '../../../domain/account/account-owner.js'
import { checkPassword } from '../../../domain/account/password.js'
import type { ListPageQuery } from '../../../domain/list-key.js'
import { replaceSecret } from '../../../domain/webhook/signing-secret.js'
import { RelayError } from '../../../errors.js'
import { hashPassword } from '../../../util/crypto/password-hash.js'
import { createSecret, hashText } from '../../../util/crypto/secrets.js'
import type { ServiceContext } from '../service-context.js'
import {
  changeOptionalSettings,
  checkCountry,
  checkEmail,
  checkMode,
  checkOptionalSettings,
} from './account-checks.js'
import { changeSecondFactor } from './change-second-factor.js'
import { createKeys, getTokenKinds, type KeyKind, type Keys } from './new-keys.js'
import { findSigner, findSignerById, getSignerEmail, type Signer, toLoginOwner } from './signer.js'

export interface NewAccountDraft {
  readonly email: string
  readonly password?: string | undefined
  readonly country?: string | undefined
  readonly mode?: DeliveryMode | undefined
}

export interface CreatedAccount {
  readonly account: Account
  readonly password: string
  readonly apiKey: string
}

export interface AccountChanges {
  readonly email?: string | undefined
  readonly country?: string | undefined
  readonly mode?: DeliveryMode | undefined
  /** Time zone of the account that the service stores; an empty one is that of each browser. */
  readonly timeZone?: string | undefined
  readonly owner?: boolean | undefined
  /** What the service stores as the reply to HELP and INFO; an empty text switches it off. */
  readonly helpText?: string | undefined
  /** What the service stores as the confirmation of STOP; an empty text switches it off. */
  readonly stopText?: string | undefined
  /** Address to which the service reports paused subscriptions; an empty one switches it off. */
  readonly alerts?: string | undefined
  /** Whether the service replaces typographic characters of texts. */
  readonly fewerParts?: boolean | undefined
  /** Address to which the service sends received texts; an empty one switches it off. */
  readonly receivedMail?: string | undefined
}

export class AccountService {
  readonly #context: ServiceContext

  constructor(context: ServiceContext) {
    this.#context = context
  }

  async create(draft: NewAccountDraft): Promise<CreatedAccount> {
    const first = await this.createFirst(draft)
    if (first !== undefined) return first
    const created = await this.#prepare(draft, false)
    await this.#context.store.accounts.create(created.account)
    return created
  }

  async createFirst(draft: NewAccountDraft): Promise<CreatedAccount | undefined> {
    const { accounts } = this.#context.store
    if ((await accounts.getPage({ count: 1 })).length > 0) return undefined
    const created = await this.#prepare(draft, true)
    return (await accounts.createFirst(created.account)) ? created : undefined
  }

  async list(): Promise<Account[]> {
    return await this.#context.store.accounts.list()
  }

  async getPage(query: ListPageQuery): Promise<Account[]> {
    return await this.#context.store.accounts.getPage(query)
  }

  async find(ids: Iterable<string>): Promise<Account[]> {
    const { accounts } = this.#context.store
    const found = await Promise.all([...new Set(ids)].map(id => accounts.get(id)))
    return found.filter(account => account !== undefined)
  }

  async get(email: string): Promise<Account> {
    const account = await this.#context.store.accounts.findByEmail(email)
    if (account !== undefined) return account
    throw new RelayError(
      'not_an_account',
      `There is no account ${email}; list the accounts to see their addresses.`,
    )
  }

  async getById(id: string): Promise<Account> {
    const account = await this.#context.store.accounts.get(id)
    if (account !== undefined) return account
    throw new RelayError('not_found', 'There is no such account.')
  }

  async findSigner(id: string): Promise<Signer | undefined> {
    return await findSignerById(this.#context.store, id)
  }

  /** Finds the account whose dashboard manages the others; undefined if it was removed. */
  async findOwner(): Promise<Account | undefined> {
    return findOwner(await this.#context.store.accounts.list('owners'))
  }

  async isOwner({ id }: Pick<Account, 'id'>): Promise<boolean> {
    return (await this.findOwner())?.id === id
  }

  async change(
    name: string,
    changes: AccountChanges,
    precondition?: (current: Account) => void,
  ): Promise<Account> {
    const email = changes.email === undefined ? {} : { email: checkEmail(changes.email) }
    const country = changes.country === undefined ? {} : { country: checkCountry(changes.country) }
    const mode = changes.mode === undefined ? {} : { mode: checkMode(changes.mode) }
    const owner =
      changes.owner === true
        ? {
            ownerSince: getNextOwnerTime(
              await this.#context.store.accounts.list('owners'),
              this.#context.clock.now(),
            ),
          }
        : {}
    const optional = checkOptionalSettings(changes)
    return await this.#change(name, account => {
      precondition?.(account)
      const changed = changeOptionalSettings(account, optional)
      // Later texts are sent, and those that an address before did not get.
      const isFirst = changed.receivedMail !== undefined && account.receivedMail === undefined
      const mailed = isFirst ? { receivedMailed: this.#context.newId() } : {}
      return { ...changed, ...email, ...country, ...mode, ...owner, ...mailed }
    })
  }

  /** The keys that the store has in plain text: a person or a program reads them. */
  async getKeys({ id }: Pick<Account, 'id'>): Promise<Pick<Account, 'secretKey' | 'appKey'>> {
    const { secretKey, appKey } = await this.getById(id)
    return { secretKey, appKey }
  }

  /**
   * Replaces keys of an account. Their tokens end; a replaced signing secret still signs for a day.
   */
  async rotateKeys(email: string, which: KeyKind): Promise<Keys> {
    const { secretKey, apiKey, appKey, hookSecret } = createKeys()
    const has = (name: KeyKind): boolean => which === 'all' || which === name
    const account = await this.#change(email, current => ({
      ...(has('hook') ? replaceSecret(current, hookSecret, this.#context.clock.now()) : current),
      ...(has('secret') ? { secretKey } : {}),
      ...(has('api') ? { apiKeyHash: hashText(apiKey) } : {}),
      ...(has('app') ? { appKey } : {}),
    }))
    for (const kind of getTokenKinds(which))
      await this.#context.store.tokens.remove({ account: account.id, kind })
    return {
      ...(has('secret') ? { secretKey } : {}),
      ...(has('api') ? { apiKey } : {}),
      ...(has('app') ? { appKey } : {}),
      ...(has('hook') ? { hookSecret } : {}),
    }
  }

  /**
   * Sets an account's password, by default a random one, and ends the logins with it, not those of
   * other people. Resolves to the password.
   */
  async setPassword(email: string, newPassword?: string): Promise<string> {
    const password = await checkPassword(newPassword ?? createSecret())
    const passwordHash = await hashPassword(password, this.#context.passwordCost)
    const account = await this.#change(email, current => ({ ...current, passwordHash }))
    await this.#context.store.tokens.remove(toLoginOwner({ account }))
    return password
  }

  /**
   * Turns the second factor of somebody off who has lost it, and ends all logins. Resolves to the
   * e-mail address. Throws `not_an_account`.
   */
  async resetSecondFactor(email: string): Promise<string> {
    const { store } = this.#context
    const signer = (await findSigner(store, email)) ?? { account: await this.get(email) }
    await changeSecondFactor(store, signer, () => undefined)
    await store.tokens.remove(toLoginOwner(signer))
    return getSignerEmail(signer)
  }

  async remove(email: string): Promise<Account> {
    const account = await this.get(email)
    await this.#context.store.accounts.remove(account.id)
    return account
  }

  async #prepare(draft: NewAccountDraft, isFirst: boolean): Promise<CreatedAccount> {
    const password = await checkPassword(draft.password ?? createSecret())
    const keys = createKeys()
    const createdAt = this.#context.clock.now()
    const account: Account = {
      id: this.#context.newId(),
      email: checkEmail(draft.email),
      passwordHash: await hashPassword(password, this.#context.passwordCost),
      secretKey: keys.secretKey,
      appKey: keys.appKey,
      apiKeyHash: hashText(keys.apiKey),
      country: checkCountry(draft.country ?? 'US'),
      mode: checkMode(draft.mode ?? 'at-least-once'),
      hookSecret: keys.hookSecret,
      createdAt,
      ownerSince: isFirst ? createdAt : null,
    }
    return { account, password, apiKey: keys.apiKey }
  }

  async #change(email: string, decide: (account: Account) => Account): Promise<Account> {
    const { id } = await this.get(email)
    return (await this.#context.store.accounts.change(id, decide)) ?? (await this.get(email))
  }
}
