// Views and flags of the commands `account` and `person`, which are administration.
// - account-flags: the settings of an account
// - account-views: accounts and their keys
// - limit-views: the limits of an account, with their use
// - person-views: people and invitations
import type { AccountFields, NewAccount } from '../../contract/account-schema.js'
import type { Column } from '../output/column.js'
import { formatRecord } from '../output/record-text.js'
import { formatFields } from '../terminal/terminal-text.js'

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
type ShownAccount = Omit<AccountFields, Keys> & Partial<Pick<AccountFields, Keys>>

/** The account without its keys, which must not end up in logs of scripts. */
export function removeKeys({ secret_key: _, app_key: __, ...rest }: AccountFields): ShownAccount {
  return rest
}

export const accountColumns: readonly Column<ShownAccount>[] = [
  { name: 'email', isId: true, read: each => each.email },
  { name: 'secret_key', isWide: true, read: each => each.secret_key },
  { name: 'app_key', title: 'application key', isWide: true, read: each => each.app_key },
  { name: 'country', read: each => each.country },
  { name: 'mode', read: each => each.mode },
  { name: 'time_zone', title: 'time zone', isWide: true, read: each => each.time_zone },
  { name: 'alerts', isWide: true, read: each => each.alerts },
  { name: 'fewer_parts', title: 'fewer parts', isWide: true, read: each => each.fewer_parts },
  { name: 'received_mail', title: 'received mail', isWide: true, read: each => each.received_mail },
  { name: 'help_text', isWide: true, read: each => each.help_text },
  { name: 'stop_text', isWide: true, read: each => each.stop_text },
  { name: 'created_on', title: 'created', isTime: true, read: each => each.created_on },
  { name: 'owner', read: each => each.owner },
  { name: 'id', isWide: true, read: each => each.id },
]

export function formatAccount(account: ShownAccount): string {
  return formatRecord(account, accountColumns)
}
