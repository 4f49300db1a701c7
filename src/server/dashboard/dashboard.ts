import { limits } from '../../domain/limits.js'
import { RelayError } from '../../errors.js'
import type { ArrivingRequest, NodeWay } from '../../net/server/routed-request.js'
import type { AppParts } from '../app.js'
import { readFields } from '../http/request-body.js'
import { type Layer, type OpenHandler, type OpenRoutes, routing } from '../http/route.js'
import { Fragment } from './components/html.js'
import { linkTo } from './components/pagination.js'
import { pages } from './dashboard-pages.js'
import type { PageHandler } from './page/page.js'
import { Desk } from './page/page-sender.js'
import { csrfToken, refuseForged, refuseOtherSites } from './session/csrf.js'
import { localPath } from './session/redirect-path.js'
import { dropSession } from './session/session.js'
import { signInRoutes } from './sign-in-page.js'

/**
 * The dashboard (SPEC.md section 1): pages for people who sign in with e-mail address and password. What it does not
 * know goes on to the next layer, unless a browser asked for a page.
 */
export function dashboard(parts: AppParts): Layer<NodeWay> {
  const desk = new Desk(parts)
  const layer = routing<NodeWay>({ ...pageRoutes(desk), ...signInRoutes(desk), ...ownRoutes(desk) })
  return async (request, response, next) => {
    await layer(request, response, error => {
      if (error === undefined && !wantsPage(request)) return next()
      desk.sendError(request, response, error ?? nothingAt(request.path)).catch(next)
    })
  }
}

function ownRoutes(desk: Desk): OpenRoutes<NodeWay> {
  return {
    '/assets/:version/:name': {
      GET: async (request, response) => {
        if (await desk.assets.send(request, response, request.path)) return undefined
        throw nothingAt(request.path)
      },
    },
    '/logout': {
      POST: guarded(desk, async ({ request, response }, token) => {
        await desk.parts.tokens.revoke(token)
        dropSession(response, desk.isSecure(request))
        return { seeOther: '/login' }
      }),
    },
  }
}

function pageRoutes(desk: Desk): OpenRoutes<NodeWay> {
  const all = Object.entries(pages(desk.parts)).map(([path, methods]) => {
    const open = Object.entries(methods).map(([name, handler]) => [name, guarded(desk, handler)])
    return [path, Object.fromEntries(open)] as const
  })
  return Object.fromEntries(all)
}

type Guarded = (...args: [...Parameters<PageHandler>, token: string]) => ReturnType<PageHandler>

/** Answers only who is signed in, and forms only of pages of ours. */
function guarded(
  desk: Desk,
  handler: Guarded & Pick<PageHandler, 'most' | 'files'>,
): OpenHandler<NodeWay> {
  return async (request, response) => {
    desk.setHeaders(request, response)
    const changes = request.method === 'POST'
    if (changes) refuseOtherSites(request, desk.parts.baseOf(request))
    const session = await desk.session(request)
    const partial = request.headers['hx-request'] === 'true'
    if (session === undefined) {
      const to = linkTo('/login', { next: changes ? '' : nextOf(request, partial) })
      // htmx follows redirections by itself, and would put the form into the page.
      if (partial) response.setHeader('HX-Redirect', to)
      await desk.send(request, response, partial ? { part: none } : { seeOther: to })
      return undefined
    }
    const { token, caller } = session
    const { most = limits.body, files = false } = handler
    const fields = changes ? await readFields(request, most, files) : {}
    if (changes) refuseForged(request, fields, token)
    const { account } = caller
    const visit = { request, response, caller, account, fields, partial }
    const now = desk.parts.now()
    const answer = await handler({ ...visit, csrf: csrfToken(token), now }, token)
    await desk.send(request, response, answer, session)
    return undefined
  }
}

const none = Fragment({})

/** Where to go on after signing in: here, or for a part of a page to that page. */
function nextOf(request: ArrivingRequest, partial: boolean): string {
  if (!partial) return homeless(localPath(request.url))
  const shown = String(request.headers['hx-current-url'] ?? '')
  return URL.canParse(shown) ? homeless(localPath(new URL(shown).pathname)) : ''
}

/** Nothing for the first page, which one comes to anyway. */
function homeless(path: string): string {
  return path === '/' ? '' : path
}

/** Whether an error is for a browser to show; the paths of the interface answer everyone alike. */
function wantsPage({ method, headers, path }: ArrivingRequest): boolean {
  if (/^\/(api|oauth)(\/|$)/.test(path)) return false
  return /^(GET|HEAD|POST)$/.test(method ?? '') && (headers.accept ?? '').includes('text/html')
}

function nothingAt(path: string): RelayError {
  return new RelayError('not_found', `There is no page at ${path}.`)
}
