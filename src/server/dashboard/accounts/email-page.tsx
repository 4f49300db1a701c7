import { isRelayError } from '../../../errors.js'
import type { AppParts } from '../../app.js'
import { Button, Form } from '../components/form.js'
import { TextField } from '../components/form-fields.js'
import { h } from '../components/html.js'
import { PasswordField } from '../components/password-field.js'
import { type ConfirmationParts, unconfirmed } from '../page/confirm-password.js'
import { type Answer, done, field, type Pages, page, type Visit } from '../page/page.js'
import { sentenceOf } from './account-form.js'
import { settingsPath } from './settings-page.js'

const path = '/settings/email'

/** Signing in with another e-mail address. */
export function settingsEmailPages(parts: ConfirmationParts & Pick<AppParts, 'accounts'>): Pages {
  return {
    [path]: {
      GET: async visit => emailPage(visit, visit.account.email),
      POST: async visit => {
        const email = field(visit, 'email').trim()
        const refused = await unconfirmed(parts, visit)
        if (refused !== undefined)
          return emailPage(visit, email, { password: refused.error }, refused.status)
        try {
          const { email: changed } = await parts.accounts.change(visit.account.email, { email })
          return done(settingsPath, `From now on you sign in as ${changed}.`)
        } catch (error) {
          if (!isRelayError(error, 'invalid_parameter')) throw error
          return emailPage(visit, email, { email: sentenceOf(error) }, 400)
        }
      },
    },
  }
}

interface Errors {
  readonly email?: string
  readonly password?: string
}

function emailPage({ csrf }: Visit, email: string, errors: Errors = {}, status = 200): Answer {
  const body = (
    <Form action={path} csrf={csrf} class="narrow">
      <TextField
        label="E-mail address"
        name="email"
        type="email"
        value={email}
        autocomplete="username"
        required
        hint="What you sign in with. Nothing is sent to it."
        error={errors.email}
      />
      <PasswordField error={errors.password} />
      <Button label="Change it" /> <a href={settingsPath}>Leave it as it is</a>
    </Form>
  )
  return page({ title: 'Change the e-mail address', current: settingsPath, body, status })
}
