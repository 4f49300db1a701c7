import type { Account } from '../domain/account.js'
import { secretsInUse, withSecret } from '../domain/hook-secret.js'
import type { AccountStore } from '../store/store.js'
import { randomHookSecret } from '../util/secrets.js'

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
