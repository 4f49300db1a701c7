import { isRelayError } from '../../../errors.js'
import type { HttpRequest } from '../../../net/server/http-request.js'
import type { HttpResponse } from '../../../net/server/http-response.js'
import type { BodyFields } from '../../http/request-body.js'
import { createAuditOrigin, type ServerContext } from '../../http/server-context.js'
import type { Signer } from '../../services/accounts/signer.js'
import type { PageResult } from '../page/page.js'
import type { PageSender } from '../page/page-sender.js'
import { describeClient, getSessionToken } from '../session/session.js'

/**
 * Runs a step of a sign-in once: the same form sent again, by a double click, gets the session and
 * the page of the first, unless that session has ended.
 */
export async function signInOnce(
  { context, forms }: PageSender,
  request: HttpRequest,
  fields: BodyFields,
  step: () => Promise<PageResult>,
): Promise<PageResult> {
  const sent = { path: request.path, address: context.getClientAddress(request) }
  const first = await forms.runOpenOnce(sent, fields, step)
  return (await hasEnded(context, getStartedSession(first))) ? await step() : first
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

export function getStartedSession(result: PageResult): string | undefined {
  return result !== undefined && 'seeOther' in result ? result.session : undefined
}

/**
 * Starts a session of somebody whose password and second factor are right, and ends the previous
 * one of the browser: an attacker may have planted its cookie (session fixation). Throws
 * `invalid_client` if the password was changed meanwhile.
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
  const { token } = await context.audit.actFor(
    origin,
    async () => await context.tokens.startSession(signer, client),
  )
  const previous = getSessionToken(request, context.isSecure(request))
  if (previous !== undefined) await context.tokens.revoke(previous)
  return { seeOther: next, session: token }
}
