import type { AccountRecord } from '../../domain/account/account-record.js'
import { RelayError } from '../../errors.js'
import type { AccountRecordStore } from '../store/account-store.js'
import type { Store } from '../store/store.js'

/**
 * Keeps a new record of an account. An account that was removed while its request was read would never take the record
 * with it, so then it is taken back. Throws `invalid_token`.
 */
export async function createAccountRecord<T extends AccountRecord>(
  { accounts }: Pick<Store, 'accounts'>,
  records: AccountRecordStore<T>,
  record: T,
): Promise<void> {
  await records.change(record.id, () => record)
  if ((await accounts.get(record.account)) !== undefined) return
  await records.change(record.id, () => null)
  throw accountRemovedError()
}

/** The error for a request whose account was removed while it was read. */
export function accountRemovedError(): RelayError {
  return new RelayError('invalid_token', 'The account of this token was removed.')
}
