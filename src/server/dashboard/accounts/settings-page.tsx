import { isRelayError } from '../../../errors.js'
import type { AppParts } from '../../app.js'
import { ActionButton, Button, Form } from '../components/form.js'
import { Fragment, type Html, h } from '../components/html.js'
import { Notice } from '../components/notice.js'
import { Facts } from '../components/table.js'
import { Time } from '../components/time.js'
import { type Answer, done, field, type Pages, page, type Visit } from '../page/page.js'
import { dropSession } from '../session/session.js'
import { AccountFields, type AccountForm } from './account-fields.js'
import { modeOf, sentenceOf } from './account-form.js'

/** Where the settings are. */
export const settingsPath = '/settings'

type Parts = Pick<AppParts, 'accounts' | 'tokens' | 'isSecure'>

/** What an account is, and signing out everywhere. */
export function settingsPages({ accounts, tokens, isSecure }: Parts): Pages {
  return {
    [settingsPath]: {
      GET: async visit => settingsPage(visit, visit.account),
      POST: async visit => {
        const form = { country: field(visit, 'country').trim(), mode: field(visit, 'mode') }
        try {
          const changes = { country: form.country, mode: modeOf(visit) }
          await accounts.change(visit.account.email, changes)
          return done(settingsPath, 'The settings are changed.')
        } catch (error) {
          if (!isRelayError(error, 'invalid_parameter')) throw error
          return settingsPage(visit, form, sentenceOf(error))
        }
      },
    },
    '/settings/sessions/end': {
      POST: async ({ account, request, response }) => {
        await tokens.endLogins(account)
        dropSession(response, isSecure(request))
        return { seeOther: '/login' }
      },
    },
  }
}

function settingsPage(visit: Visit, form: AccountForm, error?: string): Answer {
  const body = <Settings visit={visit} form={form} error={error} />
  const status = error === undefined ? 200 : 400
  return page({ title: 'Settings', current: settingsPath, body, status })
}

interface SettingsProps {
  readonly visit: Visit
  readonly form: AccountForm
  readonly error: string | undefined
}

function Settings({ visit, form, error }: SettingsProps): Html {
  const { account, csrf } = visit
  return (
    <>
      <Facts
        items={[
          [
            'E-mail address',
            <>
              {account.email} <a href="/settings/email">Change it</a>
            </>,
          ],
          ['Password', <a href="/settings/password">Change it</a>],
          ['Keys', <a href="/settings/keys">Show and replace them</a>],
          ['Created', <Time at={account.createdAt} />],
          ['Identifier', <code>{account.id}</code>],
        ]}
      />
      <h2>Account</h2>
      <Form action={settingsPath} csrf={csrf} class="narrow">
        {error !== undefined && <Notice kind="failed">{error}</Notice>}
        <AccountFields form={form} />
        <Button label="Save" />
      </Form>
      <h2>Sessions</h2>
      <p>
        Ends every sign-in of this account, this one too, and every token of a login. Keys stay.
      </p>
      <ActionButton
        action="/settings/sessions/end"
        csrf={csrf}
        label="Sign out everywhere"
        look="danger"
      />
    </>
  )
}
