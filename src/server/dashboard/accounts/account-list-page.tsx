import type { Account } from '../../../domain/account/account.js'
import { isRelayError } from '../../../errors.js'
import type { AppParts } from '../../app.js'
import type { AccountService, CreatedAccount } from '../../services/accounts/account-service.js'
import { Button, Form } from '../components/form.js'
import { TextField } from '../components/form-fields.js'
import { Fragment, h } from '../components/html.js'
import { Notice } from '../components/notice.js'
import { Secret } from '../components/secret.js'
import { Table } from '../components/table.js'
import { Time } from '../components/time.js'
import { ownerOnly } from '../page/owner-only.js'
import { type Answer, field, type Pages, page, type Visit } from '../page/page.js'
import { AccountFields, type AccountForm } from './account-fields.js'
import { modeOf, sentenceOf } from './account-form.js'

/** Where the accounts are. */
export const accountsPath = '/accounts'

/** Where the page of an account is. */
export function accountPath({ id }: Pick<Account, 'id'>): string {
  return `${accountsPath}/${encodeURIComponent(id)}`
}

const newPath = `${accountsPath}/new`

/** Every account, and making one: for the owner. */
export function accountPages(parts: Pick<AppParts, 'accounts'>): Pages {
  const { accounts } = parts
  return ownerOnly(parts, {
    [accountsPath]: { GET: async visit => listPage(visit, await accounts.list()) },
    [newPath]: {
      GET: async visit => newPage(visit, { email: '', country: 'US', mode: 'at-least-once' }),
      POST: async visit => await create(visit, accounts),
    },
  })
}

function listPage({ account: own }: Visit, all: readonly Account[]): Answer {
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
            <a href={accountPath(account)}>{account.email}</a>
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
  return page({ title: 'Accounts', current: accountsPath, body })
}

interface NewForm extends AccountForm {
  readonly email: string
}

async function create(visit: Visit, accounts: AccountService): Promise<Answer> {
  const email = field(visit, 'email').trim()
  const country = field(visit, 'country').trim()
  try {
    return createdPage(await accounts.create({ email, country, mode: modeOf(visit) }))
  } catch (error) {
    if (!isRelayError(error, 'invalid_parameter')) throw error
    return newPage(visit, { email, country, mode: field(visit, 'mode') }, sentenceOf(error))
  }
}

function newPage({ csrf }: Visit, form: NewForm, error?: string): Answer {
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
  return page({ title: 'Make an account', current: accountsPath, body, status })
}

function createdPage({ account, password, apiKey }: CreatedAccount): Answer {
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
  return page({ title: `New account ${account.email}`, current: accountsPath, body })
}
