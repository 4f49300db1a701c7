// Signing in:
// 1. sign-in-page: e-mail address and password
// 2. second-step-page: for a person with a second factor, a code or a passkey. A cookie has the
//    secret of this sign-in until then; nothing else of the dashboard accepts it.
// 3. finish-sign-in: a session, which replaces the previous one of the browser
import { limits } from '../../../domain/limits.js'
import { RelayError } from '../../../errors.js'
import type { HttpRequest } from '../../../net/server/http-request.js'
import type { HttpResponse } from '../../../net/server/http-response.js'
import { type BodyFields, readFields } from '../../http/request-body.js'
import type { PublicRoutes } from '../../http/route.js'
import { auditContext, createAuditOrigin, type ServerContext } from '../../http/server-context.js'
import { getSecondFactor } from '../../services/accounts/change-second-factor.js'
import type { Signer } from '../../services/accounts/signer.js'
import { Button, Form } from '../components/form.js'
import { TextField } from '../components/form-fields.js'
import { type Html, h } from '../components/html.js'
import { Notice } from '../components/notice.js'
import { getField, type PageResult } from '../page/page.js'
import type { PageSender } from '../page/page-sender.js'
import { checkOrigin } from '../session/csrf.js'
import { toLocalPath } from '../session/redirect-path.js'
import { finishSignIn, type SignInFailure, signInOnce, toSignInFailure } from './finish-sign-in.js'
import { beginSecondStep } from './second-step-page.js'

/** The sign-in page; it needs no session. */
export function createSignInRoutes(sender: PageSender): PublicRoutes {
  return {
    '/login': {
      GET: async (request, response) => {
        const next = toLocalPath(request.query.next)
        const isSignedIn = (await sender.findSession(request)) !== undefined
        await sender.send(
          request,
          response,
          isSignedIn
            ? { seeOther: next }
            : showSignInPage({ next, isKept: 'kept' in request.query }),
        )
        return undefined
      },
      POST: async (request, response) => {
        checkOrigin(request, sender.context.getBaseUrl(request))
        const fields = await readFields(request, limits.openBody)
        const result = await signInOnce(sender.context, request, response, fields, async () =>
          signIn(sender.context, request, response, fields),
        )
        await sender.send(request, response, result)
        return undefined
      },
    },
  }
}

async function signIn(
  context: ServerContext,
  request: HttpRequest,
  response: HttpResponse,
  fields: BodyFields,
): Promise<PageResult> {
  const origin = createAuditOrigin(context, request, response, { kind: 'person' })
  const acting = auditContext(context, origin)
  const email = getField({ fields }, 'email')
  const next = toLocalPath(fields.next)
  try {
    const signer = await checkPassword(acting, request, email, getField({ fields }, 'password'))
    if (getSecondFactor(signer) !== undefined)
      return await beginSecondStep(context, request, response, signer, next)
    return await finishSignIn(context, request, response, signer, next)
  } catch (error) {
    return showSignInPage({ ...toSignInFailure(error, response, wrongText), email, next })
  }
}

const wrongText = 'The e-mail address or the password is wrong.'

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

interface SignInFormInput extends Partial<SignInFailure> {
  readonly email?: string
  readonly next: string
  /** Whether input waits that was not sent. */
  readonly isKept?: boolean
}

function showSignInPage(form: SignInFormInput) {
  const { status = 200 } = form
  return { page: { title: 'Sign in', status, body: SignInBody(form) } }
}

const keptText =
  'Your session has ended. Sign in to see your input again; it is kept for 30 minutes.'

function SignInBody({ error, email, next, isKept = false }: SignInFormInput): Html {
  return (
    <Form action="/login" csrf={undefined} class="form">
      {error !== undefined && <Notice kind="failed">{error}</Notice>}
      {isKept && <Notice kind="done">{keptText}</Notice>}
      <input type="hidden" name="next" value={next} />
      <TextField
        label="E-mail address"
        name="email"
        type="email"
        value={email}
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
