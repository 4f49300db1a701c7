import { includesRole, type Role } from '../../../domain/account/person.js'
import { RelayError } from '../../../errors.js'
import type { AccountService } from '../accounts/account-service.js'
import type { Caller } from '../accounts/token-service.js'

/**
 * Checks that a caller has a role. Every way in for people calls it before any other work: the API
 * with the role of the operation, the dashboard with that of the page. Throws `forbidden`.
 */
export function requireRole(
  { role, account }: Pick<Caller, 'role' | 'account'>,
  needed: Role,
): void {
  if (includesRole(role, needed)) return
  throw new RelayError('forbidden', `Your role is ${role}; this needs the role ${needed}.`, {
    hint: `Ask an admin, such as ${account.email}, to do it or to change your role.`,
  })
}

export async function requireOwner(
  accounts: Pick<AccountService, 'isOwner'>,
  { account }: Pick<Caller, 'account'>,
): Promise<void> {
  if (await accounts.isOwner(account)) return
  throw new RelayError('forbidden', 'Only the account that is the owner can do this.', {
    hint: 'Ask the owner of the relay.',
  })
}
