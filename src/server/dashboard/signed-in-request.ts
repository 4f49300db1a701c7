import { limits } from '../../domain/limits.js'
import type { HttpRequest } from '../../net/server/http-request.js'
import { removeBasePath } from '../http/base-address.js'
import { readFields } from '../http/request-body.js'
import type { PublicRouteHandler } from '../http/route.js'
import { createAuditOrigin, type ServerContext } from '../http/server-context.js'
import { toAuditActor } from '../services/audit/account-rules.js'
import { requireRole } from '../services/people/access.js'
import { buildSignInLink } from './forms/open-form.js'
import type { PageHandler, PageRequest, PageResult } from './page/page.js'
import type { PageSender } from './page/page-sender.js'
import { getPageRole } from './roles/page-roles.js'
import { checkCsrfToken, checkOrigin, createCsrfToken, isFromScript } from './session/csrf.js'
import { recordDownload } from './session/record-download.js'
import { toLocalPath } from './session/redirect-path.js'
import { askForSecondFactor } from './session/second-factor-check.js'
import type { Session } from './session/session.js'

/**
 * Calls a page's handler only with a dashboard session, and for POST only with a form of this
 * session, and once for each form.
 */
export function requireSession(sender: PageSender, handler: PageHandler): PublicRouteHandler {
  return async (request, response) => {
    const mark = sender.context.events.markChanges()
    sender.setHeaders(request, response)
    const isPost = request.method === 'POST'
    if (isPost) checkOrigin(request, sender.context.getBaseUrl(request))
    const session = await sender.findSession(request)
    if (session === undefined) {
      await sender.send(request, response, askToSignIn(request))
      return undefined
    }
    request.account = session.caller.account.id
    // The navigation of the page needs it; an error of the handler comes first.
    const isOwner = isPost ? undefined : sender.context.accounts.isOwner(session.caller.account)
    isOwner?.catch(() => {})
    const page: PageRequest = {
      ...{ http: request, response, fields: {}, now: sender.context.now(), mark },
      ...describeSession(sender.context, request, session),
      origin: createAuditOrigin(sender.context, request, response, toAuditActor(session.caller)),
    }
    const result = await (isPost ? runForm : readPage)(sender, page, handler)
    await sender.send(request, response, result, session, isOwner)
    return undefined
  }
}

function describeSession(context: ServerContext, request: HttpRequest, session: Session) {
  const { token, caller } = session
  return {
    ...{ caller, account: caller.account, session: token, csrf: createCsrfToken(token) },
    secondFactor: askForSecondFactor(context, request, caller, token),
  }
}

async function readPage(
  { context }: PageSender,
  page: PageRequest,
  handler: PageHandler,
): Promise<PageResult> {
  requireRole(page.caller, getPageRole(page.http.method ?? 'GET', page.http.path))
  await recordDownload(context, page)
  const result = await handler(page)
  if (result === undefined || !('page' in result)) return result
  return { page: { ...result.page, mark: page.mark } }
}

async function runForm(
  { context, forms }: PageSender,
  request: PageRequest,
  handler: PageHandler,
): Promise<PageResult> {
  const { http, caller, session, origin } = request
  // First: whom a form is not for, fills no memory with it.
  requireRole(caller, getPageRole('POST', http.path))
  const { maxBytes = limits.body, acceptsFiles = false } = handler
  const page = { ...request, fields: await readFields(http, maxBytes, acceptsFiles) }
  checkCsrfToken(http, page.fields, session)
  const act: PageHandler = async page =>
    await context.audit.actFor(origin, async () => await handler(page))
  // Scripts ask only for parts of pages, with the fields of a form that is not sent yet.
  return isFromScript(http) ? await act(page) : await forms.runOnce(page, act)
}

/** Leads a request without a session to the sign-in page, and then to its page or its form's. */
function askToSignIn(request: HttpRequest): PageResult {
  if (request.method !== 'POST') return { seeOther: buildSignInLink(toLocalPath(request.url)) }
  // A script asks for a part of a page that a person still fills in.
  const from = isFromScript(request) ? '' : (request.headers.referer ?? '')
  const { pathname, search } = URL.canParse(from) ? new URL(from) : { pathname: '/', search: '' }
  const path = removeBasePath(pathname + search, request.basePath)
  return { seeOther: buildSignInLink(toLocalPath(path)) }
}
