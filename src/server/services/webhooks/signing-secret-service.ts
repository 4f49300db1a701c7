import type { Account } from '../../../domain/account/account.js'
import {
  addMissingSecret,
  getActiveSecrets,
  replaceSecret,
} from '../../../domain/webhook/signing-secret.js'
import { createSigningSecret } from '../../../util/crypto/secrets.js'
import type { AccountStore } from '../../store/account-store.js'
import { accountRemovedError } from '../create-account-record.js'
import type { ServiceContext } from '../service-context.js'

export interface SigningSecretStore {
  readonly accounts: Pick<AccountStore, 'get' | 'change'>
}

/**
 * The secrets that sign an account's webhooks now, newest first; empty if there is no such account.
 * An account without a secret, from an earlier version, gets one durably. Throws `unavailable`.
 */
export async function getSigningSecrets(
  store: SigningSecretStore,
  id: string,
  now: number,
): Promise<readonly string[]> {
  const known = await store.accounts.get(id)
  const account = known?.hookSecret === undefined ? await ensureSigningSecret(store, id) : known
  return account === undefined ? [] : getActiveSecrets(account, now)
}

async function ensureSigningSecret(
  store: SigningSecretStore,
  id: string,
): Promise<Account | undefined> {
  return await store.accounts.change(id, account =>
    addMissingSecret(account, createSigningSecret()),
  )
}

/** The service for the secret that signs a user's webhooks. */
export class SigningSecretService {
  readonly #context: ServiceContext

  constructor(context: ServiceContext) {
    this.#context = context
  }

  /** Gets the signing secret of an account, created if it has none. Throws `unavailable`. */
  async get({ id }: Account): Promise<string> {
    return requireSigningSecret(await ensureSigningSecret(this.#context.store, id))
  }

  /**
   * Replaces the account's signing secret and resolves to the new one; the old one still signs for
   * a day. Throws `unavailable`.
   */
  async rotate({ id }: Account): Promise<string> {
    const { store, clock } = this.#context
    const changed = await store.accounts.change(id, account =>
      replaceSecret(account, createSigningSecret(), clock.now()),
    )
    return requireSigningSecret(changed)
  }
}

/** The account can be removed after the request for its signing secret was authenticated. */
function requireSigningSecret(account: Account | undefined): string {
  if (account?.hookSecret !== undefined) return account.hookSecret
  throw accountRemovedError()
}
