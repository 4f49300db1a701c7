import { isRelayError } from '../../../errors.js'
import type { ServerContext } from '../../http/server-context.js'
import { Button, Form } from '../components/form.js'
import { TextField } from '../components/form-fields.js'
import { h } from '../components/html.js'
import { PasswordField } from '../components/password-field.js'
import { type ConfirmationContext, confirmPassword } from '../page/confirm-password.js'
import { setFlash } from '../page/flash.js'
import { getField, type PageRequest, type PageResult, type Pages, showPage } from '../page/page.js'
import { setSessionCookie } from '../session/session.js'
import { formatFormError } from './account-form.js'
import { settingsPath } from './settings-page.js'

const path = '/settings/password'

type Context = ConfirmationContext & Pick<ServerContext, 'accounts' | 'isSecure'>

/** Another password: it ends every session but the one that goes on here. */
export function createPasswordPages(parts: Context): Pages {
  return {
    [path]: {
      GET: async visit => showPasswordPage(visit),
      POST: async visit => await changePassword(parts, visit),
    },
  }
}

async function changePassword(parts: Context, visit: PageRequest): Promise<PageResult> {
  const wanted = getField(visit, 'new_password')
  if (wanted !== getField(visit, 'repeated'))
    return showPasswordPage(visit, { repeated: 'It is not the same as the new password.' }, 400)
  const refused = await confirmPassword(parts, visit)
  if (refused !== undefined)
    return showPasswordPage(visit, { password: refused.error }, refused.status)
  try {
    await parts.accounts.setPassword(visit.account.email, wanted)
  } catch (error) {
    if (!isRelayError(error, 'invalid_parameter')) throw error
    return showPasswordPage(visit, { new_password: formatFormError(error) }, 400)
  }
  return await renewSession(parts, visit, wanted)
}

/** The session ended with the others; a new one takes its place in this browser. */
async function renewSession(
  parts: Context,
  visit: PageRequest,
  password: string,
): Promise<PageResult> {
  const { account, request, response } = visit
  const { token } = await parts.tokens.issue(account.email, password)
  const secure = parts.isSecure(request)
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
