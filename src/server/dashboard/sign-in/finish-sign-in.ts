import { isRelayError } from '../../../errors.js'
import type { HttpRequest } from '../../../net/server/http-request.js'
import type { HttpResponse } from '../../../net/server/http-response.js'
import { auditContext, createAuditOrigin, type ServerContext } from '../../http/server-context.js'
import type { StartedSession } from '../../services/accounts/session-token.js'
import type { Signer } from '../../services/accounts/signer.js'
import { announceInput, moveInput } from '../forms/kept-input.js'
import { setFlash } from '../page/flash.js'
import { describeClient, getSessionToken, startSession } from '../session/session.js'

/**
 * Starts a session of somebody whose password and second factor are right, and ends the previous
 * one of the browser. Resolves to the page with the input that the person had not sent, if there is
 * some. Throws `invalid_client` if the password was changed meanwhile.
 */
export async function finishSignIn(
  context: ServerContext,
  request: HttpRequest,
  response: HttpResponse,
  signer: Signer,
): Promise<string | undefined> {
  const client = describeClient(context, request)
  const origin = createAuditOrigin(context, request, response, { kind: 'person' })
  const { tokens } = auditContext(context, origin)
  const started = await tokens.startSession(signer, client)
  return await replaceSession(context, request, response, started)
}

/** An attacker may have planted the cookie of the previous session (session fixation). */
async function replaceSession(
  context: ServerContext,
  request: HttpRequest,
  response: HttpResponse,
  started: StartedSession,
): Promise<string | undefined> {
  const secure = context.isSecure(request)
  const previous = getSessionToken(request, secure)
  const page = previous && (await moveInput(context, previous, started))
  if (previous !== undefined) await context.tokens.revoke(previous)
  await startSession(context, request, response, started.token)
  if (page === undefined || page === '') return undefined
  announceInput(response, secure)
  setFlash(response, { kind: 'failed', text: notSentText }, started.token, secure)
  return page
}

const notSentText = 'Your session had ended, so nothing was sent. Check the input and send it.'

/** Why a step of a sign-in failed. */
export interface SignInFailure {
  readonly status: number
  readonly error: string
}

/**
 * Shows why a step of a sign-in failed; rethrows errors that sign-in does not cause.
 * @param wrong the sentence for wrong credentials
 */
export function toSignInFailure(
  error: unknown,
  response: HttpResponse,
  wrong: string,
): SignInFailure {
  if (isRelayError(error, 'invalid_client')) return { status: 403, error: wrong }
  if (!isRelayError(error, 'too_many_requests') && !isRelayError(error, 'unavailable')) throw error
  if (error.retryAfter !== undefined) response.setHeader('Retry-After', Math.ceil(error.retryAfter))
  return { status: error.code === 'unavailable' ? 503 : 429, error: error.message }
}
