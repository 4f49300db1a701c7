// Signing in:
// 1. sign-in-page: e-mail address and password
// 2. second-step-page: for a person with a second factor, a code or a passkey. A cookie has the
//    secret of this sign-in until then; nothing else of the dashboard accepts it.
// 3. finish-sign-in: a session, which replaces the previous one of the browser
import { RelayError } from '../../../errors.js'
import type { HttpRequest } from '../../../net/server/http-request.js'
import type { HttpResponse } from '../../../net/server/http-response.js'
import type { BodyFields } from '../../http/request-body.js'
import type { PublicRoutes } from '../../http/route.js'
import { createAuditOrigin, type ServerContext } from '../../http/server-context.js'
import { getSecondFactor } from '../../services/accounts/change-second-factor.js'
import type { Signer } from '../../services/accounts/signer.js'
import { Button, Form } from '../components/form.js'
import { TextField } from '../components/form-fields.js'
import { type Html, h } from '../components/html.js'
import { FormError, Notice } from '../components/notice.js'
import { createOpenFormHandler, type OpenFormFailure, takeFailure } from '../forms/open-form.js'
import { getField, type PageResult } from '../page/page.js'
import type { PageSender } from '../page/page-sender.js'
import { toLocalPath } from '../session/redirect-path.js'
import { finishSignIn, signInOnce } from './finish-sign-in.js'
import { beginSecondStep } from './second-step-page.js'

export function createSignInRoutes(sender: PageSender): PublicRoutes {
  const { context } = sender
  return {
    '/login': {
      GET: async (request, response) => {
        const failure = takeFailure(context, request, response, texts)
        const next = toLocalPath(new URLSearchParams(request.query).get('next'))
        const isSignedIn =
          failure === undefined && (await sender.findSession(request)) !== undefined
        const form = { failure, next }
        const result = isSignedIn ? { seeOther: next } : showSignInPage(form)
        await sender.send(request, response, result)
        return undefined
      },
      POST: createOpenFormHandler(sender, async (request, response, fields) =>
        signInOnce(sender, request, fields, async () => signIn(context, request, response, fields)),
      ),
    },
  }
}

const texts = {
  invalid_client:
    'The e-mail address or the password is wrong. If you forgot the password, ask an admin of ' +
    'your account or the owner of this relay for a new one.',
}

async function signIn(
  context: ServerContext,
  request: HttpRequest,
  response: HttpResponse,
  fields: BodyFields,
): Promise<PageResult> {
  const origin = createAuditOrigin(context, request, response, { kind: 'person' })
  const next = toLocalPath(fields.next)
  const [email, password] = [getField({ fields }, 'email'), getField({ fields }, 'password')]
  const signer = await context.audit.actFor(
    origin,
    async () => await checkPassword(context, request, email, password),
  )
  if (getSecondFactor(signer) !== undefined)
    return await beginSecondStep(context, request, response, signer, next)
  return await finishSignIn(context, request, response, signer, next)
}

async function checkPassword(
  context: ServerContext,
  request: HttpRequest,
  email: string,
  password: string,
): Promise<Signer> {
  const address = context.getClientAddress(request)
  const client = { address, name: email, kind: 'password' } as const
  return await context.signInThrottle.attempt(client, async () => {
    // Secret key and key in the dashboard's sign-in form are no e-mail address and password.
    if (!email.includes('@'))
      throw new RelayError('invalid_client', 'The user name is not an e-mail address.')
    return await context.tokens.checkPassword(email, password)
  })
}

interface SignInForm {
  readonly failure: OpenFormFailure | undefined
  readonly next: string
}

function showSignInPage(form: SignInForm): PageResult {
  const status = form.failure?.status ?? 200
  return { page: { title: 'Sign in', status, body: SignInBody(form) } }
}

function SignInBody({ failure, next }: SignInForm): Html {
  return (
    <Form action="/login" csrf={undefined} class="form">
      <FormError text={failure?.text} />
      <input type="hidden" name="next" value={next} />
      <TextField
        label="E-mail address"
        name="email"
        type="email"
        value={failure?.email}
        autocomplete="username"
        required
      />
      <TextField
        label="Password"
        name="password"
        type="password"
        autocomplete="current-password"
        required
      />
      <Button label="Sign in" />
    </Form>
  )
}
