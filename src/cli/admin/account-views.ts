import type { AccountFields, NewAccount } from '../../contract/account-schema.js'
import { formatFields, formatTable } from '../terminal/terminal-text.js'

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

type Keys = 'secret_key' | 'app_key'
/** An account as the commands print it; the keys only on request. */
type ShownAccount = Omit<AccountFields, Keys> & Partial<Pick<AccountFields, Keys>>

/** The account without its keys, which must not end up in logs of scripts. */
export function removeKeys({ secret_key: _, app_key: __, ...rest }: AccountFields): ShownAccount {
  return rest
}

export function formatAccount(account: ShownAccount): string {
  return formatFields({
    email: account.email,
    id: account.id,
    ...(account.secret_key === undefined ? {} : { 'secret key': account.secret_key }),
    ...(account.app_key === undefined ? {} : { 'application key': account.app_key }),
    country: account.country,
    mode: account.mode,
    ...(account.alerts === undefined ? {} : { alerts: account.alerts }),
    ...(account.help_text === undefined ? {} : { 'help text': account.help_text }),
    ...(account.stop_text === undefined ? {} : { 'stop text': account.stop_text }),
    created: `${account.created_on} UTC`,
    owner: account.owner ? 'yes' : 'no',
  })
}

export function formatAccountTable(accounts: readonly ShownAccount[]): string {
  const rows = accounts.map(each => [
    ...[each.email, each.country, each.mode, each.created_on],
    ...[each.owner ? 'yes' : '-', each.id],
  ])
  return formatTable(['EMAIL', 'COUNTRY', 'MODE', 'CREATED (UTC)', 'OWNER', 'ID'], rows)
}
