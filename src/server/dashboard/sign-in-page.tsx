import type { ServerResponse } from 'node:http'
import { limits } from '../../domain/limits.js'
import { isRelayError, RelayError } from '../../errors.js'
import type { ArrivingRequest, NodeWay } from '../../net/server/routed-request.js'
import { readFields } from '../http/request-body.js'
import type { PublicRoutes } from '../http/route.js'
import { Button, Form } from './components/form.js'
import { TextField } from './components/form-fields.js'
import { type Html, h } from './components/html.js'
import { Notice } from './components/notice.js'
import { getField } from './page/page.js'
import type { PageSender } from './page/page-sender.js'
import { checkOrigin } from './session/csrf.js'
import { toLocalPath } from './session/redirect-path.js'
import { getSessionToken, setSessionCookie } from './session/session.js'

/** Signing in: the one page for who has no session. */
export function createSignInRoutes(desk: PageSender): PublicRoutes<NodeWay> {
  return {
    '/login': {
      GET: async (request, response) => {
        const next = toLocalPath(request.query.next)
        const isIn = (await desk.findSession(request)) !== undefined
        await desk.send(request, response, isIn ? { seeOther: next } : showSignInPage({ next }))
        return undefined
      },
      POST: async (request, response) => {
        await signIn(desk, request, response)
        return undefined
      },
    },
  }
}

async function signIn(
  desk: PageSender,
  request: ArrivingRequest,
  response: ServerResponse,
): Promise<void> {
  checkOrigin(request, desk.context.getBaseUrl(request))
  const fields = await readFields(request, limits.openBody)
  const email = getField({ fields }, 'email')
  const next = toLocalPath(fields.next)
  try {
    const token = await issueToken(desk, request, email, getField({ fields }, 'password'))
    const secure = desk.isSecure(request)
    // A session that was there before, of whoever put it there, ends with the new one.
    const former = getSessionToken(request, secure)
    if (former !== undefined) await desk.context.tokens.revoke(former)
    setSessionCookie(response, token, secure)
    await desk.send(request, response, { seeOther: next })
  } catch (error) {
    const refused = toSignInFailure(error)
    if (refused.retryAfter !== undefined)
      response.setHeader('Retry-After', Math.ceil(refused.retryAfter))
    await desk.send(request, response, showSignInPage({ ...refused, email, next }))
  }
}

async function issueToken(
  { context: parts }: PageSender,
  request: ArrivingRequest,
  email: string,
  password: string,
): Promise<string> {
  const guesser = { address: parts.getClientAddress(request), name: email }
  const issued = await parts.signInThrottle.attempt(guesser, async () => {
    // Without it this would be a secret key, and the token none of a login.
    if (!email.includes('@')) throw new RelayError('invalid_client', 'No e-mail address.')
    return await parts.tokens.issue(email, password)
  })
  return issued.token
}

interface SignInFailure {
  readonly status: number
  readonly error: string
  readonly retryAfter?: number | undefined
}

/** What the form says of a sign-in that was refused. Throws what is not of the person's doing. */
function toSignInFailure(error: unknown): SignInFailure {
  if (isRelayError(error, 'invalid_client'))
    return { status: 403, error: 'The e-mail address or the password is wrong.' }
  if (isRelayError(error, 'too_many_requests') || isRelayError(error, 'unavailable')) {
    const status = error.code === 'unavailable' ? 503 : 429
    return { status, error: error.message, retryAfter: error.retryAfter }
  }
  throw error
}

interface SignInFormInput extends Partial<SignInFailure> {
  readonly email?: string
  readonly next: string
}

function showSignInPage(form: SignInFormInput) {
  const { status = 200 } = form
  return { page: { title: 'Sign in', status, body: SignInBody(form) } }
}

function SignInBody({ error, email, next }: SignInFormInput): Html {
  return (
    <Form action="/login" csrf={undefined} class="sign-in">
      {error !== undefined && <Notice kind="failed">{error}</Notice>}
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
