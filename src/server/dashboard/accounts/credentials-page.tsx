import { isRelayError } from '../../../errors.js'
import type { ServerContext } from '../../http/server-context.js'
import { getSignerEmail } from '../../services/accounts/signer.js'
import { Card } from '../components/card.js'
import { type ConfirmationErrors, ConfirmationFields } from '../components/confirmation-fields.js'
import { Actions, Button, ButtonLink, Form } from '../components/form.js'
import { TextField } from '../components/form-fields.js'
import { h } from '../components/html.js'
import { formatFormError, toFieldErrors } from '../page/field-errors.js'
import {
  getField,
  type PageRequest,
  type PageResult,
  type Pages,
  redirectWithSuccess,
  showPage,
} from '../page/page.js'
import { type ConfirmationContext, confirmIdentity } from '../page/page-guards.js'
import { describeClient } from '../session/session.js'
import { settingsPath } from './settings-page.js'

const emailPath = `${settingsPath}/email`
const passwordPath = `${settingsPath}/password`

const parent = { path: settingsPath, label: 'Settings' }

type Context = ConfirmationContext & Pick<ServerContext, 'people'>

export function createCredentialPages(context: Context): Pages {
  return {
    [emailPath]: {
      GET: async request => showEmailPage(request, getSignerEmail(request.caller)),
      POST: async request => await changeEmail(context, request),
    },
    [passwordPath]: {
      GET: async request => showPasswordPage(request),
      POST: async request => await changePassword(context, request),
    },
  }
}

async function changeEmail(context: Context, request: PageRequest): Promise<PageResult> {
  const email = getField(request, 'email').trim()
  const failure = await confirmIdentity(context, request)
  if (failure !== undefined) return showEmailPage(request, email, failure.errors, failure.status)
  try {
    const changed = await context.people.changeEmail(request.caller, email)
    return redirectWithSuccess(settingsPath, `You now sign in as ${changed}.`)
  } catch (error) {
    if (!isRelayError(error, 'invalid_parameter')) throw error
    return showEmailPage(request, email, toFieldErrors(error), 400)
  }
}

interface EmailFormErrors extends ConfirmationErrors {
  readonly email?: string
}

function showEmailPage(
  { csrf, secondFactor }: PageRequest,
  email: string,
  errors: EmailFormErrors = {},
  status = 200,
): PageResult {
  const body = (
    <Card label="E-mail address">
      <Form action={emailPath} csrf={csrf}>
        <TextField
          label="E-mail address"
          name="email"
          type="email"
          value={email}
          autocomplete="username"
          required
          hint="You sign in with it. No e-mail is sent to it."
          error={errors.email}
        />
        <ConfirmationFields secondFactor={secondFactor} errors={errors} />
        <Actions>
          <Button label="Change" />
          <ButtonLink href={settingsPath} label="Cancel" variant="bare" />
        </Actions>
      </Form>
    </Card>
  )
  const title = 'Change the e-mail address'
  return showPage({ title, current: settingsPath, parent, body, status })
}

/** The new password ends every session of the dashboard, so this browser gets a new one. */
async function changePassword(context: Context, request: PageRequest): Promise<PageResult> {
  const password = getField(request, 'new_password')
  if (password !== getField(request, 'repeated'))
    return showPasswordPage(request, { repeated: 'It does not match the new password.' }, 400)
  const failure = await confirmIdentity(context, request)
  if (failure !== undefined) return showPasswordPage(request, failure.errors, failure.status)
  try {
    await context.people.setPassword(request.caller, password)
  } catch (error) {
    if (!isRelayError(error, 'invalid_parameter')) throw error
    return showPasswordPage(request, { new_password: formatFormError(error) }, 400)
  }
  return await startNewSession(context, request, password)
}

async function startNewSession(
  context: Context,
  { caller, http }: PageRequest,
  password: string,
): Promise<PageResult> {
  const signer = await context.tokens.checkPassword(getSignerEmail(caller), password)
  const { token } = await context.tokens.startSession(signer, describeClient(context, http))
  const text = 'The password is changed, and every other session has ended.'
  return { seeOther: settingsPath, flash: { kind: 'done', text }, session: token }
}

interface PasswordFormErrors extends ConfirmationErrors {
  readonly new_password?: string
  readonly repeated?: string
}

function showPasswordPage(
  { csrf, secondFactor }: PageRequest,
  errors: PasswordFormErrors = {},
  status = 200,
): PageResult {
  const newPassword = { type: 'password', autocomplete: 'new-password', required: true } as const
  const body = (
    <Card label="Password">
      <Form action={passwordPath} csrf={csrf}>
        <TextField
          label="New password"
          name="new_password"
          {...newPassword}
          hint="At least 8 characters, and not one of the 10,000 most common leaked passwords."
          error={errors.new_password}
        />
        <TextField
          label="Repeat the new password"
          name="repeated"
          {...newPassword}
          error={errors.repeated}
        />
        <ConfirmationFields secondFactor={secondFactor} errors={errors} />
        <Actions>
          <Button label="Change" />
          <ButtonLink href={settingsPath} label="Cancel" variant="bare" />
        </Actions>
      </Form>
    </Card>
  )
  const title = 'Change the password'
  return showPage({ title, current: settingsPath, parent, body, status })
}
