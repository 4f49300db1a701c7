import type { RelayError } from '../../../errors.js'
import type { HttpRequest } from '../../../net/server/http-request.js'
import type { HttpResponse } from '../../../net/server/http-response.js'
import { asRelayError, getErrorStatus, getRetryAfter } from '../../http/http-errors.js'
import type { ServerContext } from '../../http/server-context.js'
import { getSignerEmail } from '../../services/accounts/signer.js'
import type { Caller } from '../../services/accounts/token-service.js'
import { AttentionList } from '../attention/attention-list.js'
import { Card, CardBody } from '../components/card.js'
import { Actions, ButtonLink } from '../components/form.js'
import { Html, h, renderDocument } from '../components/html.js'
import { hideForbidden } from '../roles/hide-forbidden.js'
import { createCsrfToken } from '../session/csrf.js'
import { createSecurityHeaders, type SecurityHeaders } from '../session/security-headers.js'
import { findSession, type Session, setSessionCookie } from '../session/session.js'
import { readTheme } from '../session/theme.js'
import { compressPage } from './compress-page.js'
import { removeBackticks } from './field-errors.js'
import { setFlash, takeFlash } from './flash.js'
import { FormGuard } from './form-guard.js'
import { Layout, versionPlace } from './layout.js'
import { findEntryAbove, type NavigationEntry, type NavigationProps } from './navigation.js'
import type { PageContent, PageResult } from './page.js'
import { fillTimes, readTimeZone } from './page-times.js'
import { computePageVersion, getShownVersion } from './page-version.js'
import { StaticFiles } from './static-files.js'

/** Seconds after which the browser loads a page again that the relay could not read. */
const refreshInterval = 5

export class PageSender {
  readonly context: ServerContext
  readonly attention: AttentionList
  readonly staticFiles = new StaticFiles()
  readonly forms: FormGuard
  readonly #setHeaders: SecurityHeaders = createSecurityHeaders()

  constructor(context: ServerContext) {
    this.context = context
    this.attention = new AttentionList(context)
    this.forms = new FormGuard(() => context.now())
  }

  async findSession(request: HttpRequest): Promise<Session | undefined> {
    return await findSession(this.context.tokens, request, this.context.isSecure(request))
  }

  setHeaders(request: HttpRequest, response: HttpResponse): void {
    this.#setHeaders(request, response, this.context.isSecure(request))
  }

  /**
   * Sends a dashboard page; without `session`, it has no navigation.
   * @param isOwner whether the session is one of the owner, if that is being asked already
   */
  async send(
    request: HttpRequest,
    response: HttpResponse,
    result: PageResult,
    session?: Session,
    isOwner?: Promise<boolean>,
  ): Promise<void> {
    if (result === undefined) return
    this.setHeaders(request, response)
    if ('partial' in result)
      return sendHtml(response, 200, addBasePath(String(result.partial), response))
    if ('page' in result)
      return await this.#sendPage(request, response, result.page, session, isOwner)
    if (session !== undefined) this.attention.forget(session.caller.account)
    const secure = this.context.isSecure(request)
    if (result.session !== undefined) setSessionCookie(response, result.session, secure)
    const token = result.session ?? session?.token
    if (result.flash !== undefined && token !== undefined)
      setFlash(response, result.flash, token, secure)
    response.send(303, { Location: `${response.basePath}${result.seeOther}` })
  }

  async sendError(error: unknown, request: HttpRequest, response: HttpResponse): Promise<void> {
    const session = await this.findSession(request).catch(() => undefined)
    const { method } = request
    const hasSession = session !== undefined
    const page = this.describeError(error, response, { hasSession, path: request.path, method })
    await this.send(request, response, { page }, session)
  }

  /**
   * Makes the dashboard's page about an error, and sets the header fields that belong to it.
   * @param options.path that of the request
   */
  describeError(
    error: unknown,
    response: HttpResponse,
    options: {
      readonly hasSession: boolean
      readonly path: string
      readonly method: string | undefined
    },
  ): PageContent {
    const { requestId } = response
    const known = asRelayError(error, this.context.reportDefect, requestId)
    response.errorCode = known.code
    const status = getErrorStatus(known)
    const retryAfter = getRetryAfter(known)
    if (retryAfter !== undefined) response.setHeader('Retry-After', retryAfter)
    const isAway = known.code === 'unavailable'
    // A page that could not be read is loaded again; the browser would ask before it sends a form.
    if (isAway && options.method === 'GET') response.setHeader('Refresh', String(refreshInterval))
    const { path } = options
    const isUnsent = isAway && options.method === 'POST'
    const text = <ErrorBody error={known} {...{ requestId, path, isUnsent }} />
    // Without a session, the layout has a card of its own.
    const body = options.hasSession ? <Card label="Error">{text}</Card> : text
    return { title: getErrorTitle(status), body, status }
  }

