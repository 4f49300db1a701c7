import type { ServerResponse } from 'node:http'
import { limits } from '../../domain/limits.js'
import { isRelayError, RelayError } from '../../errors.js'
import type { ArrivingRequest, NodeWay } from '../../net/server/routed-request.js'
import { readFields } from '../http/request-body.js'
import type { OpenRoutes } from '../http/route.js'
import { Button, Form } from './components/form.js'
import { TextField } from './components/form-fields.js'
import { type Html, h } from './components/html.js'
import { Notice } from './components/notice.js'
import { field } from './page/page.js'
import type { Desk } from './page/page-sender.js'
import { refuseOtherSites } from './session/csrf.js'
import { localPath } from './session/redirect-path.js'
import { keepSession, sessionToken } from './session/session.js'

/** Signing in: the one page for who has no session. */
export function signInRoutes(desk: Desk): OpenRoutes<NodeWay> {
  return {
    '/login': {
      GET: async (request, response) => {
        const next = localPath(request.query.next)
        const isIn = (await desk.session(request)) !== undefined
        await desk.send(request, response, isIn ? { seeOther: next } : formPage({ next }))
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
  desk: Desk,
  request: ArrivingRequest,
  response: ServerResponse,
): Promise<void> {
  refuseOtherSites(request, desk.parts.baseOf(request))
  const fields = await readFields(request, limits.openBody)
  const email = field({ fields }, 'email')
  const next = localPath(fields.next)
  try {
    const token = await issue(desk, request, email, field({ fields }, 'password'))
    const secure = desk.isSecure(request)
    // A session that was there before, of whoever put it there, ends with the new one.
    const former = sessionToken(request, secure)
    if (former !== undefined) await desk.parts.tokens.revoke(former)
    keepSession(response, token, secure)
    await desk.send(request, response, { seeOther: next })
  } catch (error) {
    const refused = refusal(error)
    if (refused.retryAfter !== undefined)
      response.setHeader('Retry-After', Math.ceil(refused.retryAfter))
    await desk.send(request, response, formPage({ ...refused, email, next }))
  }
}

async function issue(
  { parts }: Desk,
  request: ArrivingRequest,
  email: string,
  password: string,
): Promise<string> {
  const guesser = { address: parts.remoteOf(request), name: email }
  const issued = await parts.guard.attempt(guesser, async () => {
    // Without it this would be a secret key, and the token none of a login.
    if (!email.includes('@')) throw new RelayError('invalid_client', 'No e-mail address.')
    return await parts.tokens.issue(email, password)
  })
  return issued.token
}

interface Refused {
  readonly status: number
  readonly error: string
  readonly retryAfter?: number | undefined
}

/** What the form says of a sign-in that was refused. Throws what is not of the person's doing. */
function refusal(error: unknown): Refused {
  if (isRelayError(error, 'invalid_client'))
    return { status: 403, error: 'The e-mail address or the password is wrong.' }
  if (isRelayError(error, 'too_many_requests') || isRelayError(error, 'unavailable')) {
    const status = error.code === 'unavailable' ? 503 : 429
    return { status, error: error.message, retryAfter: error.retryAfter }
  }
  throw error
}

interface SignInForm extends Partial<Refused> {
  readonly email?: string
  readonly next: string
}

function formPage(form: SignInForm) {
  const { status = 200 } = form
  return { page: { title: 'Sign in', status, body: SignInBody(form) } }
}

function SignInBody({ error, email, next }: SignInForm): Html {
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
