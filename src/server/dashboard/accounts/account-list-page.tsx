import type { Account } from '../../../domain/account/account.js'
import { isRelayError } from '../../../errors.js'
import type { ServerContext } from '../../http/server-context.js'
import type { AccountService, CreatedAccount } from '../../services/accounts/account-service.js'
import { Button, Form } from '../components/form.js'
import { TextField } from '../components/form-fields.js'
import { Fragment, h } from '../components/html.js'
import { Notice } from '../components/notice.js'
import { Secret } from '../components/secret.js'
import { Table } from '../components/table.js'
import { Time } from '../components/time.js'
import { getField, type PageRequest, type PageResult, type Pages, showPage } from '../page/page.js'
import { restrictToOwner } from '../page/page-guards.js'
import { AccountFields, type AccountFormInput } from './account-fields.js'
import { formatFormError, parseDeliveryMode } from './account-form.js'

/** Where the accounts are. */
export const accountsPath = '/accounts'

/** Where the page of an account is. */
export function getAccountPath({ id }: Pick<Account, 'id'>): string {
  return `${accountsPath}/${encodeURIComponent(id)}`
}

const newPath = `${accountsPath}/new`

/** Every account, and making one: for the owner. */
export function createAccountListPages(context: Pick<ServerContext, 'accounts'>): Pages {
  const { accounts } = context
  return restrictToOwner(context, {
    [accountsPath]: { GET: async request => showListPage(request, await accounts.list()) },
    [newPath]: {
      GET: async request =>
        showNewPage(request, { email: '', country: 'US', mode: 'at-least-once' }),
      POST: async request => await createAccount(request, accounts),
    },
  })
}

function showListPage({ account: own }: PageRequest, all: readonly Account[]): PageResult {
  const body = (
    <>
      <p>
        <a href={newPath}>Make an account</a>
      </p>
      <Table
        caption="Accounts"
        head={['E-mail address', 'Country', 'Delivery', 'Created']}
        rows={all.map(account => [
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
    return showCreatedPage(
      await accounts.create({ email, country, mode: parseDeliveryMode(request) }),
    )
  } catch (error) {
    if (!isRelayError(error, 'invalid_parameter')) throw error
    return showNewPage(
      request,
      { email, country, mode: getField(request, 'mode') },
      formatFormError(error),
    )
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
        hint="Nothing is sent to it; give its owner the password that is shown next."
      />
      <AccountFields form={form} />
      <Button label="Make the account" /> <a href={accountsPath}>Make none</a>
    </Form>
  )
  const status = error === undefined ? 200 : 400
  return showPage({ title: 'Make an account', current: accountsPath, body, status })
}

function showCreatedPage({ account, password, apiKey }: CreatedAccount): PageResult {
  const body = (
    <>
      <Notice kind="done">
        The account is made. Password and API key are shown this once; the other keys its owner
        finds in the settings.
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
