import { limits } from '../../domain/limits.js'
import { isRelayError, RelayError } from '../../errors.js'
import type { HttpRequest } from '../../net/server/http-request.js'
import type { HttpResponse } from '../../net/server/http-response.js'
import { readFields } from '../http/request-body.js'
import type { PublicRoutes } from '../http/route.js'
import type { StartedSession } from '../services/accounts/session-token.js'
import { Button, Form } from './components/form.js'
import { TextField } from './components/form-fields.js'
import { type Html, h } from './components/html.js'
import { Notice } from './components/notice.js'
import { announceInput, moveInput } from './forms/kept-input.js'
import { setFlash } from './page/flash.js'
import { getField } from './page/page.js'
import type { PageSender } from './page/page-sender.js'
import { checkOrigin } from './session/csrf.js'
import { toLocalPath } from './session/redirect-path.js'
import { getSessionToken, startSession } from './session/session.js'

/** The sign-in page, the only one of the dashboard that needs no session. */
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
        await signIn(sender, request, response)
        return undefined
      },
    },
  }
}

async function signIn(
  sender: PageSender,
  request: HttpRequest,
  response: HttpResponse,
): Promise<void> {
  checkOrigin(request, sender.context.getBaseUrl(request))
  const fields = await readFields(request, limits.openBody)
  const email = getField({ fields }, 'email')
  const next = toLocalPath(fields.next)
  try {
    const issued = await createSession(sender, request, email, getField({ fields }, 'password'))
    const to = await replaceSession(sender, request, response, issued)
    await sender.send(request, response, { seeOther: to ?? next })
  } catch (error) {
    const failure = toSignInFailure(error)
    if (failure.retryAfter !== undefined)
      response.setHeader('Retry-After', Math.ceil(failure.retryAfter))
    await sender.send(request, response, showSignInPage({ ...failure, email, next }))
  }
}

/**
 * Starts a session and ends the previous one: an attacker may have planted its cookie (session
 * fixation). Resolves to the page with the input that the account had not sent, if it had some.
 */
async function replaceSession(
  { context }: PageSender,
  request: HttpRequest,
  response: HttpResponse,
  issued: StartedSession,
): Promise<string | undefined> {
  const secure = context.isSecure(request)
  const previous = getSessionToken(request, secure)
  const page = previous && (await moveInput(context, previous, issued))
  if (previous !== undefined) await context.tokens.revoke(previous)
  await startSession(context, request, response, issued.token)
  if (page === undefined || page === '') return undefined
  announceInput(response, secure)
  setFlash(response, { kind: 'failed', text: notSentText }, issued.token, secure)
  return page
}

const notSentText = 'Your session had ended, so nothing was sent. Check the input and send it.'

async function createSession(
  { context }: PageSender,
  request: HttpRequest,
  email: string,
  password: string,
): Promise<StartedSession> {
  const address = context.getClientAddress(request)
  const client = { address, name: email, kind: 'password' } as const
  return await context.signInThrottle.attempt(client, async () => {
    // A secret key in the dashboard's sign-in form would give a token of another kind.
    if (!email.includes('@'))
      throw new RelayError('invalid_client', 'The user name is not an e-mail address.')
    return await context.tokens.startSession(email, password)
  })
}

interface SignInFailure {
  readonly status: number
  readonly error: string
  readonly retryAfter?: number | undefined
}

/** Shows a failed sign-in on the dashboard; rethrows errors that sign-in does not cause. */
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
