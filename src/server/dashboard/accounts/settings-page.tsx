import type { Account } from '../../../domain/account/account.js'
import { isRelayError } from '../../../errors.js'
import type { ServerContext } from '../../http/server-context.js'
import type { AccountService } from '../../services/accounts/account-service.js'
import { getSignerEmail } from '../../services/accounts/signer.js'
import type { Caller } from '../../services/accounts/token-service.js'
import { Card, CardBody } from '../components/card.js'
import { ActionButton, Actions, Button, Form } from '../components/form.js'
import { TextArea, TextField } from '../components/form-fields.js'
import { Fragment, type Html, h } from '../components/html.js'
import { Notice } from '../components/notice.js'
import { Facts } from '../components/table.js'
import { Time } from '../components/time.js'
import {
  checkVersion,
  createVersion,
  showConflictPage,
  VersionField,
  wantsToEdit,
} from '../forms/edit-conflict.js'
import { formatFormError } from '../page/field-errors.js'
import {
  getField,
  type PageRequest,
  type PageResult,
  type Pages,
  redirectWithSuccess,
  showPage,
} from '../page/page.js'
import { clearSessionCookie } from '../session/session.js'
import { readTheme, setTheme } from '../session/theme.js'
import { AccountFields, type AccountFormInput, parseDeliveryMode } from './account-form.js'
import { ThemeCard } from './theme-card.js'

export const settingsPath = '/settings'

const replyHint = 'A text for senders of these keywords, at most 1,600 characters.'

interface SettingsForm extends AccountFormInput {
  readonly helpText?: string
  readonly stopText?: string
  readonly alerts?: string
}

type Context = Pick<ServerContext, 'accounts' | 'tokens' | 'isSecure'>

export function createSettingsPages({ accounts, tokens, isSecure }: Context): Pages {
  return {
    [settingsPath]: {
      GET: async request => showSettingsPage(request, request.account),
      POST: async request => await changeSettings(request, accounts),
    },
    '/settings/theme': {
      POST: async ({ fields, response }) => {
        setTheme(response, getField({ fields }, 'theme'))
        return redirectWithSuccess(settingsPath, 'The theme of this browser is changed.')
      },
    },
    '/settings/sessions/end': {
      POST: async ({ caller, http, response }) => {
        await tokens.endLogins(caller)
        clearSessionCookie(response, isSecure(http))
        return { seeOther: '/login' }
      },
    },
  }
}

async function changeSettings(request: PageRequest, accounts: AccountService): Promise<PageResult> {
  const form = {
    country: getField(request, 'country').trim(),
    mode: getField(request, 'mode'),
    ...getReplyTexts(request),
    ...('alerts' in request.fields ? { alerts: getField(request, 'alerts').trim() } : {}),
  }
  try {
    const changes = { ...form, mode: parseDeliveryMode(request) }
    if (wantsToEdit(request)) return showSettingsPage(request, form)
    await accounts.change(request.account.email, changes, current =>
      checkVersion(request, getVersion(current)),
    )
    return redirectWithSuccess(settingsPath, 'The settings are changed.')
  } catch (error) {
    if (isRelayError(error, 'precondition_failed'))
      return showConflict(request, await accounts.getById(request.account.id), form)
    if (!isRelayError(error, 'invalid_parameter')) throw error
    return showSettingsPage(request, form, formatFormError(error))
  }
}

/** The version of what the form edits. */
function getVersion(account: Account): string {
  const { country, mode, helpText = '', stopText = '', alerts = '' } = account
  return createVersion([country, mode, helpText, stopText, alerts])
}

function showConflict(request: PageRequest, account: Account, form: SettingsForm): PageResult {
  const mine = { ...account, ...form }
  return showConflictPage(request, {
    title: 'Settings',
    current: settingsPath,
    reason: 'The settings have been changed in the meantime.',
    rows: [
      ['Country', account.country, mine.country],
      ['Delivery mode', account.mode, mine.mode],
      ['Answer to HELP and INFO', account.helpText ?? '', mine.helpText ?? ''],
      ['Confirmation of STOP', account.stopText ?? '', mine.stopText ?? ''],
      ['Alerts by e-mail', account.alerts ?? '', mine.alerts ?? ''],
    ],
    version: getVersion(account),
    backPath: settingsPath,
  })
}

/** The texts of automatic replies, as far as the form has them. */
function getReplyTexts(request: PageRequest): Pick<SettingsForm, 'helpText' | 'stopText'> {
  const read = (name: string) => getField(request, name).replaceAll('\r\n', '\n')
  return {
    ...('help_text' in request.fields ? { helpText: read('help_text') } : {}),
    ...('stop_text' in request.fields ? { stopText: read('stop_text') } : {}),
  }
}

function showSettingsPage(request: PageRequest, form: SettingsForm, error?: string): PageResult {
  const body = <Settings request={request} form={form} error={error} />
  const status = error === undefined ? 200 : 400
  return showPage({ title: 'Settings', current: settingsPath, body, status })
}

function TextFields({ form }: { readonly form: SettingsForm }): Html {
  return (
    <>
      <TextArea
        label="Answer to HELP and INFO"
        name="help_text"
        value={form.helpText ?? ''}
        hint={`${replyHint} Empty: no answer.`}
      />
      <TextArea
        label="Confirmation of STOP"
        name="stop_text"
        value={form.stopText ?? ''}
        hint={`${replyHint} Empty: no confirmation.`}
      />
      <TextField
        label="Alerts by e-mail"
        name="alerts"
        type="email"
        value={form.alerts ?? ''}
        hint="Paused subscriptions are reported here if the relay can send mail. Empty: none."
      />
    </>
  )
}

interface SettingsProps {
  readonly request: PageRequest
  readonly form: SettingsForm
  readonly error: string | undefined
}

function Settings({ request, form, error }: SettingsProps): Html {
  const { account, csrf } = request
  return (
    <div class="columns">
      <div>
        <Card title="Account">
          <Form action={settingsPath} csrf={csrf}>
            {error !== undefined && <Notice kind="failed">{error}</Notice>}
            <VersionField request={request} current={getVersion(account)} />
            <AccountFields form={form} />
            <TextFields form={form} />
            <Actions>
              <Button label="Save" />
            </Actions>
          </Form>
        </Card>
      </div>
      <div>
        <PersonCard caller={request.caller} />
        <SessionsCard csrf={csrf} />
        <ThemeCard theme={readTheme(request.http)} csrf={csrf} />
      </div>
    </div>
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

function SessionsCard({ csrf }: { readonly csrf: string }): Html {
  return (
    <Card title="Sessions">
      <CardBody>
        <p>
          Ends every session of yours, this one too, and every User Login token of yours. Keys stay
          valid, and other people stay signed in.
        </p>
        <ActionButton
          action="/settings/sessions/end"
          csrf={csrf}
          label="Sign out everywhere"
          variant="danger"
        />
      </CardBody>
    </Card>
  )
}
