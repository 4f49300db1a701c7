// Pages about accounts. `settings-page.tsx` shows and changes a person's own account, and
// `credentials-page.tsx` its e-mail address and password. The others are for the owner only: this
// file lists, shows and creates accounts; `account-actions.ts` gives an account a new password,
// replaces its keys or deletes it, each after the owner's password is confirmed. `account-form.tsx`
// has the fields that these pages share, `account-keys.ts` the names of the keys.
import type { Account } from '../../../domain/account/account.js'
import { isRelayError } from '../../../errors.js'
import { getParam } from '../../http/route.js'
import type { ServerContext } from '../../http/server-context.js'
import type { AccountService, CreatedAccount } from '../../services/accounts/account-service.js'
import { Button, Form } from '../components/form.js'
import { TextField } from '../components/form-fields.js'
import { Fragment, type Html, h } from '../components/html.js'
import { Notice } from '../components/notice.js'
import { Secret } from '../components/secret.js'
import { DetailList, Table } from '../components/table.js'
import { Time } from '../components/time.js'
import { formatFormError } from '../page/field-errors.js'
import { getField, type PageRequest, type PageResult, type Pages, showPage } from '../page/page.js'
import { restrictToOwner } from '../page/page-guards.js'
import { AccountFields, type AccountFormInput, parseDeliveryMode } from './account-form.js'
import { keyDescriptions } from './account-keys.js'

export const accountsPath = '/accounts'
const newPath = `${accountsPath}/new`

export function getAccountPath({ id }: Pick<Account, 'id'>): string {
  return `${accountsPath}/${encodeURIComponent(id)}`
}

export function createAccountPages(context: Pick<ServerContext, 'accounts'>): Pages {
  const { accounts } = context
  return restrictToOwner(context, {
    [accountsPath]: { GET: async request => showListPage(request, await accounts.list()) },
    [newPath]: {
      GET: async request =>
        showNewPage(request, { email: '', country: 'US', mode: 'at-least-once' }),
      POST: async request => await createAccount(request, accounts),
    },
    [`${accountsPath}/:id`]: {
      GET: async request =>
        showAccountPage(request, await accounts.getById(getParam(request.http, 'id'))),
    },
  })
}

function showListPage({ account: own }: PageRequest, accounts: readonly Account[]): PageResult {
  const body = (
    <>
      <p>
        <a href={newPath}>Create an account</a>
      </p>
      <Table
        caption="Accounts"
        head={['E-mail address', 'Country', 'Delivery mode', 'Created']}
        rows={accounts.map(account => [
          <>
            <a href={getAccountPath(account)}>{account.email}</a>
            {account.id === own.id && ' (the owner, you)'}
          </>,
          account.country,
          account.mode,
          <Time at={account.createdAt} />,
        ])}
        empty="There are no accounts."
      />
    </>
  )
  return showPage({ title: 'Accounts', current: accountsPath, body })
}

interface NewAccountFormInput extends AccountFormInput {
  readonly email: string
}

async function createAccount(request: PageRequest, accounts: AccountService): Promise<PageResult> {
  const email = getField(request, 'email').trim()
  const country = getField(request, 'country').trim()
  try {
    const mode = parseDeliveryMode(request)
    return showCreatedPage(await accounts.create({ email, country, mode }))
  } catch (error) {
    if (!isRelayError(error, 'invalid_parameter')) throw error
    const form = { email, country, mode: getField(request, 'mode') }
    return showNewPage(request, form, formatFormError(error))
  }
}

function showNewPage({ csrf }: PageRequest, form: NewAccountFormInput, error?: string): PageResult {
  const body = (
    <Form action={newPath} csrf={csrf} class="narrow">
      {error !== undefined && <Notice kind="failed">{error}</Notice>}
      <TextField
        label="E-mail address"
        name="email"
        type="email"
        value={form.email}
        autocomplete="off"
        required
        hint="No e-mail is sent. The next page shows the password; give it to the person."
      />
      <AccountFields form={form} />
      <Button label="Create the account" /> <a href={accountsPath}>Cancel</a>
    </Form>
  )
  const status = error === undefined ? 200 : 400
  return showPage({ title: 'Create an account', current: accountsPath, body, status })
}

function showCreatedPage({ account, password, apiKey }: CreatedAccount): PageResult {
  const body = (
    <>
      <Notice kind="done">
        The account is created. The password and the API key are shown only now. The settings of the
        account show the other keys.
      </Notice>
      <Secret id="new-password" label="Password" value={password} />
      <Secret id="secret-key" label="Secret key" value={account.secretKey} />
      <Secret id="api-key" label="API key" value={apiKey} />
      <Secret id="app-key" label="Application key" value={account.appKey} />
      <p>
        <a href={accountsPath}>Back to the accounts</a>
      </p>
    </>
  )
  return showPage({ title: `New account ${account.email}`, current: accountsPath, body })
}

/** The dashboard does not show the owner the keys and messages of another account. */
function showAccountPage({ account: own }: PageRequest, account: Account): PageResult {
  const { email, country, mode, createdAt, id } = account
  const body = (
    <>
      <DetailList
        items={[
          ['E-mail address', email],
          ['Country', country],
          ['Delivery mode', mode],
          ['Created', <Time at={createdAt} />],
          ['Identifier', <code>{id}</code>],
        ]}
      />
      {id === own.id ? (
        <p>
          This is your own account, which is the owner. Change it in the{' '}
          <a href="/settings">settings</a>.
        </p>
      ) : (
        <AccountActions account={account} />
      )}
    </>
  )
  return showPage({ title: `Account ${email}`, current: accountsPath, body })
}

function AccountActions({ account }: { readonly account: Account }): Html {
  const path = getAccountPath(account)
  return (
    <>
      <h2>Actions</h2>
      <ul>
        <li>
          <a href={`${path}/password`}>Set a new password</a>
        </li>
        {keyDescriptions.map(({ name, label }) => (
          <li>
            <a href={`${path}/keys/${name}`}>{`Replace the ${label}`}</a>
          </li>
        ))}
        <li>
          <a href={`${path}/delete`}>Delete the account</a>
        </li>
      </ul>
    </>
  )
}
