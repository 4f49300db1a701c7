import { isRelayError } from '../../../errors.js'
import type { HttpRequest } from '../../../net/server/http-request.js'
import type { HttpResponse } from '../../../net/server/http-response.js'
import type { BodyFields } from '../../http/request-body.js'
import { auditContext, createAuditOrigin, type ServerContext } from '../../http/server-context.js'
import type { StartedSession } from '../../services/accounts/session-token.js'
import type { Signer } from '../../services/accounts/signer.js'
import { runOpenFormOnce } from '../forms/form-guard.js'
import { announceInput, moveInput } from '../forms/kept-input.js'
import type { PageResult } from '../page/page.js'
import { describeClient, getSessionToken } from '../session/session.js'

/**
 * Runs a step of a sign-in once: the same form sent again, by a double click, gets the session and
 * the page of the first, unless that session has ended.
 */
export async function signInOnce(
  context: ServerContext,
  request: HttpRequest,
  response: HttpResponse,
  fields: BodyFields,
  step: () => Promise<PageResult>,
): Promise<PageResult> {
  const first = await runOpenFormOnce(context, request.path, fields, step)
  const result = (await hasEnded(context, getStartedSession(first))) ? await step() : first
  if (result !== undefined && 'seeOther' in result && result.flash !== undefined)
    announceInput(response, context.isSecure(request))
  return result
}

async function hasEnded(
  { tokens }: Pick<ServerContext, 'tokens'>,
  token: string | undefined,
): Promise<boolean> {
  if (token === undefined) return false
  try {
    await tokens.getSessionCaller(token)
    return false
  } catch (error) {
    if (isRelayError(error, 'invalid_token')) return true
    throw error
  }
}

/** The token of the session that a step of a sign-in has started. */
export function getStartedSession(result: PageResult): string | undefined {
  return result !== undefined && 'seeOther' in result ? result.session : undefined
}

/**
 * Starts a session of somebody whose password and second factor are right, and ends the previous
 * one of the browser. Leads to the page with the input that the person had not sent, or else to
 * `next`. Throws `invalid_client` if the password was changed meanwhile.
 */
export async function finishSignIn(
  context: ServerContext,
  request: HttpRequest,
  response: HttpResponse,
  signer: Signer,
  next: string,
): Promise<PageResult> {
  const client = describeClient(context, request)
  const origin = createAuditOrigin(context, request, response, { kind: 'person' })
  const { tokens } = auditContext(context, origin)
  const started = await tokens.startSession(signer, client)
  return await replaceSession(context, request, started, next)
}

/** An attacker may have planted the cookie of the previous session (session fixation). */
async function replaceSession(
  context: ServerContext,
  request: HttpRequest,
  started: StartedSession,
  next: string,
): Promise<PageResult> {
  const previous = getSessionToken(request, context.isSecure(request))
  const page = previous && (await moveInput(context, previous, started, next))
  if (previous !== undefined) await context.tokens.revoke(previous)
  const session = started.token
  if (page === undefined || page === '') return { seeOther: next, session }
  return { seeOther: page, session, flash: { kind: 'failed', text: notSentText } }
}

const notSentText = 'Your session had ended, so nothing was sent. Check the input and send it.'
