import type { IncomingMessage, ServerResponse } from 'node:http'
import { asRelayError, getErrorStatus, getRetryAfter } from '../../http/http-errors.js'
import type { ServerContext } from '../../http/server-context.js'
import { type Html, renderDocument } from '../components/html.js'
import { deriveCsrfToken } from '../session/csrf.js'
import { createSecurityHeaders, type SecurityHeaders } from '../session/security-headers.js'
import { findSession, type Session } from '../session/session.js'
import { ErrorBody } from './error-page.js'
import { setFlash, takeFlash } from './flash.js'
import { Layout } from './layout.js'
import type { PageContent, PageResult } from './page.js'
import { StaticFiles } from './static-files.js'

/** Sends what pages answer, with the headers and the surroundings of every page. */
export class PageSender {
  readonly context: ServerContext
  readonly staticFiles = new StaticFiles()
  readonly #setHeaders: SecurityHeaders = createSecurityHeaders()

  constructor(parts: ServerContext) {
    this.context = parts
  }

  /** Whether the browser may keep what it is given only where it comes over TLS. */
  isSecure(request: IncomingMessage): boolean {
    return this.context.isSecure(request)
  }

  /** The session of a request. */
  async findSession(request: IncomingMessage): Promise<Session | undefined> {
    return await findSession(this.context.tokens, request, this.isSecure(request))
  }

  /** The headers of whatever is sent. */
  setHeaders(request: IncomingMessage, response: ServerResponse): void {
    this.#setHeaders(request, response, this.isSecure(request))
  }

  /** Sends an answer, to somebody who is signed in or not. */
  async send(
    request: IncomingMessage,
    response: ServerResponse,
    answer: PageResult,
    session?: Session,
  ): Promise<void> {
    if (answer === undefined) return
    this.setHeaders(request, response)
    if ('part' in answer) return sendHtml(response, 200, String(answer.part))
    if ('unchanged' in answer) return void response.writeHead(204).end()
    if ('page' in answer) return await this.#sendPage(request, response, answer.page, session)
    if (answer.flash !== undefined && session !== undefined)
      setFlash(response, answer.flash, session.token, this.isSecure(request))
    response.writeHead(303, { Location: answer.seeOther, 'Content-Length': 0 }).end()
  }

  /** Sends an error as a page, to whoever is signed in or not. */
  async sendError(
    request: IncomingMessage,
    response: ServerResponse,
    error: unknown,
  ): Promise<void> {
    const known = asRelayError(error, this.context.reportDefect)
    const status = getErrorStatus(known)
    const retryAfter = getRetryAfter(known)
    if (retryAfter !== undefined) response.setHeader('Retry-After', retryAfter)
    const body = ErrorBody({ error: known })
    const session = await this.findSession(request).catch(() => undefined)
    const answer = { page: { title: getErrorTitle(status), body, status } }
    await this.send(request, response, answer, session)
  }

  async #sendPage(
    request: IncomingMessage,
    response: ServerResponse,
    page: PageContent,
    session: Session | undefined,
  ): Promise<void> {
    const secure = this.isSecure(request)
    const assets = await this.staticFiles.getPaths()
    const person = session && {
      email: session.caller.account.email,
      isOwner: await this.context.accounts.isOwner(session.caller.account),
      csrf: deriveCsrfToken(session.token),
      flash: takeFlash(request, response, session.token, secure),
    }
    const whole: Html = Layout({ page, assets, person })
    sendHtml(response, page.status ?? 200, renderDocument(whole))
  }
}

function sendHtml(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Length': Buffer.byteLength(text),
  })
  response.end(text)
}

function getErrorTitle(status: number): string {
  if (status === 404) return 'Not found'
  if (status === 429) return 'Too many tries'
  return status < 500 ? 'This did not work' : 'The service failed'
}
