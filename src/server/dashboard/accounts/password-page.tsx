import { isRelayError } from '../../../errors.js'
import type { AppParts } from '../../app.js'
import { Button, Form } from '../components/form.js'
import { TextField } from '../components/form-fields.js'
import { h } from '../components/html.js'
import { PasswordField } from '../components/password-field.js'
import { type ConfirmationParts, unconfirmed } from '../page/confirm-password.js'
import { setFlash } from '../page/flash.js'
import { type Answer, field, type Pages, page, type Visit } from '../page/page.js'
import { keepSession } from '../session/session.js'
import { sentenceOf } from './account-form.js'
import { settingsPath } from './settings-page.js'

const path = '/settings/password'

type Parts = ConfirmationParts & Pick<AppParts, 'accounts' | 'isSecure'>

/** Another password: it ends every session but the one that goes on here. */
export function settingsPasswordPages(parts: Parts): Pages {
  return {
    [path]: {
      GET: async visit => passwordPage(visit),
      POST: async visit => await change(parts, visit),
    },
  }
}

async function change(parts: Parts, visit: Visit): Promise<Answer> {
  const wanted = field(visit, 'new_password')
  if (wanted !== field(visit, 'repeated'))
    return passwordPage(visit, { repeated: 'It is not the same as the new password.' }, 400)
  const refused = await unconfirmed(parts, visit)
  if (refused !== undefined) return passwordPage(visit, { password: refused.error }, refused.status)
  try {
    await parts.accounts.setPassword(visit.account.email, wanted)
  } catch (error) {
    if (!isRelayError(error, 'invalid_parameter')) throw error
    return passwordPage(visit, { new_password: sentenceOf(error) }, 400)
  }
  return await goOn(parts, visit, wanted)
}

/** The session ended with the others; a new one takes its place in this browser. */
async function goOn(parts: Parts, visit: Visit, password: string): Promise<Answer> {
  const { account, request, response } = visit
  const { token } = await parts.tokens.issue(account.email, password)
  const secure = parts.isSecure(request)
  keepSession(response, token, secure)
  const text = 'The password is changed, and every other session has ended.'
  setFlash(response, { kind: 'done', text }, token, secure)
  return { seeOther: settingsPath }
}

interface Errors {
  readonly password?: string
  readonly new_password?: string
  readonly repeated?: string
}

function passwordPage({ csrf }: Visit, errors: Errors = {}, status = 200): Answer {
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
  return page({ title: 'Change the password', current: settingsPath, body, status })
}
