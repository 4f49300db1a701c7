import type { Account } from '../../../domain/account/account.js'
import { RelayError } from '../../../errors.js'
import { hashText } from '../../../util/crypto/secrets.js'
import { getParam } from '../../http/route.js'
import type { ServerContext } from '../../http/server-context.js'
import type { AccountService } from '../../services/accounts/account-service.js'
import {
  type ConfirmedAction,
  createConfirmedHandlers,
  showNewSecret,
} from '../page/confirmed-action.js'
import { type PageRequest, type Pages, redirectWithSuccess } from '../page/page.js'
import { type ConfirmationContext, restrictToOwner } from '../page/page-guards.js'
import { accountsPath, getAccountPath } from './account-form.js'
import { createKeyReplacement } from './account-keys.js'

type Context = ConfirmationContext & Pick<ServerContext, 'accounts'>

export function createAccountActionPages(context: Context): Pages {
  const { accounts } = context
  const path = `${accountsPath}/:id`
  return restrictToOwner(context, {
    [`${path}/password`]: createConfirmedHandlers(context, async request =>
      createPasswordReset(accounts, await getOtherAccount(accounts, request)),
    ),
    [`${path}/keys/:name`]: createConfirmedHandlers(context, async request => {
      const account = await getOtherAccount(accounts, request)
      const page = { parent: getParent(account), current: accountsPath }
      return createKeyReplacement(accounts, account, getParam(request.http, 'name'), page)
    }),
    [`${path}/delete`]: createConfirmedHandlers(context, async request =>
      createAccountDeletion(accounts, await getOtherAccount(accounts, request)),
    ),
  })
}

async function getOtherAccount(accounts: AccountService, request: PageRequest): Promise<Account> {
  const account = await accounts.getById(getParam(request.http, 'id'))
  if (account.id !== request.account.id) return account
  throw new RelayError('invalid_state', 'This is your own account, which is the owner.', {
    hint: 'Change it in the settings. Delete it with: smsrelay account delete',
  })
}

function getParent(account: Account): ConfirmedAction['parent'] {
  return { path: getAccountPath(account), label: account.email }
}

function createPasswordReset(accounts: AccountService, account: Account): ConfirmedAction {
  const page = {
    consequence: 'The account gets a random password, which is shown once. Its sessions end.',
    parent: getParent(account),
    current: accountsPath,
  }
  return {
    ...page,
    title: `Set a new password for ${account.email}`,
    label: 'Set a new password',
    version: hashText(account.passwordHash).slice(0, 22),
    run: async () => {
      const value = await accounts.setPassword(account.email)
      return showNewSecret({ id: 'new-password', label: 'Password', value }, page)
    },
  }
}

function createAccountDeletion(accounts: AccountService, account: Account): ConfirmedAction {
  const { email, id } = account
  return {
    title: `Delete the account ${email}`,
    label: 'Delete the account',
    consequence:
      'Its messages, received texts, subscriptions, mailboxes, secret URLs, Do Not Text list and ' +
      'keys are deleted permanently.',
    version: id,
    email,
    parent: getParent(account),
    current: accountsPath,
    run: async () => {
      await accounts.remove(email)
      return redirectWithSuccess(accountsPath, `The account ${email} is deleted.`)
    },
  }
}
