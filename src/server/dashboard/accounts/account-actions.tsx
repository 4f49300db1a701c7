import type { Account } from '../../../domain/account/account.js'
import { RelayError } from '../../../errors.js'
import { hashText } from '../../../util/crypto/secrets.js'
import { getParam } from '../../http/exchange.js'
import type { ServerContext } from '../../http/server-context.js'
import { Button, Form } from '../components/form.js'
import { TextField } from '../components/form-fields.js'
import { type Child, Fragment, h } from '../components/html.js'
import { Notice } from '../components/notice.js'
import { PasswordField } from '../components/password-field.js'
import { Secret } from '../components/secret.js'
import {
  getField,
  type PageHandler,
  type PageRequest,
  type PageResult,
  type Pages,
  redirectWithError,
  redirectWithSuccess,
  showPage,
} from '../page/page.js'
import {
  type ConfirmationContext,
  type ConfirmationFailure,
  confirmPassword,
  restrictToOwner,
} from '../page/page-guards.js'
import { findKeyKind, getKey, getKeyVersion } from './account-keys.js'
import { accountsPath, getAccountPath } from './account-list-page.js'

type Context = ConfirmationContext & Pick<ServerContext, 'accounts'>

/** Something the owner does with an account, asked for first. */
interface AccountAction {
  readonly title: string
  readonly consequence: string
  /** Changes when it was done, so that the same form does it once. */
  readonly getVersion: (account: Account) => string
  /** Whether its e-mail address is to be typed. */
  readonly requiresEmail?: true
  readonly run: (account: Account) => Promise<PageResult>
}

/** What the owner does with an account, each confirmed with the owner's password. */
export function createAccountActionPages(context: Context): Pages {
  const on = `${accountsPath}/:id`
  return restrictToOwner(context, {
    [`${on}/password`]: confirmAction(context, () => createPasswordReset(context)),
    [`${on}/keys/:name`]: confirmAction(context, request => createKeyReplacement(context, request)),
    [`${on}/delete`]: confirmAction(context, () => createAccountDeletion(context)),
  })
}

function createPasswordReset({ accounts }: Context): AccountAction {
  return {
    title: 'Give it a new password',
    consequence: 'It gets a random password, which is shown once, and its sessions end.',
    getVersion: ({ passwordHash }) => hashText(passwordHash).slice(0, 22),
    run: async account => {
      const value = await accounts.setPassword(account.email)
      return showSecretPage(account, { id: 'new-password', label: 'Password', value })
    },
  }
}

function createKeyReplacement({ accounts }: Context, { http }: PageRequest): AccountAction {
  const kind = findKeyKind(getParam(http, 'name'))
  if (kind === undefined) throw new RelayError('not_found', 'There is no such key.')
  const { name, label, consequence } = kind
  return {
    title: `Replace the ${label}`,
    consequence,
    getVersion: account => getKeyVersion(account, name),
    run: async account => {
      const value = getKey(await accounts.rotateKeys(account.email, name), name)
      return showSecretPage(account, { id: `${name}-key`, label, value })
    },
  }
}

function createAccountDeletion({ accounts }: Context): AccountAction {
  return {
    title: 'Delete it',
    consequence:
      'Its messages, received texts, subscriptions, addresses, lists and keys are deleted with it, for good.',
    getVersion: ({ id }) => id,
    requiresEmail: true,
    run: async ({ email }) => {
      await accounts.remove(email)
      return redirectWithSuccess(accountsPath, `The account ${email} is deleted.`)
    },
  }
}

type ActionHandlers = Readonly<Record<'GET' | 'POST', PageHandler>>

/** Asks on GET, and acts on POST when it is confirmed. The owner's own account is left to the settings. */
function confirmAction(
  context: Context,
  actionOf: (request: PageRequest) => AccountAction,
): ActionHandlers {
  return {
    GET: async request => {
      const account = await getOtherAccount(context, request)
      return showConfirmPage(request, account, actionOf(request))
    },
    POST: async request => {
      const action = actionOf(request)
      const before = await getOtherAccount(context, request)
      if (action.requiresEmail && getField(request, 'email').trim() !== before.email)
        return showConfirmPage(request, before, action, {
          email: 'It is not the address of this account.',
        })
      const refused = await confirmPassword(context, request)
      if (refused !== undefined) return showConfirmPage(request, before, action, refused)
      const account = await getOtherAccount(context, request)
      if (getField(request, 'was') !== action.getVersion(account))
        return redirectWithError(
          getAccountPath(account),
          'It was done already, or by somebody else.',
        )
      return await action.run(account)
    },
  }
}

async function getOtherAccount({ accounts }: Context, request: PageRequest): Promise<Account> {
  const account = await accounts.getById(getParam(request.http, 'id'))
  if (account.id !== request.account.id) return account
  throw new RelayError('invalid_state', "This is your own account, the owner's.", {
    hint: 'It is changed in the settings, and deleted with: smsrelay account delete',
  })
}

interface ActionErrors extends Partial<ConfirmationFailure> {
  readonly email?: string
}

function showConfirmPage(
  request: PageRequest,
  account: Account,
  action: AccountAction,
  refused?: ActionErrors,
): PageResult {
  const body = (
    <>
      <p>{action.consequence}</p>
      <Form action={request.http.path} csrf={request.csrf} class="narrow">
        <input type="hidden" name="was" value={action.getVersion(account)} />
        {action.requiresEmail && (
          <TextField
            label="Its e-mail address"
            name="email"
            autocomplete="off"
            required
            hint={`Type ${account.email} to confirm.`}
            error={refused?.email}
          />
        )}
        <PasswordField error={refused?.error} />
        <Button label={action.title} variant="danger" />{' '}
        <a href={getAccountPath(account)}>Leave it as it is</a>
      </Form>
    </>
  )
  const status = refused === undefined ? 200 : (refused.status ?? 400)
  return showAccountsPage(`${action.title}: ${account.email}`, body, status)
}

function showSecretPage(
  account: Account,
  secret: { id: string; label: string; value: string },
): PageResult {
  const body = (
    <>
      <Notice kind="done">{`${secret.label} of ${account.email}, shown this once:`}</Notice>
      <Secret {...secret} />
      <p>
        <a href={getAccountPath(account)}>Back to the account</a>
      </p>
    </>
  )
  return showAccountsPage(`New ${secret.label}`, body)
}

function showAccountsPage(
  title: string,
  body: Exclude<Child, undefined>,
  status = 200,
): PageResult {
  return showPage({ title, current: accountsPath, body: <>{body}</>, status })
}
