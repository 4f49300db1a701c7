import {
  accountLimitsEdit,
  parseLimitChanges,
} from '../../../contract/account/account-limit-schema.js'
import type { Account } from '../../../domain/account/account.js'
import {
  type AccountLimitName,
  accountLimitNames,
  accountLimits,
} from '../../../domain/account-limits.js'
import { formatCount } from '../../../util/text/plural.js'
import { getParam } from '../../http/route.js'
import type { ServerContext } from '../../http/server-context.js'
import type { AccountLimitUses } from '../../services/limits/account-limit-service.js'
import { Card, CardBody } from '../components/card.js'
import { Actions, ButtonLink } from '../components/form.js'
import { TextField } from '../components/form-fields.js'
import { type Html, h } from '../components/html.js'
import { Table } from '../components/table.js'
import { checkVersion, createVersion } from '../forms/edit-conflict.js'
import { EditCard, submitEdit } from '../forms/edit-frame.js'
import { type FieldErrors, parseFields } from '../page/field-errors.js'
import {
  getField,
  type PageRequest,
  type PageResult,
  type Pages,
  redirectWithSuccess,
  showPage,
} from '../page/page.js'
import { restrictToOwner } from '../page/page-guards.js'
import { accountsPath, getAccountPath } from './account-form.js'

type Context = Pick<ServerContext, 'accounts' | 'accountLimits'>

export function createLimitPages(context: Context): Pages {
  const find = async (request: PageRequest): Promise<Account> =>
    await context.accounts.getById(getParam(request.http, 'id'))
  return restrictToOwner(context, {
    [`${accountsPath}/:id/limits`]: {
      GET: async request => showLimitsForm(request, await find(request)),
      POST: async request => await changeLimits(request, context, await find(request)),
    },
  })
}

export function LimitsCard(props: {
  readonly uses: AccountLimitUses
  readonly editPath?: string
}): Html {
  const { uses, editPath } = props
  return (
    <Card title="Limits">
      <Table
        caption="Limits"
        head={['Item', 'Used', 'Limit']}
        rows={accountLimitNames.map(name => {
          const { max, used } = uses[name]
          const isReached = max !== undefined && used >= max
          const limit = max === undefined ? 'no limit' : formatCount(max)
          return [
            accountLimits[name].label,
            formatCount(used),
            isReached ? <strong>{limit}, reached</strong> : limit,
          ]
        })}
        empty=""
      />
      <CardBody>
        {editPath === undefined ? (
          <p class="quiet">The owner of the relay sets the limits.</p>
        ) : (
          <Actions>
            <ButtonLink href={editPath} label="Change the limits" icon="edit" />
          </Actions>
        )}
      </CardBody>
    </Card>
  )
}

async function changeLimits(
  request: PageRequest,
  context: Context,
  account: Account,
): Promise<PageResult> {
  const given = accountLimitNames.map(
    name => [accountLimits[name].field, getText(request, name)] as const,
  )
  return await submitEdit(request, parseFields(accountLimitsEdit, Object.fromEntries(given)), {
    save: async edited => {
      await context.accountLimits.change(account, parseLimitChanges(edited), current =>
        checkVersion(request, getVersion(current)),
      )
      return redirectWithSuccess(
        getAccountPath(account),
        `The limits of ${account.email} are changed. They apply at once.`,
      )
    },
    showForm: errors => showLimitsForm(request, account, errors),
    showCurrent: async fresh => showLimitsForm(fresh, await context.accounts.getById(account.id)),
    reason: 'The limits have been changed in the meantime.',
  })
}

function describeHint(name: AccountLimitName): string | undefined {
  const limit = accountLimits[name]
  const hints = [
    ...('hint' in limit ? [limit.hint] : []),
    ...('default' in limit ? [`Empty: ${formatCount(limit.default)}.`] : []),
  ]
  return hints.length === 0 ? undefined : hints.join(' ')
}

function getText(request: PageRequest, name: AccountLimitName): string {
  return getField(request, accountLimits[name].field).trim()
}

function formatLimit({ limits = {} }: Account, name: AccountLimitName): string {
  const { [name]: max } = limits
  return max === undefined ? '' : String(max)
}

function getVersion(account: Account): string {
  return createVersion(accountLimitNames.map(name => formatLimit(account, name)))
}

/** With errors, the fields have what was sent. */
function showLimitsForm(request: PageRequest, account: Account, errors?: FieldErrors): PageResult {
  const path = getAccountPath(account)
  const body = (
    <EditCard
      request={request}
      errors={errors}
      label="Limits"
      path={`${path}/limits`}
      version={getVersion(account)}
      back={{ path, label: 'Cancel' }}
    >
      {accountLimitNames.map(name => (
        <TextField
          label={accountLimits[name].label}
          name={accountLimits[name].field}
          value={errors === undefined ? formatLimit(account, name) : getText(request, name)}
          inputmode="numeric"
          maxlength={9}
          hint={describeHint(name)}
          error={errors?.[accountLimits[name].field]}
        />
      ))}
    </EditCard>
  )
  const hasErrors = errors !== undefined && Object.keys(errors).length > 0
  return showPage({
    title: `Limits of ${account.email}`,
    current: accountsPath,
    parent: { path, label: account.email },
    lead: 'An empty field means the default. What the account already has stays.',
    body,
    status: hasErrors ? 400 : 200,
  })
}
