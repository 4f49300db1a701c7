// The dashboard: pages for people who sign in with e-mail address and password
// (docs/reference/interface.md 1). The path of a request:
// 1. Express finds the route: the pages of `dashboard-pages.ts`, `/login` of `sign-in/`, `/docs`
//    of `reference/`, `/logout` and the static files. Browsers get an error page for paths
//    without a route.
// 2. `requireSession` checks the origin, finds the session (`session/`), checks the role
//    (`roles/page-roles.ts`), reads the form and checks its CSRF token.
// 3. The page (one folder for each feature) calls the services and returns a result
//    (`page/page.ts`), built from `components/`.
// 4. `PageSender` sends the result or an error page.
// README.md in this folder says how to add a page.
import type { Router } from 'express'
import { limits } from '../../domain/limits.js'
import { isRelayError, RelayError } from '../../errors.js'
import type { HttpRequest } from '../../net/server/http-request.js'
import { mountFallback } from '../http/express-app.js'
import { getErrorStatus } from '../http/http-errors.js'
import { readFields } from '../http/request-body.js'
import {
  mountRoutes,
  type PublicRouteHandler,
  type PublicRoutes,
  type SendError,
} from '../http/route.js'
import { auditContext, createAuditOrigin, type ServerContext } from '../http/server-context.js'
import { toAuditActor } from '../services/audit/account-rules.js'
import { requireRole } from '../services/people/access.js'
import { buildLink } from './components/pagination.js'
import { createPages } from './dashboard-pages.js'
import { keepPage, runFormOnce } from './forms/form-guard.js'
import { findInput, keepInput, keepUnsentInput, removeInput } from './forms/kept-input.js'
import type { PageHandler, PageRequest, PageResult } from './page/page.js'
import { PageSender } from './page/page-sender.js'
import { createInvitationRoutes } from './people/invitation-page.js'
import { createReferenceRoutes } from './reference/reference-routes.js'
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
import { clearSessionCookie } from './session/session.js'
import { createSecondStepRoutes } from './sign-in/second-step-page.js'
import { createSignInRoutes } from './sign-in/sign-in-page.js'

/** Mounts the dashboard's pages, and error pages for browsers at paths without a route. */
export function mountDashboard(router: Router, context: ServerContext): void {
  const sender = new PageSender(context)
  const sendError: SendError = async (error, request, response) => {
    await sender.sendError(error, request, response)
  }
  const routes = {
    ...createPageRoutes(sender),
    ...createSignInRoutes(sender),
    ...createSecondStepRoutes(sender),
    ...createInvitationRoutes(sender),
    ...createReferenceRoutes(sender),
    ...createBaseRoutes(sender),
  }
  mountRoutes(router, routes, sendError)
  mountFallback(router, async (request, response) => {
    const isPage = acceptsPage(request)
    if (isPage) await sendError(pageNotFoundError(request.path), request, response)
    return isPage
  })
}

function createBaseRoutes(sender: PageSender): PublicRoutes {
  return {
    '/assets/:version/:name': {
      GET: async (request, response) => {
        if (await sender.staticFiles.send(request, response, request.path)) return undefined
        throw pageNotFoundError(request.path)
      },
    },
    '/logout': {
      POST: requireSession(sender, async ({ http, response, session, origin }) => {
        await auditContext(sender.context, origin).tokens.revoke(session)
        clearSessionCookie(response, sender.context.isSecure(http))
        return { seeOther: '/login' }
      }),
    },
  }
}

function createPageRoutes(sender: PageSender): PublicRoutes {
  const routes = Object.entries(createPages(sender)).map(([path, methods]) => {
    const handlers = Object.entries(methods).map(([method, handler]) => [
      method,
      requireSession(
        sender,
        handler,
        methods.GET !== undefined,
        context => createPages({ context, attention: sender.attention })[path]?.POST,
      ),
    ])
    return [path, Object.fromEntries(handlers)] as const
  })
  return Object.fromEntries(routes)
}

/**
 * Calls a page's handler only with a dashboard session, and for POST only with a form of this
 * session, and once for each form.
 * @param hasPage whether the path of a form is also that of a page
 * @param createHandler creates the handler of a form whose changes the audit log has
 */
