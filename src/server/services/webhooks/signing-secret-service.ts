import type { Account } from '../../../domain/account/account.js'
import {
  addMissingSecret,
  getActiveSecrets,
  replaceSecret,
} from '../../../domain/webhook/signing-secret.js'
import { RelayError } from '../../../errors.js'
import { createSigningSecret } from '../../../util/crypto/secrets.js'
import type { AccountStore } from '../../store/account-store.js'
import type { ServiceContext } from '../service-context.js'

/** What hook secrets need of the store. */
export interface SigningSecretStore {
  readonly accounts: Pick<AccountStore, 'get' | 'change'>
}

/**
 * The secrets that sign the hits of an account now, the newest first; none when there is no such account. One stored
 * before there were secrets gets one, durably. Throws `unavailable`.
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

/** What users do with the secret that signs their hits (README: signed hits). */
export class SigningSecretService {
  readonly #context: ServiceContext

  constructor(context: ServiceContext) {
    this.#context = context
  }

  /** The secret of an account, made if it has none. Throws `unavailable`. */
  async get({ id }: Account): Promise<string> {
    return requireSigningSecret(await ensureSigningSecret(this.#context.store, id))
  }

  /** Replaces it and resolves to the new one; the old one signs too for a day. Throws `unavailable`. */
  async rotate({ id }: Account): Promise<string> {
    const { store, now } = this.#context
    const changed = await store.accounts.change(id, account =>
      replaceSecret(account, createSigningSecret(), now()),
    )
    return requireSigningSecret(changed)
  }
}

/** The account can be removed between a request's authentication and this. */
function requireSigningSecret(account: Account | undefined): string {
  if (account?.hookSecret !== undefined) return account.hookSecret
  throw new RelayError('invalid_token', 'The account of this token was removed.')
}
