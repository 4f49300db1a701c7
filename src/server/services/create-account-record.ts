import type { AccountRecord } from '../../domain/account/account-record.js'
import { RelayError } from '../../errors.js'
import type { AccountRecordStore, AccountStore } from '../store/account-store.js'
import type { Store } from '../store/store.js'

/**
 * Stores a new record of an account. If the account was removed during the request, nothing would
 * remove the record later, so it is removed again. Throws `invalid_token` in that case.
 */
export async function createAccountRecord<T extends AccountRecord>(
  { accounts }: Pick<Store, 'accounts'>,
  records: AccountRecordStore<T>,
  record: T,
): Promise<void> {
  await records.change(record.id, () => record)
  await assertAccountExists(accounts, record.account, () => records.change(record.id, () => null))
}

/** Undoes a change and throws `invalid_token` if its account was removed during the request. */
export async function assertAccountExists(
  accounts: Pick<AccountStore, 'has'>,
  account: string,
  undo: () => Promise<unknown>,
): Promise<void> {
  if (await accounts.has(account)) return
  await undo()
  throw accountRemovedError()
}

export function accountRemovedError(): RelayError {
  return new RelayError('invalid_token', 'The account of this token was removed.')
}
