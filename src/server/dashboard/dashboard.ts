// The dashboard: pages for people who sign in with e-mail address and password
// (docs/reference/interface.md 1). The path of a request:
// 1. Express finds the route: the pages of `dashboard-pages.ts`, `/login` of `sign-in/`, `/docs`
//    of `reference/`, `/logout` and the static files. Browsers get an error page for paths
//    without a route.
// 2. `signed-in-request.ts` checks the origin, finds the session (`session/`), checks the role
//    (`roles/page-roles.ts`), reads the form and checks its CSRF token.
// 3. The page (one folder for each feature) calls the services and returns a result
//    (`page/page.ts`), built from `components/`.
// 4. `PageSender` sends the result or an error page.
// README.md in this folder says how to add a page.
import type { Router } from 'express'
import { RelayError } from '../../errors.js'
import type { HttpRequest } from '../../net/server/http-request.js'
import { mountFallback } from '../http/express-app.js'
import { mountRoutes, type PublicRoutes, type SendError } from '../http/route.js'
import type { ServerContext } from '../http/server-context.js'
import { createPages } from './dashboard-pages.js'
import type { PageHandler } from './page/page.js'
import { PageSender } from './page/page-sender.js'
import { createInvitationRoutes } from './people/invitation-page.js'
import { createReferenceRoutes } from './reference/reference-routes.js'
import { clearSessionCookie } from './session/session.js'
import { createSecondStepRoutes } from './sign-in/second-step-page.js'
import { createSignInRoutes } from './sign-in/sign-in-page.js'
import { requireSession } from './signed-in-request.js'

/** Mounts the dashboard's pages, and error pages for browsers at paths without a route. */
export function mountDashboard(router: Router, context: ServerContext): void {
  const sender = new PageSender(context)
  const sendError: SendError = async (error, request, response) => {
    await sender.sendError(error, request, response)
  }
  mountRoutes(router, createDashboardRoutes(sender), sendError)
  mountFallback(router, async (request, response) => {
    const isPage = acceptsPage(request)
    if (isPage) await sendError(pageNotFoundError(request.path), request, response)
    return isPage
  })
}

export function createDashboardRoutes(sender: PageSender): PublicRoutes {
  return {
    ...createPageRoutes(sender),
    ...createSignInRoutes(sender),
    ...createSecondStepRoutes(sender),
    ...createInvitationRoutes(sender),
    ...createReferenceRoutes(sender),
    ...createBaseRoutes(sender),
  }
}

function createBaseRoutes(sender: PageSender): PublicRoutes {
  const signOut: PageHandler = async ({ http, response, session, origin }) => {
    const { audit, tokens, isSecure } = sender.context
    await audit.actFor(origin, async () => await tokens.revoke(session))
    clearSessionCookie(response, isSecure(http))
    return { seeOther: '/login' }
  }
  return {
    '/assets/:version/:name': {
      GET: async (request, response) => {
        if (await sender.staticFiles.send(request, response, request.path)) return undefined
        throw pageNotFoundError(request.path)
      },
    },
    '/logout': { POST: requireSession(sender, signOut) },
  }
}

function createPageRoutes(sender: PageSender): PublicRoutes {
  const routes = Object.entries(createPages(sender)).map(([path, methods]) => {
    const handlers = Object.entries(methods).map(([method, handler]) => [
      method,
      requireSession(sender, handler),
    ])
    return [path, Object.fromEntries(handlers)] as const
  })
  return Object.fromEntries(routes)
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
