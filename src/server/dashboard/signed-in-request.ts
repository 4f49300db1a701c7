import { limits } from '../../domain/limits.js'
import { isRelayError } from '../../errors.js'
import type { HttpRequest } from '../../net/server/http-request.js'
import type { HttpResponse } from '../../net/server/http-response.js'
import { getErrorStatus } from '../http/http-errors.js'
import { readFields } from '../http/request-body.js'
import type { PublicRouteHandler } from '../http/route.js'
import { auditContext, createAuditOrigin, type ServerContext } from '../http/server-context.js'
import { toAuditActor } from '../services/audit/account-rules.js'
import { requireRole } from '../services/people/access.js'
import { keepPage, runFormOnce } from './forms/form-guard.js'
import {
  findInput,
  keepInput,
  keepShownInput,
  keepUnsentInput,
  removeInput,
} from './forms/kept-input.js'
import { buildSignInLink } from './forms/open-form.js'
import type { PageContent, PageHandler, PageRequest, PageResult } from './page/page.js'
import type { PageSender } from './page/page-sender.js'
import { getPageRole } from './roles/page-roles.js'
import {
  checkCsrfToken,
  checkOrigin,
  createCsrfToken,
  isFromPage,
  isFromScript,
} from './session/csrf.js'
import { recordDownload } from './session/record-download.js'
import { toLocalPath } from './session/redirect-path.js'
import { askForSecondFactor } from './session/second-factor-check.js'
import type { Session } from './session/session.js'

/** What handles a page's requests. */
export interface HandledPage {
  readonly handler: PageHandler
  /** Whether the path of a form is also that of a page. @default false */
  readonly hasPage?: boolean
  /** Creates the handler of a form whose changes the audit log has. @default the handler */
  readonly createHandler?: (context: ServerContext) => PageHandler | undefined
}

/**
 * Calls a page's handler only with a dashboard session, and for POST only with a form of this
 * session, and once for each form. Every POST is answered with a redirect, so that a reload sends
 * nothing; except for one of another site, one of a script, and one while the store is unavailable.
 */
