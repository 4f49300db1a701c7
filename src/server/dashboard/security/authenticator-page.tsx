import { isRelayError } from '../../../errors.js'
import type { ServerContext } from '../../http/server-context.js'
import { getSignerEmail } from '../../services/accounts/signer.js'
import { Card, CardBody } from '../components/card.js'
import { type ConfirmationErrors, ConfirmationFields } from '../components/confirmation-fields.js'
import { Actions, Button, ButtonLink, Form } from '../components/form.js'
import { TextField } from '../components/form-fields.js'
import { Fragment, type Html, h } from '../components/html.js'
import { Secret } from '../components/secret.js'
import { formatFormError } from '../page/field-errors.js'
import { getField, type PageRequest, type PageResult, type Pages, showPage } from '../page/page.js'
import { type ConfirmationContext, confirmIdentity } from '../page/page-guards.js'
import { QrCode } from './qr-code.js'
import { showRecoveryCodes } from './recovery-codes.js'
import { authenticatorPath, securityParent, securityPath } from './security-paths.js'

type Context = ConfirmationContext & Pick<ServerContext, 'sessions'>

/** Creates the page that sets up an authenticator app. The form has the new key until then. */
export function createAuthenticatorPages(context: Context): Pages {
  return {
    [authenticatorPath]: {
      GET: async request =>
        showSetUpPage(request, context.secondFactors.createTotpSecret(), {}, 200),
      POST: async request => await setUp(context, request),
    },
  }
}

async function setUp(context: Context, request: PageRequest): Promise<PageResult> {
  const secret = getField(request, 'secret')
  const failure = await confirmIdentity(context, request)
  if (failure !== undefined) return showSetUpPage(request, secret, failure.errors, failure.status)
  try {
    const { caller } = request
    const code = getField(request, 'app_code')
    const codes = await context.secondFactors.setUpTotp(caller, secret, code)
    // The other sessions were started with the password alone.
    if (codes.length > 0) await context.sessions.endOthers(caller)
    return showRecoveryCodes(codes, 'The authenticator app is set up')
  } catch (error) {
    if (!isRelayError(error, 'invalid_parameter')) throw error
    const text = formatFormError(error).replace(/^Code: /, '')
    return showSetUpPage(request, secret, { app: text }, 400)
  }
}

interface SetUpErrors extends ConfirmationErrors {
  readonly app?: string
}

function showSetUpPage(
  request: PageRequest,
  secret: string,
  errors: SetUpErrors,
  status: number,
): PageResult {
  const body = (
    <Card label="Authenticator app">
      <CardBody>
        <Key email={getSignerEmail(request.caller)} secret={secret} />
      </CardBody>
      <Form action={authenticatorPath} csrf={request.csrf}>
        <input type="hidden" name="secret" value={secret} />
        <TextField
          label="Code of the app"
          name="app_code"
          inputmode="numeric"
          autocomplete="one-time-code"
          maxlength={10}
          required
          hint="The 6 digits that the app now shows for smsrelay."
          error={errors.app}
        />
        <ConfirmationFields secondFactor={request.secondFactor} errors={errors} />
        <p class="quiet">Your other sessions end when the second factor is turned on.</p>
        <Actions>
          <Button label="Turn on" />
          <ButtonLink href={securityPath} label="Cancel" variant="bare" />
        </Actions>
      </Form>
    </Card>
  )
  const title = 'Set up an authenticator app'
  return showPage({ title, current: securityPath, parent: securityParent, body, status })
}

function Key({ email, secret }: { readonly email: string; readonly secret: string }): Html {
  return (
    <>
      <p>
        Scan this with an authenticator app, such as the one in your password manager. Without a
        camera, type the key into the app.
      </p>
      <QrCode text={buildKeyUri(email, secret)} label="QR code with the key for the app" />
      <Secret
        id="totp-key"
        label="Key"
        value={secret.toUpperCase().replace(/(.{4})(?=.)/g, '$1 ')}
      />
    </>
  )
}

/** What authenticator apps read from the QR code: the format of Google Authenticator. */
function buildKeyUri(email: string, secret: string): string {
  const name = `smsrelay:${encodeURIComponent(email)}`
  return `otpauth://totp/${name}?secret=${secret.toUpperCase()}&issuer=smsrelay`
}
