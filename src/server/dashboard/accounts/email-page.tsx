import { isRelayError } from '../../../errors.js'
import type { ServerContext } from '../../http/server-context.js'
import { Button, Form } from '../components/form.js'
import { TextField } from '../components/form-fields.js'
import { h } from '../components/html.js'
import { PasswordField } from '../components/password-field.js'
import {
  getField,
  type PageRequest,
  type PageResult,
  type Pages,
  redirectWithSuccess,
  showPage,
} from '../page/page.js'
import { type ConfirmationContext, confirmPassword } from '../page/page-guards.js'
import { formatFormError } from './account-form.js'
import { settingsPath } from './settings-page.js'

const path = '/settings/email'

/** Signing in with another e-mail address. */
export function createEmailPages(
  context: ConfirmationContext & Pick<ServerContext, 'accounts'>,
): Pages {
  return {
    [path]: {
      GET: async request => showEmailPage(request, request.account.email),
      POST: async request => {
        const email = getField(request, 'email').trim()
        const refused = await confirmPassword(context, request)
        if (refused !== undefined)
          return showEmailPage(request, email, { password: refused.error }, refused.status)
        try {
          const { email: changed } = await context.accounts.change(request.account.email, { email })
          return redirectWithSuccess(settingsPath, `From now on you sign in as ${changed}.`)
        } catch (error) {
          if (!isRelayError(error, 'invalid_parameter')) throw error
          return showEmailPage(request, email, { email: formatFormError(error) }, 400)
        }
      },
    },
  }
}

interface EmailFormErrors {
  readonly email?: string
  readonly password?: string
}

function showEmailPage(
  { csrf }: PageRequest,
  email: string,
  errors: EmailFormErrors = {},
  status = 200,
): PageResult {
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
  return showPage({ title: 'Change the e-mail address', current: settingsPath, body, status })
}