export function requireSession(sender: PageSender, form: HandledPage): PublicRouteHandler {
  return async (request, response) => {
    const mark = sender.context.events.markChanges()
    sender.setHeaders(request, response)
    const isPost = request.method === 'POST'
    if (isPost) checkOrigin(request, sender.context.getBaseUrl(request))
    const session = await sender.findSession(request)
    if (session === undefined) {
      await sender.send(request, response, await askToSignIn(sender, request, form))
      return undefined
    }
    // The navigation of the page needs it; an error of the handler comes first.
    const isOwner = isPost ? undefined : sender.context.accounts.isOwner(session.caller.account)
    isOwner?.catch(() => {})
    const page: PageRequest = {
      ...{ http: request, response, fields: {}, now: sender.context.now(), mark },
      ...describeSession(sender.context, request, session),
      origin: createAuditOrigin(sender.context, request, response, toAuditActor(session.caller)),
    }
    const result = await (isPost
      ? runForm(sender, page, form)
      : readPage(sender, page, form.handler))
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

/**
 * Reads a page, with the input that was kept for it; one whose subject is gone, or that the role
 * does not allow any more, still shows the input.
 */
async function readPage(
  sender: PageSender,
  page: PageRequest,
  handler: PageHandler,
): Promise<PageResult> {
  const { http, response, caller } = page
  try {
    requireRole(caller, getPageRole(http.method ?? 'GET', http.path))
    await recordDownload(sender.context, page)
    const result = await handler(page)
    if (result === undefined || !('page' in result)) return result
    const input = await findPageInput(sender, page)
    const { mark } = page
    return { page: { ...result.page, mark, ...(input === undefined ? {} : { input }) } }
  } catch (error) {
    const isGone = isRelayError(error) && [403, 404].includes(getErrorStatus(error))
    const input = isGone ? await findPageInput(sender, page) : undefined
    if (input === undefined) throw error
    return { page: describeUnusable(sender, error, response, input) }
  }
}

/** Describes an error after which the input cannot be sent any more, with the input. */
function describeUnusable(
  sender: PageSender,
  error: unknown,
  response: HttpResponse,
  input: NonNullable<PageContent['input']>,
): PageContent {
  const lead = 'Your input cannot be sent any more. Copy what you need; it is kept for 30 minutes.'
  const options = { hasSession: true, path: input.action }
  return { ...sender.describeError(error, response, options), lead, input }
}

async function findPageInput({ context }: PageSender, page: PageRequest) {
  const input = await findInput(context, page)
  return input?.page === page.http.url ? input : undefined
}

/** Runs the handler of a form of this session. An error becomes a redirect to a page about it. */
async function runForm(
  sender: PageSender,
  request: PageRequest,
  form: HandledPage,
): Promise<PageResult> {
  const { context } = sender
  const { http, caller, session } = request
  let page = request
  try {
    const { maxBytes = limits.body, acceptsFiles = false, isIdempotent } = form.handler
    // The form is read before anything else can fail, so that its input is kept.
    page = { ...request, fields: await readFields(http, maxBytes, acceptsFiles) }
    requireRole(caller, getPageRole('POST', http.path))
    checkCsrfToken(http, page.fields, session)
    const handler = form.createHandler?.(auditContext(context, page.origin)) ?? form.handler
    // Scripts ask only for parts of pages, with the fields of a form that is not sent yet.
    const result = isFromScript(http)
      ? await handler(page)
      : await runFormOnce(context, page, handler, isIdempotent)
    await updateInput(sender, page, result, form.hasPage ?? false)
    return result
  } catch (error) {
    if (isFromScript(http)) throw error
    return await keepErrorPage(sender, page, form.hasPage ?? false, error)
  }
}

/** Keeps the page about an error of a form, with a link to the input, which is kept as well. */
async function keepErrorPage(
  sender: PageSender,
  page: PageRequest,
  hasPage: boolean,
  error: unknown,
): Promise<PageResult> {
  const { context } = sender
  const { response, fields, session } = page
  try {
    const input = isFromPage(fields)
      ? await keepUnsentInput(context, page, { hasPage, error })
      : undefined
    // The role may not allow the page with the form either, so this one shows the input.
    if (input !== undefined && isRelayError(error, 'forbidden'))
      return await keepPage(context, session, describeUnusable(sender, error, response, input))
    const options = { hasSession: true, path: page.http.path, inputPath: input?.page }
    return await keepPage(context, session, sender.describeError(error, response, options))
  } catch (failure) {
    // The store that would keep the page may be the cause.
    if (isRelayError(failure, 'unavailable')) throw error
    throw failure
  }
}

/**
 * Removes the input that was kept for a form which has been sent now, and keeps that of a form with
 * a page about its errors.
 */
async function updateInput(
  { context }: PageSender,
  page: PageRequest,
  result: PageResult,
  hasPage: boolean,
): Promise<void> {
  if (result === undefined || !('seeOther' in result)) return
  const { seeOther, isError = false } = result
  if (isError) return await keepShownInput(context, page, seeOther, hasPage)
  const input = await findInput(context, page)
  if (input?.action === page.http.path) await removeInput(context, page)
}

/** Leads a request without a session to the sign-in page, and keeps its input. */
async function askToSignIn(
  { context }: PageSender,
  request: HttpRequest,
  { handler, hasPage = false }: HandledPage,
): Promise<PageResult> {
  if (request.method !== 'POST') return { seeOther: buildSignInLink(toLocalPath(request.url)) }
  // A script asks for a part of a page that a person still fills in.
  if (isFromScript(request)) return { seeOther: buildSignInLink() }
  const { page, isKept } = await keepInput(context, request, handler, hasPage)
  return { seeOther: buildSignInLink(page, isKept) }
}