function requireSession(
  sender: PageSender,
  handler: PageHandler,
  hasPage = false,
  createHandler: (context: ServerContext) => PageHandler | undefined = () => undefined,
): PublicRouteHandler {
  return async (request, response) => {
    sender.setHeaders(request, response)
    const isPost = request.method === 'POST'
    if (isPost) checkOrigin(request, sender.context.getBaseUrl(request))
    const session = await sender.findSession(request)
    if (session === undefined) {
      const answer = await askToSignIn(sender, request, { handler, hasPage })
      await sender.send(request, response, answer)
      return undefined
    }
    const { token, caller } = session
    requireRole(caller, getPageRole(request.method ?? 'GET', request.path))
    const { maxBytes = limits.body, acceptsFiles = false } = handler
    const fields = isPost ? await readFields(request, maxBytes, acceptsFiles) : {}
    const { account } = caller
    const csrf = createCsrfToken(token)
    const now = sender.context.now()
    const secondFactor = askForSecondFactor(sender.context, request, caller, token)
    const origin = createAuditOrigin(sender.context, request, response, toAuditActor(caller))
    const acting = isPost ? createHandler(auditContext(sender.context, origin)) : undefined
    const state = { caller, origin, account, session: token, csrf, secondFactor, now }
    const page = { http: request, response, fields, ...state }
    await recordDownload(sender.context, page)
    const result = await (isPost
      ? runForm(sender, page, { handler: acting ?? handler, hasPage })
      : readPage(sender, page, handler))
    await sender.send(request, response, await useInput(sender, page, result), session)
    return undefined
  }
}

/** Reads a page; one whose subject is gone still shows the input that was kept for it. */
async function readPage(
  sender: PageSender,
  page: PageRequest,
  handler: PageHandler,
): Promise<PageResult> {
  const { http, response } = page
  try {
    return await handler(page)
  } catch (error) {
    const isGone = isRelayError(error) && getErrorStatus(error) === 404
    const input = isGone ? await findInput(sender.context, page) : undefined
    if (input === undefined || input.page !== http.url) throw error
    const shown = sender.describeError(error, response, { hasSession: true })
    const lead =
      'Your input cannot be sent any more. Copy what you need; it is kept for 30 minutes.'
    return { page: { ...shown, lead } }
  }
}

/**
 * Runs the handler of a form of this session. The page about an error becomes a redirect to it,
 * with a link to the input, which is kept.
 */
async function runForm(
  sender: PageSender,
  page: PageRequest,
  { handler, hasPage }: HandledPage,
): Promise<PageResult> {
  const { context } = sender
  const { http, response, fields, session } = page
  try {
    checkCsrfToken(http, fields, session)
    // Scripts ask only for parts of pages, with the fields of a form that is not sent yet.
    return await (isFromScript(http) ? handler(page) : runFormOnce(context, page, handler))
  } catch (error) {
    if (isFromScript(http) || !isFromPage(fields)) throw error
    try {
      const inputPath = await keepUnsentInput(context, page, hasPage)
      const shown = sender.describeError(error, response, { hasSession: true, inputPath })
      return await keepPage(context, session, shown)
    } catch (failure) {
      // The store that would keep the page may be the cause.
      if (isRelayError(failure, 'unavailable')) throw error
      throw failure
    }
  }
}

/** Leads a request without a session to the sign-in page, and keeps its input. */
async function askToSignIn(
  { context }: PageSender,
  request: HttpRequest,
  form: HandledPage,
): Promise<PageResult> {
  if (request.method !== 'POST')
    return { seeOther: buildLink('/login', { next: omitHome(toLocalPath(request.url)) }) }
  // A script asks for a part of a page that a person still fills in.
  if (isFromScript(request)) return { seeOther: '/login' }
  const { page, isKept } = await keepInput(context, request, form.handler, form.hasPage)
  return { seeOther: buildLink('/login', { next: omitHome(page), kept: isKept ? '1' : '' }) }
}

interface HandledPage {
  readonly handler: PageHandler
  /** Whether the path of a form is also that of a page. */
  readonly hasPage: boolean
}

/** Shows kept input on its page, and removes it when its form was sent. */
async function useInput(
  { context }: PageSender,
  request: PageRequest,
  result: PageResult,
): Promise<PageResult> {
  const { http } = request
  const input = await findInput(context, request)
  if (input === undefined || result === undefined) return result
  const hasEffect = 'seeOther' in result && result.isError !== true
  if (http.method === 'POST' && hasEffect && input.action === http.path)
    await removeInput(context, request)
  const isShown = http.method !== 'POST' && 'page' in result && input.page === http.url
  return isShown ? { page: { ...result.page, input } } : result
}

/** The page after sign-in is the overview unless a path is given. */
function omitHome(path: string): string {
  return path === '/' ? '' : path
}

/**
 * For the dashboard, whether an error is shown as a page; paths of the API always answer with JSON.
 */
function acceptsPage({ method, headers, path }: HttpRequest): boolean {
  if (/^\/(api|oauth)(\/|$)/.test(path)) return false
  return /^(GET|HEAD|POST)$/.test(method ?? '') && (headers.accept ?? '').includes('text/html')
}

function pageNotFoundError(path: string): RelayError {
  return new RelayError('not_found', `There is no page at ${path}.`)
}
