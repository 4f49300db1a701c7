import { limits } from '../../domain/limits.js'
import { RelayError } from '../../errors.js'
import type { ArrivingRequest, NodeWay } from '../../net/server/routed-request.js'
import { readFields } from '../http/request-body.js'
import {
  type Middleware,
  mountRoutes,
  type PublicRouteHandler,
  type PublicRoutes,
} from '../http/route.js'
import type { ServerContext } from '../http/server-context.js'
import { Fragment } from './components/html.js'
import { buildLink } from './components/pagination.js'
import { createPages } from './dashboard-pages.js'
import type { PageHandler } from './page/page.js'
import { PageSender } from './page/page-sender.js'
import { checkCsrfToken, checkOrigin, deriveCsrfToken } from './session/csrf.js'
import { toLocalPath } from './session/redirect-path.js'
import { clearSessionCookie } from './session/session.js'
import { createSignInRoutes } from './sign-in-page.js'

/**
 * The dashboard (SPEC.md section 1): pages for people who sign in with e-mail address and password. What it does not
 * know goes on to the next layer, unless a browser asked for a page.
 */
export function createDashboard(parts: ServerContext): Middleware<NodeWay> {
  const desk = new PageSender(parts)
  const layer = mountRoutes<NodeWay>({
    ...createPageRoutes(desk),
    ...createSignInRoutes(desk),
    ...createBaseRoutes(desk),
  })
  return async (request, response, next) => {
    await layer(request, response, error => {
      if (error === undefined && !acceptsPage(request)) return next()
      desk.sendError(request, response, error ?? pageNotFoundError(request.path)).catch(next)
    })
  }
}

function createBaseRoutes(desk: PageSender): PublicRoutes<NodeWay> {
  return {
    '/assets/:version/:name': {
      GET: async (request, response) => {
        if (await desk.staticFiles.send(request, response, request.path)) return undefined
        throw pageNotFoundError(request.path)
      },
    },
    '/logout': {
      POST: requireSession(desk, async ({ request, response }, token) => {
        await desk.context.tokens.revoke(token)
        clearSessionCookie(response, desk.isSecure(request))
        return { seeOther: '/login' }
      }),
    },
  }
}

function createPageRoutes(desk: PageSender): PublicRoutes<NodeWay> {
  const all = Object.entries(createPages(desk.context)).map(([path, methods]) => {
    const open = Object.entries(methods).map(([name, handler]) => [
      name,
      requireSession(desk, handler),
    ])
    return [path, Object.fromEntries(open)] as const
  })
  return Object.fromEntries(all)
}

type SessionHandler = (
  ...args: [...Parameters<PageHandler>, token: string]
) => ReturnType<PageHandler>

/** Answers only who is signed in, and forms only of pages of ours. */
function requireSession(
  desk: PageSender,
  handler: SessionHandler & Pick<PageHandler, 'maxBytes' | 'acceptsFiles'>,
): PublicRouteHandler<NodeWay> {
  return async (request, response) => {
    desk.setHeaders(request, response)
    const changes = request.method === 'POST'
    if (changes) checkOrigin(request, desk.context.getBaseUrl(request))
    const session = await desk.findSession(request)
    const partial = request.headers['hx-request'] === 'true'
    if (session === undefined) {
      const to = buildLink('/login', { next: changes ? '' : getReturnPath(request, partial) })
      // htmx follows redirections by itself, and would put the form into the page.
      if (partial) response.setHeader('HX-Redirect', to)
      await desk.send(request, response, partial ? { part: emptyHtml } : { seeOther: to })
      return undefined
    }
    const { token, caller } = session
    const { maxBytes: most = limits.body, acceptsFiles: files = false } = handler
    const fields = changes ? await readFields(request, most, files) : {}
    if (changes) checkCsrfToken(request, fields, token)
    const { account } = caller
    const visit = { request, response, caller, account, fields, isPartial: partial }
    const now = desk.context.now()
    const answer = await handler({ ...visit, csrf: deriveCsrfToken(token), now }, token)
    await desk.send(request, response, answer, session)
    return undefined
  }
}

const emptyHtml = Fragment({})

/** Where to go on after signing in: here, or for a part of a page to that page. */
function getReturnPath(request: ArrivingRequest, partial: boolean): string {
  if (!partial) return omitHome(toLocalPath(request.url))
  const shown = String(request.headers['hx-current-url'] ?? '')
  return URL.canParse(shown) ? omitHome(toLocalPath(new URL(shown).pathname)) : ''
}

/** Nothing for the first page, which one comes to anyway. */
function omitHome(path: string): string {
  return path === '/' ? '' : path
}

/** Whether an error is for a browser to show; the paths of the interface answer everyone alike. */
function acceptsPage({ method, headers, path }: ArrivingRequest): boolean {
  if (/^\/(api|oauth)(\/|$)/.test(path)) return false
  return /^(GET|HEAD|POST)$/.test(method ?? '') && (headers.accept ?? '').includes('text/html')
}

function pageNotFoundError(path: string): RelayError {
  return new RelayError('not_found', `There is no page at ${path}.`)
}
