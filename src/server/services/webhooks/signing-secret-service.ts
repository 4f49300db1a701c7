import type { Account } from '../../../domain/account/account.js'
import { secretsInUse, withNewSecret, withSecret } from '../../../domain/webhook/signing-secret.js'
import { RelayError } from '../../../errors.js'
import { randomHookSecret } from '../../../util/crypto/secrets.js'
import type { AccountStore } from '../../store/store.js'
import type { ServiceContext } from '../service-context.js'

/** What hook secrets need of the store. */
export interface SecretStore {
  readonly accounts: Pick<AccountStore, 'get' | 'change'>
}

/**
 * The secrets that sign the hits of an account now, the newest first; none when there is no such account. One stored
 * before there were secrets gets one, durably. Throws `unavailable`.
 */
export async function signingSecrets(
  store: SecretStore,
  id: string,
  now: number,
): Promise<readonly string[]> {
  const known = await store.accounts.get(id)
  const account = known?.hookSecret === undefined ? await ensured(store, id) : known
  return account === undefined ? [] : secretsInUse(account, now)
}

async function ensured(store: SecretStore, id: string): Promise<Account | undefined> {
  return await store.accounts.change(id, account => withSecret(account, randomHookSecret()))
}

/** What users do with the secret that signs their hits (README: signed hits). */
export class HookSecretService {
  readonly #context: ServiceContext

  constructor(context: ServiceContext) {
    this.#context = context
  }

  /** The secret of an account, made if it has none. Throws `unavailable`. */
  async get({ id }: Account): Promise<string> {
    return secretOf(await ensured(this.#context.store, id))
  }

  /** Replaces it and resolves to the new one; the old one signs too for a day. Throws `unavailable`. */
  async rotate({ id }: Account): Promise<string> {
    const { store, now } = this.#context
    const changed = await store.accounts.change(id, account =>
      withNewSecret(account, randomHookSecret(), now()),
    )
    return secretOf(changed)
  }
}

/** The account can be removed between a request's authentication and this. */
function secretOf(account: Account | undefined): string {
  if (account?.hookSecret !== undefined) return account.hookSecret
  throw new RelayError('invalid_token', 'The account of this token was removed.')
}
