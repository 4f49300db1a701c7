import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AppParts } from '../../app.js'
import { retryAfterOf, statusOf, toKnown } from '../../http/http-errors.js'
import { documentText, type Html } from '../components/html.js'
import { csrfToken } from '../session/csrf.js'
import { type SecurityHeaders, securityHeaders } from '../session/security-headers.js'
import { type Session, sessionOf } from '../session/session.js'
import { ErrorBody } from './error-page.js'
import { setFlash, takeFlash } from './flash.js'
import { Layout } from './layout.js'
import type { Answer, PageAnswer } from './page.js'
import { Assets } from './static-files.js'

/** Sends what pages answer, with the headers and the surroundings of every page. */
export class Desk {
  readonly parts: AppParts
  readonly assets = new Assets()
  readonly #setHeaders: SecurityHeaders = securityHeaders()

  constructor(parts: AppParts) {
    this.parts = parts
  }

  /** Whether the browser may keep what it is given only where it comes over TLS. */
  isSecure(request: IncomingMessage): boolean {
    return this.parts.isSecure(request)
  }

  /** The session of a request. */
  async session(request: IncomingMessage): Promise<Session | undefined> {
    return await sessionOf(this.parts.tokens, request, this.isSecure(request))
  }

  /** The headers of whatever is sent. */
  setHeaders(request: IncomingMessage, response: ServerResponse): void {
    this.#setHeaders(request, response, this.isSecure(request))
  }

  /** Sends an answer, to somebody who is signed in or not. */
  async send(
    request: IncomingMessage,
    response: ServerResponse,
    answer: Answer,
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
    const known = toKnown(error, this.parts.reportDefect)
    const status = statusOf(known)
    const retryAfter = retryAfterOf(known)
    if (retryAfter !== undefined) response.setHeader('Retry-After', retryAfter)
    const body = ErrorBody({ error: known })
    const session = await this.session(request).catch(() => undefined)
    const answer = { page: { title: titleOf(status), body, status } }
    await this.send(request, response, answer, session)
  }

  async #sendPage(
    request: IncomingMessage,
    response: ServerResponse,
    page: PageAnswer,
    session: Session | undefined,
  ): Promise<void> {
    const secure = this.isSecure(request)
    const assets = await this.assets.paths()
    const person = session && {
      email: session.caller.account.email,
      isOwner: await this.parts.accounts.isOwner(session.caller.account),
      csrf: csrfToken(session.token),
      flash: takeFlash(request, response, session.token, secure),
    }
    const whole: Html = Layout({ page, assets, person })
    sendHtml(response, page.status ?? 200, documentText(whole))
  }
}

function sendHtml(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Length': Buffer.byteLength(text),
  })
  response.end(text)
}

function titleOf(status: number): string {
  if (status === 404) return 'Not found'
  if (status === 429) return 'Too many tries'
  return status < 500 ? 'This did not work' : 'The service failed'
}
