import type { RelayError } from '../../../errors.js'
import type { HttpRequest } from '../../../net/server/http-request.js'
import type { HttpResponse } from '../../../net/server/http-response.js'
import { asRelayError, getErrorStatus, getRetryAfter } from '../../http/http-errors.js'
import type { ServerContext } from '../../http/server-context.js'
import { Fragment, type Html, h, renderDocument } from '../components/html.js'
import { deriveCsrfToken } from '../session/csrf.js'
import { createSecurityHeaders, type SecurityHeaders } from '../session/security-headers.js'
import { findSession, type Session, setSessionCookie } from '../session/session.js'
import { setFlash, takeFlash } from './flash.js'
import { Layout } from './layout.js'
import type { PageContent, PageResult } from './page.js'
import { pageFileNames, StaticFiles } from './static-files.js'

export class PageSender {
  readonly context: ServerContext
  readonly staticFiles = new StaticFiles(pageFileNames, '/assets')
  readonly #setHeaders: SecurityHeaders = createSecurityHeaders()

  constructor(context: ServerContext) {
    this.context = context
  }

  async findSession(request: HttpRequest): Promise<Session | undefined> {
    return await findSession(this.context.tokens, request, this.context.isSecure(request))
  }

  setHeaders(request: HttpRequest, response: HttpResponse): void {
    this.#setHeaders(request, response, this.context.isSecure(request))
  }

  /** Sends a dashboard page; without `session`, it has no navigation. */
  async send(
    request: HttpRequest,
    response: HttpResponse,
    result: PageResult,
    session?: Session,
  ): Promise<void> {
    if (result === undefined) return
    this.setHeaders(request, response)
    if ('partial' in result) return sendHtml(response, 200, String(result.partial))
    if ('unchanged' in result) return response.send(204)
    if ('page' in result) return await this.#sendPage(request, response, result.page, session)
    const secure = this.context.isSecure(request)
    if (result.session !== undefined) setSessionCookie(response, result.session, secure)
    const token = result.session ?? session?.token
    if (result.flash !== undefined && token !== undefined)
      setFlash(response, result.flash, token, secure)
    response.send(303, { Location: result.seeOther })
  }

  async sendError(error: unknown, request: HttpRequest, response: HttpResponse): Promise<void> {
    const { requestId } = response
    const known = asRelayError(error, this.context.reportDefect, requestId)
    response.errorCode = known.code
    const status = getErrorStatus(known)
    const retryAfter = getRetryAfter(known)
    if (retryAfter !== undefined) response.setHeader('Retry-After', retryAfter)
    const session = await this.findSession(request).catch(() => undefined)
    const body = <ErrorBody error={known} requestId={requestId} />
    const page = { title: getErrorTitle(status), body, status }
    await this.send(request, response, { page }, session)
  }

  async #sendPage(
    request: HttpRequest,
    response: HttpResponse,
    page: PageContent,
    session: Session | undefined,
  ): Promise<void> {
    const secure = this.context.isSecure(request)
    const assets = await this.staticFiles.getPaths()
    const person = session && {
      email: session.caller.account.email,
      isOwner: await this.context.accounts.isOwner(session.caller.account),
      csrf: deriveCsrfToken(session.token),
      flash: takeFlash(request, response, session.token, secure),
    }
    const document = <Layout page={page} assets={assets} person={person} />
    sendHtml(response, page.status ?? 200, renderDocument(document))
  }
}

function sendHtml(response: HttpResponse, status: number, text: string): void {
  response.send(status, { 'Content-Type': 'text/html; charset=utf-8' }, text)
}

function getErrorTitle(status: number): string {
  if (status === 404) return 'Not found'
  if (status === 429) return 'Too many attempts'
  return status < 500 ? 'Request failed' : 'Server error'
}

interface ErrorBodyProps {
  readonly error: RelayError
  readonly requestId: string | undefined
}

function ErrorBody({ error, requestId }: ErrorBodyProps): Html {
  return (
    <>
      <p>{error.message}</p>
      {error.hint !== undefined && <p>{error.hint}</p>}
      {requestId !== undefined && <p>Request {requestId}</p>}
      <p>
        <a href="/">Go to the overview</a>
      </p>
    </>
  )
}
