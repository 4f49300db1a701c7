import { isRelayError } from '../../../errors.js'
import type { ServerContext } from '../../http/server-context.js'
import { Button, Form } from '../components/form.js'
import { TextField } from '../components/form-fields.js'
import { h } from '../components/html.js'
import { PasswordField } from '../components/password-field.js'
import { setFlash } from '../page/flash.js'
import { getField, type PageRequest, type PageResult, type Pages, showPage } from '../page/page.js'
import { type ConfirmationContext, confirmPassword } from '../page/page-guards.js'
import { setSessionCookie } from '../session/session.js'
import { formatFormError } from './account-form.js'
import { settingsPath } from './settings-page.js'

const path = '/settings/password'

type Context = ConfirmationContext & Pick<ServerContext, 'accounts' | 'isSecure'>

/** Another password: it ends every session but the one that goes on here. */
export function createPasswordPages(context: Context): Pages {
  return {
    [path]: {
      GET: async request => showPasswordPage(request),
      POST: async request => await changePassword(context, request),
    },
  }
}

async function changePassword(context: Context, request: PageRequest): Promise<PageResult> {
  const wanted = getField(request, 'new_password')
  if (wanted !== getField(request, 'repeated'))
    return showPasswordPage(request, { repeated: 'It is not the same as the new password.' }, 400)
  const refused = await confirmPassword(context, request)
  if (refused !== undefined)
    return showPasswordPage(request, { password: refused.error }, refused.status)
  try {
    await context.accounts.setPassword(request.account.email, wanted)
  } catch (error) {
    if (!isRelayError(error, 'invalid_parameter')) throw error
    return showPasswordPage(request, { new_password: formatFormError(error) }, 400)
  }
  return await renewSession(context, request, wanted)
}

/** The session ended with the others; a new one takes its place in this browser. */
async function renewSession(
  context: Context,
  request: PageRequest,
  password: string,
): Promise<PageResult> {
  const { account, http, response } = request
  const { token } = await context.tokens.issue(account.email, password)
  const secure = context.isSecure(http)
  setSessionCookie(response, token, secure)
  const text = 'The password is changed, and every other session has ended.'
  setFlash(response, { kind: 'done', text }, token, secure)
  return { seeOther: settingsPath }
}

interface PasswordFormErrors {
  readonly password?: string
  readonly new_password?: string
  readonly repeated?: string
}

function showPasswordPage(
  { csrf }: PageRequest,
  errors: PasswordFormErrors = {},
  status = 200,
): PageResult {
  const fresh = { type: 'password', autocomplete: 'new-password', required: true } as const
  const body = (
    <Form action={path} csrf={csrf} class="narrow">
      <PasswordField error={errors.password} />
      <TextField
        {...{ label: 'New password', name: 'new_password', ...fresh }}
        hint="At least 8 characters."
        error={errors.new_password}
      />
      <TextField
        {...{ label: 'New password once more', name: 'repeated', ...fresh }}
        error={errors.repeated}
      />
      <Button label="Change it" /> <a href={settingsPath}>Leave it as it is</a>
    </Form>
  )
  return showPage({ title: 'Change the password', current: settingsPath, body, status })
}
