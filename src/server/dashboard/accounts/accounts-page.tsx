// Pages about accounts. `settings-page.tsx` shows and changes a person's own account, and
// `credentials-page.tsx` its e-mail address and password. The others are for the owner only: this
// file lists, shows and creates accounts; `account-actions.ts` gives an account a new password,
// replaces its keys or deletes it, each after the owner's password is confirmed. `limits-page.tsx`
// shows and sets the limits of an account. `account-form.tsx` has the fields that these pages
// share, `account-keys.ts` the names of the keys.
import type { Account } from '../../../domain/account/account.js'
import { getParam } from '../../http/route.js'
import type { ServerContext } from '../../http/server-context.js'
import type { AccountService, CreatedAccount } from '../../services/accounts/account-service.js'
import type { AccountLimitUses } from '../../services/limits/account-limit-service.js'
import { Card, CardBody } from '../components/card.js'
import { Actions, Button, ButtonLink, Form } from '../components/form.js'
import { TextField } from '../components/form-fields.js'
import { Fragment, type Html, h } from '../components/html.js'
import { createKeyedPage, Pagination, readPageKey } from '../components/pagination.js'
import { Secret } from '../components/secret.js'
import { Facts, Table } from '../components/table.js'
import { Time } from '../components/time.js'
import { type FieldErrors, toFieldErrors } from '../page/field-errors.js'
import {
  getField,
  getQueryField,
  type PageRequest,
  type PageResult,
  type Pages,
  showPage,
} from '../page/page.js'
import { restrictToOwner } from '../page/page-guards.js'
import {
  AccountFields,
  type AccountFormInput,
  accountsPath,
  getAccountPath,
  parseDeliveryMode,
} from './account-form.js'
import { keyDescriptions, toSentenceCase } from './account-keys.js'
import { LimitsCard } from './limits-page.js'

const pageSize = 100
const newPath = `${accountsPath}/new`

export function createAccountPages(
  context: Pick<ServerContext, 'accounts' | 'accountLimits'>,
): Pages {
  const { accounts, accountLimits } = context
  return restrictToOwner(context, {
    [accountsPath]: { GET: async request => await showListPage(request, accounts) },
    [newPath]: {
      GET: async request =>
        showNewPage(request, { email: '', country: 'US', mode: 'at-least-once' }),
      POST: async request => await createAccount(request, accounts),
    },
    [`${accountsPath}/:id`]: {
      GET: async request => {
        const account = await accounts.getById(getParam(request.http, 'id'))
        return showAccountPage(request, account, await accountLimits.read(account))
      },
    },
  })
}

async function showListPage(request: PageRequest, accounts: AccountService): Promise<PageResult> {
  const after = readPageKey(getQueryField(request, 'after'))
  const found = await accounts.getPage({ count: pageSize + 1, after })
  const { items, ...links } = createKeyedPage(found, { after, pageSize })
  const body = (
    <Card label="Accounts">
      <Table
        caption="Accounts"
        head={['E-mail address', 'Country', 'Delivery mode', 'Created']}
        rows={items.map(account => [
          <>
            <a href={getAccountPath(account)}>{account.email}</a>
            {account.id === request.account.id && <span class="sub">the owner, you</span>}
          </>,
          account.country,
          account.mode,
          <Time at={account.createdAt} />,
        ])}
        empty="There are no accounts."
      />
      <Pagination
        label="Pages of accounts"
        path={accountsPath}
        previousLabel="First page"
        {...links}
      />
    </Card>
  )
  const actions = <ButtonLink href={newPath} label="New account" variant="primary" icon="plus" />
  return showPage({ title: 'All accounts', current: accountsPath, actions, body })
}

const parent = { path: accountsPath, label: 'All accounts' }

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
    const form = { email, country, mode: getField(request, 'mode') }
    return showNewPage(request, form, toFieldErrors(error))
  }
}

function showNewPage(
  { csrf }: PageRequest,
  form: NewAccountFormInput,
  errors?: FieldErrors,
): PageResult {
  const body = (
    <Card label="New account">
      <Form action={newPath} csrf={csrf} errors={errors}>
        <TextField
          label="E-mail address"
          name="email"
          type="email"
          value={form.email}
          autocomplete="off"
          required
          error={errors?.email}
          hint="No e-mail is sent. The next page shows the password; give it to the person."
        />
        <AccountFields form={form} errors={errors} />
        <Actions>
          <Button label="Create the account" />
          <ButtonLink href={accountsPath} label="Cancel" variant="bare" />
        </Actions>
      </Form>
    </Card>
  )
  const status = errors === undefined ? 200 : 400
  return showPage({ title: 'New account', current: accountsPath, parent, body, status })
}

function showCreatedPage({ account, password, apiKey }: CreatedAccount): PageResult {
  const body = (
    <Card title="The account is created" id="once" isOnce>
      <CardBody>
        <p>
          <strong>This page shows the password and the API key for 10 minutes.</strong> Nothing else
          shows them. The settings of the account show the other keys.
        </p>
        <Secret id="new-password" label="Password" value={password} />
        <Secret id="secret-key" label="Secret key" value={account.secretKey} />
        <Secret id="api-key" label="API key" value={apiKey} />
        <Secret id="app-key" label="Application key" value={account.appKey} />
        <Actions>
          <ButtonLink href={accountsPath} label="Back to the accounts" />
        </Actions>
      </CardBody>
    </Card>
  )
  const title = `New account ${account.email}`
  return showPage({ title, current: accountsPath, parent, body })
}

/** The dashboard does not show the owner the keys and messages of another account. */
function showAccountPage(
  { account: own }: PageRequest,
  account: Account,
  uses: AccountLimitUses,
): PageResult {
  const { email, country, mode, createdAt, id } = account
  const body = (
    <div class="pair">
      <Card title="Details">
        <CardBody>
          <Facts
            items={[
              ['E-mail address', email],
              ['Country', country],
              ['Delivery mode', mode],
              ['Created', <Time at={createdAt} exact />],
              ['ID', <code>{id}</code>],
            ]}
          />
          {id === own.id && (
            <p>
              This is your own account, which is the owner. Change it in the{' '}
              <a href="/settings">settings</a>.
            </p>
          )}
        </CardBody>
      </Card>
      <LimitsCard uses={uses} editPath={`${getAccountPath(account)}/limits`} />
      {id !== own.id && <AccountActions account={account} />}
    </div>
  )
  return showPage({ title: `Account ${email}`, current: accountsPath, parent, body })
}

function AccountActions({ account }: { readonly account: Account }): Html {
  const path = getAccountPath(account)
  return (
    <Card title="Actions">
      <CardBody>
        <Actions>
          <ButtonLink href={`${path}/password`} label="Set a new password" icon="lock" />
          {keyDescriptions.map(({ name, label }) => (
            <ButtonLink
              href={`${path}/keys/${name}`}
              label={`Replace the ${toSentenceCase(label)}`}
              icon="key"
            />
          ))}
          <ButtonLink href={`${path}/delete`} label="Delete the account" variant="danger" />
        </Actions>
      </CardBody>
    </Card>
  )
}
