import type { Account } from '../../../domain/account/account.js'
import { RelayError } from '../../../errors.js'
import { hashText } from '../../../util/crypto/secrets.js'
import { getParam } from '../../http/route.js'
import type { ServerContext } from '../../http/server-context.js'
import { Button, Form } from '../components/form.js'
import { TextField } from '../components/form-fields.js'
import { Fragment, type Html, h } from '../components/html.js'
import { Notice } from '../components/notice.js'
import { PasswordField } from '../components/password-field.js'
import { Secret, type SecretProps } from '../components/secret.js'
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
import { findKeyDescription, getKey, getKeyVersion } from './account-keys.js'
import { accountsPath, getAccountPath } from './accounts-page.js'

type Context = ConfirmationContext & Pick<ServerContext, 'accounts'>

/** An action of the owner on another account, run after confirmation. */
interface AccountAction {
  readonly title: string
  readonly consequence: string
  /** Changes when the action is done, so that a form that is sent twice runs it once. */
  readonly getVersion: (account: Account) => string
  /** Whether the owner must also type the e-mail address of the account. */
  readonly requiresEmail?: true
  readonly run: (account: Account) => Promise<PageResult>
}

/** The owner's actions on an account. Each needs the owner's password. */
export function createAccountActionPages(context: Context): Pages {
  const path = `${accountsPath}/:id`
  return restrictToOwner(context, {
    [`${path}/password`]: confirmAction(context, () => createPasswordReset(context)),
    [`${path}/keys/:name`]: confirmAction(context, request =>
      createKeyReplacement(context, request),
    ),
    [`${path}/delete`]: confirmAction(context, () => createAccountDeletion(context)),
  })
}

function createPasswordReset({ accounts }: Context): AccountAction {
  return {
    title: 'Set a new password',
    consequence: 'The account gets a random password, which is shown once. Its sessions end.',
    getVersion: ({ passwordHash }) => hashText(passwordHash).slice(0, 22),
    run: async account => {
      const value = await accounts.setPassword(account.email)
      return showSecretPage(account, { id: 'new-password', label: 'Password', value })
    },
  }
}

function createKeyReplacement({ accounts }: Context, { http }: PageRequest): AccountAction {
  const kind = findKeyDescription(getParam(http, 'name'))
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
    title: 'Delete the account',
    consequence:
      'Its messages, received texts, subscriptions, mailboxes, secret URLs, Do Not Text list and ' +
      'keys are deleted permanently.',
    getVersion: ({ id }) => id,
    requiresEmail: true,
    run: async ({ email }) => {
      await accounts.remove(email)
      return redirectWithSuccess(accountsPath, `The account ${email} is deleted.`)
    },
  }
}

type ActionHandlers = Readonly<Record<'GET' | 'POST', PageHandler>>

/** GET asks for confirmation; POST checks it and runs the action. */
function confirmAction(
  context: Context,
  createAction: (request: PageRequest) => AccountAction,
): ActionHandlers {
  return {
    GET: async request => {
      const account = await getOtherAccount(context, request)
      return showConfirmPage(request, account, createAction(request))
    },
    POST: async request => {
      const action = createAction(request)
      const before = await getOtherAccount(context, request)
      if (action.requiresEmail && getField(request, 'email').trim() !== before.email) {
        const errors = { email: 'It is not the e-mail address of this account.' }
        return showConfirmPage(request, before, action, errors)
      }
      const failure = await confirmPassword(context, request)
      if (failure !== undefined) return showConfirmPage(request, before, action, failure)
      // The account may have changed while the password was checked.
      const account = await getOtherAccount(context, request)
      if (getField(request, 'was') !== action.getVersion(account))
        return redirectWithError(getAccountPath(account), 'This has already been done.')
      return await action.run(account)
    },
  }
}

async function getOtherAccount({ accounts }: Context, request: PageRequest): Promise<Account> {
  const account = await accounts.getById(getParam(request.http, 'id'))
  if (account.id !== request.account.id) return account
  throw new RelayError('invalid_state', 'This is your own account, which is the owner.', {
    hint: 'Change it in the settings. Delete it with: smsrelay account delete',
  })
}

interface ActionErrors extends Partial<ConfirmationFailure> {
  readonly email?: string
}

function showConfirmPage(
  request: PageRequest,
  account: Account,
  action: AccountAction,
  errors?: ActionErrors,
): PageResult {
  const body = (
    <>
      <p>{action.consequence}</p>
      <Form action={request.http.path} csrf={request.csrf} class="narrow">
        <input type="hidden" name="was" value={action.getVersion(account)} />
        {action.requiresEmail && (
          <TextField
            label="E-mail address of the account"
            name="email"
            autocomplete="off"
            required
            hint={`Type ${account.email} to confirm.`}
            error={errors?.email}
          />
        )}
        <PasswordField error={errors?.error} />
        <Button label={action.title} variant="danger" />{' '}
        <a href={getAccountPath(account)}>Cancel</a>
      </Form>
    </>
  )
  const status = errors === undefined ? 200 : (errors.status ?? 400)
  return showAccountsPage(`${action.title}: ${account.email}`, body, status)
}

function showSecretPage(account: Account, secret: SecretProps): PageResult {
  const body = (
    <>
      <Notice kind="done">{`${secret.label} of ${account.email}, shown only now:`}</Notice>
      <Secret {...secret} />
      <p>
        <a href={getAccountPath(account)}>Back to the account</a>
      </p>
    </>
  )
  return showAccountsPage(`New ${secret.label}`, body)
}

function showAccountsPage(title: string, body: Html, status = 200): PageResult {
  return showPage({ title, current: accountsPath, body, status })
}
