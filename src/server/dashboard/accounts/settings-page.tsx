import type { Account } from '../../../domain/account/account.js'
import { listTimeZones } from '../../../domain/time/zoned-time.js'
import { isRelayError } from '../../../errors.js'
import type { ServerContext } from '../../http/server-context.js'
import { getSignerEmail } from '../../services/accounts/signer.js'
import type { Caller } from '../../services/accounts/token-service.js'
import type { AccountLimitUses } from '../../services/limits/account-limit-service.js'
import { Card, CardBody } from '../components/card.js'
import { Actions, Button, Form } from '../components/form.js'
import { Checkbox, Select, TextArea, TextField } from '../components/form-fields.js'
import { Fragment, type Html, h } from '../components/html.js'
import { Facts } from '../components/table.js'
import { Time } from '../components/time.js'
import { checkVersion, createVersion, showChanged, VersionField } from '../forms/edit-conflict.js'
import { type FieldErrors, toFieldErrors } from '../page/field-errors.js'
import {
  getField,
  type PageRequest,
  type PageResult,
  type Pages,
  redirectWithSuccess,
  showPage,
} from '../page/page.js'
import { readTheme, setTheme } from '../session/theme.js'
import { AccountFields, type AccountFormInput, parseDeliveryMode } from './account-form.js'
import { LimitsCard } from './limits-page.js'
import { ThemeCard } from './theme-card.js'

export const settingsPath = '/settings'

const replyHint = 'A text for senders of these keywords, at most 1,600 characters.'

interface SettingsForm extends AccountFormInput {
  readonly timeZone?: string
  readonly helpText?: string
  readonly stopText?: string
  readonly alerts?: string
  readonly receivedMail?: string
  readonly fewerParts?: boolean
}

type Context = Pick<ServerContext, 'accounts' | 'accountLimits'>

export function createSettingsPages(context: Context): Pages {
  return {
    [settingsPath]: {
      GET: async request => await showSettingsPage(request, context, request.account),
      POST: async request => await changeSettings(request, context),
    },
    '/settings/theme': {
      POST: async ({ fields, response }) => {
        setTheme(response, getField({ fields }, 'theme'))
        return redirectWithSuccess(settingsPath, 'The theme of this browser is changed.')
      },
    },
  }
}

async function changeSettings(request: PageRequest, context: Context): Promise<PageResult> {
  const { accounts } = context
  const form = {
    country: getField(request, 'country').trim(),
    mode: getField(request, 'mode'),
    ...('time_zone' in request.fields ? { timeZone: getField(request, 'time_zone') } : {}),
    ...getReplyTexts(request),
    ...('alerts' in request.fields ? readDelivery(request) : {}),
  }
  try {
    const changes = { ...form, mode: parseDeliveryMode(request) }
    await accounts.change(request.account.email, changes, current =>
      checkVersion(request, getVersion(current)),
    )
    return redirectWithSuccess(settingsPath, 'The settings are changed.')
  } catch (error) {
    if (isRelayError(error, 'precondition_failed'))
      return await showChanged(
        request,
        'The settings have been changed in the meantime.',
        async fresh => {
          const account = await accounts.getById(request.account.id)
          return await showSettingsPage({ ...fresh, account }, context, account)
        },
      )
    return await showSettingsPage(request, context, form, toFieldErrors(error))
  }
}

function getVersion(account: Account): string {
  const { country, mode, timeZone = '', helpText = '', stopText = '', alerts = '' } = account
  const { receivedMail = '', fewerParts = false } = account
  const mail = [alerts, receivedMail, String(fewerParts)]
  return createVersion([country, mode, timeZone, helpText, stopText, ...mail])
}

/** The fields below those of automatic replies; a checkbox that is off is not in the form. */
function readDelivery(
  request: PageRequest,
): Pick<SettingsForm, 'alerts' | 'receivedMail' | 'fewerParts'> {
  return {
    alerts: getField(request, 'alerts').trim(),
    receivedMail: getField(request, 'received_mail').trim(),
    fewerParts: getField(request, 'fewer_parts') !== '',
  }
}