  async #sendPage(
    request: HttpRequest,
    response: HttpResponse,
    page: PageContent,
    session: Session | undefined,
    isOwner: Promise<boolean> | undefined,
  ): Promise<void> {
    const assets = await this.staticFiles.getPaths()
    const shown = getShownVersion(request)
    const person = session && (await this.#describePerson(session, isOwner))
    // A message for the next page is not for an update of an open page.
    const flash =
      session && shown === undefined
        ? takeFlash(request, response, session.token, this.context.isSecure(request))
        : undefined
    const theme = readTheme(request)
    const content = limitPage(page, request.path, session?.caller)
    const document = <Layout {...{ page: content, assets, person, flash, theme }} />
    const text = renderDocument(document)
    const version = page.isLive && computePageVersion(flash === undefined ? text : '')
    if (version !== undefined && shown === version) return response.send(204)
    const place = `data-version="${version}" data-mark="${page.mark}"`
    const versioned = version && text.replace(versionPlace, place)
    const zone = readTimeZone({ http: request, account: session?.caller.account })
    const isExact = new URLSearchParams(request.query).get('times') === 'exact'
    const timed = fillTimes(versioned ?? text, this.context.now(), zone, isExact)
    const filled = addBasePath(timed, response)
    const isSecure = this.context.isSecure(request)
    const isUpdate = shown !== undefined
    const compressed = await compressPage(request, { document: filled, isSecure, isUpdate })
    response.setHeader('Vary', 'Accept-Encoding')
    if (compressed !== undefined) response.setHeader('Content-Encoding', compressed.coding)
    sendHtml(response, page.status ?? 200, compressed?.bytes ?? filled)
  }

  async #describePerson(
    { caller, token }: Session,
    asked = this.context.accounts.isOwner(caller.account),
  ): Promise<Omit<NavigationProps, 'current'>> {
    const [isOwner, problems] = await Promise.all([
      asked,
      this.attention.count(caller.account).catch(() => 0),
    ])
    const [email, role] = [getSignerEmail(caller), caller.role]
    return { email, role, isOwner, csrf: createCsrfToken(token), problems }
  }
}

function limitPage(page: PageContent, path: string, caller: Caller | undefined): PageContent {
  if (caller === undefined || caller.role === 'admin') return page
  const hide = (html: Html) => hideForbidden(html, caller.role, path)
  const actions = page.actions instanceof Html ? hide(page.actions) : page.actions
  return { ...page, body: hide(page.body), ...(actions === undefined ? {} : { actions }) }
}

/** Attributes with a local address; `h` escapes all quotation marks in texts and values. */
const localAddress = / (href|src|action|formaction|data-stream)="\//g

/** Makes the addresses of a dashboard's page begin with the path of the relay's public address. */
function addBasePath(markup: string, { basePath }: HttpResponse): string {
  return basePath === '' ? markup : markup.replace(localAddress, ` $1="${basePath}/`)
}

function sendHtml(response: HttpResponse, status: number, text: string | Buffer): void {
  response.send(status, { 'Content-Type': 'text/html; charset=utf-8' }, text)
}

function getErrorTitle(status: number): string {
  if (status === 403) return 'Not allowed'
  if (status === 404) return 'Not found'
  if (status === 429 || status === 503) return 'Try again later'
  return status < 500 ? 'Request failed' : 'Server error'
}

/** The page to which an error can lead; undefined if it may be closed to the person, too. */
function findPageAbove({ code }: RelayError, path: string): NavigationEntry | undefined {
  const above = findEntryAbove(path)
  const isClosed = code === 'forbidden' || (code === 'not_found' && above?.isOwnerOnly === true)
  return isClosed ? undefined : above
}

interface ErrorBodyProps {
  readonly error: RelayError
  readonly requestId: string | undefined
  readonly path: string
  /** Whether the browser can send the form again by loading the page again. */
  readonly isUnsent: boolean
}

function ErrorBody({ error, requestId, path, isUnsent }: ErrorBodyProps): Html {
  const above = findPageAbove(error, path)
  return (
    <CardBody>
      <p>{removeBackticks(error.message)}</p>
      {error.hint !== undefined && <p>{removeBackticks(error.hint)}</p>}
      {isUnsent && <p>The browser still has your input: reload this page to send it again.</p>}
      {requestId !== undefined && <p class="quiet small">Request {requestId}</p>}
      <Actions>
        {above && <ButtonLink href={above.path} label={`Go to ${above.label}`} />}
        <ButtonLink href="/" label="Go to the overview" />
      </Actions>
    </CardBody>
  )
}
