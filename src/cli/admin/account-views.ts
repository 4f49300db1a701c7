import type { AccountFields, NewAccount } from '../../contract/account-schema.js'
import type { DoNotTextFields } from '../../contract/do-not-text-schema.js'
import { formatFields, formatTable } from '../terminal/terminal-text.js'

/** A new account with its keys, for people. */
export function formatNewAccount(account: NewAccount): string {
  return formatFields({
    email: account.email,
    password: account.password,
    'secret key': account.secret_key,
    'API key': account.api_key,
    'application key': account.app_key,
    id: account.id,
  })
}

/** An account, for people. */
export function formatAccount(account: AccountFields): string {
  return formatFields({
    email: account.email,
    id: account.id,
    'secret key': account.secret_key,
    'application key': account.app_key,
    country: account.country,
    mode: account.mode,
    created: `${account.created_on} UTC`,
    owner: account.owner ? 'yes' : 'no',
  })
}

/** Accounts one a line, for people. */
export function formatAccountTable(accounts: readonly AccountFields[]): string {
  const rows = accounts.map(each => [
    ...[each.email, each.country, each.mode, each.created_on],
    ...[each.owner ? 'yes' : '-', each.id],
  ])
  return formatTable(['EMAIL', 'COUNTRY', 'MODE', 'CREATED (UTC)', 'OWNER', 'ID'], rows)
}

/** Entries of a Do Not Text list one a line, for people. */
export function formatDoNotTextTable(
  entries: readonly DoNotTextFields[],
  columns?: number,
): string {
  const rows = entries.map(each => [
    each.number,
    each.scope,
    each.added_on,
    each.reason ?? '-',
    each.by ?? '-',
    each.note ?? '',
  ])
  return formatTable(['NUMBER', 'LIST', 'ADDED (UTC)', 'REASON', 'BY', 'NOTE'], rows, columns)
}