/** The texts of automatic replies, as far as the form has them. */
function getReplyTexts(request: PageRequest): Pick<SettingsForm, 'helpText' | 'stopText'> {
  const read = (name: string) => getField(request, name).replaceAll('\r\n', '\n')
  return {
    ...('help_text' in request.fields ? { helpText: read('help_text') } : {}),
    ...('stop_text' in request.fields ? { stopText: read('stop_text') } : {}),
  }
}

async function showSettingsPage(
  request: PageRequest,
  { accountLimits }: Context,
  form: SettingsForm,
  errors?: FieldErrors,
): Promise<PageResult> {
  const uses = await accountLimits.read(request.account)
  const body = <Settings request={request} form={form} uses={uses} errors={errors} />
  const status = errors === undefined ? 200 : 400
  return showPage({ title: 'Settings', current: settingsPath, body, status })
}

function TextFields({ form, errors }: Pick<SettingsProps, 'form' | 'errors'>): Html {
  return (
    <>
      <Select
        label="Time zone"
        name="time_zone"
        value={form.timeZone ?? ''}
        error={errors?.time_zone}
        options={[['', 'The time zone of each browser'], ...listTimeZones()]}
        hint="Pages show times, days and hours in this zone, with UTC next to them."
      />
      <TextArea
        label="Answer to HELP and INFO"
        name="help_text"
        value={form.helpText ?? ''}
        error={errors?.help_text}
        hint={`${replyHint} Empty: no answer.`}
      />
      <TextArea
        label="Confirmation of STOP"
        name="stop_text"
        value={form.stopText ?? ''}
        error={errors?.stop_text}
        hint={`${replyHint} Empty: no confirmation.`}
      />
      <TextField
        label="Alerts by e-mail"
        name="alerts"
        type="email"
        value={form.alerts ?? ''}
        error={errors?.alerts}
        hint="Paused subscriptions are reported here if the relay can send mail. Empty: none."
      />
      <TextField
        label="Received texts by e-mail"
        name="received_mail"
        type="email"
        value={form.receivedMail ?? ''}
        error={errors?.received_mail}
        hint="At most one mail in ten minutes, with all texts since the last one. Empty: none."
      />
      <Checkbox
        label="Fewer parts: plain quotes, dashes and spaces if the text is then in the GSM alphabet"
        name="fewer_parts"
        checked={form.fewerParts ?? false}
      />
    </>
  )
}

interface SettingsProps {
  readonly request: PageRequest
  readonly form: SettingsForm
  readonly uses: AccountLimitUses
  readonly errors: FieldErrors | undefined
}

/** Only admins change the settings of the account. */
function Settings(props: SettingsProps): Html {
  const { request, uses } = props
  const { caller, csrf } = request
  const person = <PersonCard caller={caller} />
  const isAdmin = caller.role === 'admin'
  return (
    <div class="columns">
      <div>{isAdmin ? <AccountCard {...props} /> : person}</div>
      <div>
        {isAdmin && person}
        <LimitsCard uses={uses} />
        <ThemeCard theme={readTheme(request.http)} csrf={csrf} />
      </div>
    </div>
  )
}

function AccountCard({ request, form, errors }: Omit<SettingsProps, 'uses'>): Html {
  return (
    <Card title="Account">
      <Form action={settingsPath} csrf={request.csrf} errors={errors}>
        <VersionField request={request} current={getVersion(request.account)} />
        <AccountFields form={form} errors={errors} />
        <TextFields form={form} errors={errors} />
        <Actions>
          <Button label="Save" />
        </Actions>
      </Form>
    </Card>
  )
}

function PersonCard({ caller }: { readonly caller: Caller }): Html {
  const { account, role } = caller
  return (
    <Card title="You">
      <CardBody>
        <Facts
          items={[
            [
              'E-mail address',
              <>
                {getSignerEmail(caller)} <a href="/settings/email">Change</a>
              </>,
            ],
            ['Password', <a href="/settings/password">Change</a>],
            ['Second factor', <a href="/settings/security">Security and sessions</a>],
            ...(role === 'admin'
              ? [['Keys', <a href="/settings/keys">Show and replace</a>] as const]
              : []),
            ['Role', role],
            ['Created', <Time at={account.createdAt} />],
            ['ID', <code>{account.id}</code>],
          ]}
        />
      </CardBody>
    </Card>
  )
}
