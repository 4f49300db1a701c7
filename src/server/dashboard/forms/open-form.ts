import { apiErrors, isApiErrorCode } from '../../../contract/api/api-errors.js'
import { limits } from '../../../domain/limits.js'
import { type ErrorCode, errorCodes } from '../../../errors.js'
import type { HttpRequest } from '../../../net/server/http-request.js'
import type { HttpResponse } from '../../../net/server/http-response.js'
import { parseJson } from '../../../util/text/parse-json.js'
import { formatWait } from '../../../util/text/wait.js'
import { asRelayError, getRetryAfter } from '../../http/http-errors.js'
import { type BodyFields, readFields } from '../../http/request-body.js'
import type { PublicRouteHandler } from '../../http/route.js'
import type { ServerContext } from '../../http/server-context.js'
import { buildLink } from '../components/pagination.js'
import { getField, type PageResult } from '../page/page.js'
import type { PageSender } from '../page/page-sender.js'
import { getCookie, setCookie } from '../session/cookies.js'
import { checkOrigin } from '../session/csrf.js'
import { toLocalPath } from '../session/redirect-path.js'

const failureCookie = 'smsrelay_failure'

/** Seconds for which the next page can show why a form failed. */
const failureLifetime = 60

const maxEmailLength = 254

/**
 * Why a form without a session had no effect. It is in a cookie, because no session could keep the
 * page. Others may plant cookies, so it has no text that a page shows, but the name of its reason.
 */
interface StoredFailure {
  readonly path: string
  /** An error code, or a name that only the page knows. */
  readonly reason: string
  /** Seconds until the form can be sent again. */
  readonly wait?: number
  readonly email?: string
}

export interface OpenFormFailure {
  readonly reason: string
  readonly text: string
  readonly status: number
  readonly email: string
}

/**
 * Creates the handler of a form that needs no session, such as a sign-in. It always redirects, so
 * that a reload sends nothing: after an error to the page with the form, which shows the error once
 * and never the password.
 */
export function createOpenFormHandler(
  sender: PageSender,
  work: (request: HttpRequest, response: HttpResponse, fields: BodyFields) => Promise<PageResult>,
): PublicRouteHandler {
  const { context } = sender
  return async (request, response) => {
    checkOrigin(request, context.getBaseUrl(request))
    let fields: BodyFields = {}
    const send = async (result: PageResult) => await sender.send(request, response, result)
    try {
      fields = await readFields(request, limits.openBody)
      await send(await work(request, response, fields))
    } catch (error) {
      const known = asRelayError(error, context.reportDefect, response.requestId)
      response.errorCode = known.code
      const retryAfter = getRetryAfter(known)
      const wait = retryAfter === undefined ? {} : { wait: Number(retryAfter) }
      const failure = { reason: known.code, email: getField({ fields }, 'email'), ...wait }
      await send(redirectWithFailure(context, request, response, fields, failure))
    }
    return undefined
  }
}

/** Redirects to the page of a form without a session, which shows once why the form failed. */
export function redirectWithFailure(
  { isSecure }: Pick<ServerContext, 'isSecure'>,
  request: HttpRequest,
  response: HttpResponse,
  fields: BodyFields,
  { email = '', ...failure }: Omit<StoredFailure, 'path'>,
): PageResult {
  const known = email.length <= maxEmailLength ? { email } : {}
  const stored: StoredFailure = { path: request.path, ...failure, ...known }
  const value = Buffer.from(JSON.stringify(stored)).toString('base64url')
  const secure = isSecure(request)
  setCookie(response, { name: failureCookie, value, secure, maxAge: failureLifetime })
  const next = toLocalPath(fields.next)
  return { seeOther: buildSignInLink(next, request.path), isError: true }
}

/**
 * Takes the reason why the form of a page without a session failed; undefined unless it did just
 * now.
 * @param texts sentences for reasons by name; error codes have a general one
 */
export function takeFailure(
  { isSecure }: Pick<ServerContext, 'isSecure'>,
  request: HttpRequest,
  response: HttpResponse,
  texts: Readonly<Record<string, string>>,
): OpenFormFailure | undefined {
  const secure = isSecure(request)
  const value = getCookie(request, failureCookie, secure)
  const failure = value === undefined ? undefined : parseFailure(value)
  if (failure?.path !== request.path) return undefined
  setCookie(response, { name: failureCookie, value: '', secure, maxAge: 0 })
  const { reason, wait, email = '' } = failure
  const text = Object.hasOwn(texts, reason) ? texts[reason] : describeReason(reason, wait)
  if (text === undefined) return undefined
  if (wait !== undefined) response.setHeader('Retry-After', wait)
  return { reason, text, status: getFailureStatus(reason), email }
}

function parseFailure(value: string): StoredFailure | undefined {
  const read = parseJson(Buffer.from(value, 'base64url').toString('utf8'))
  if (typeof read !== 'object' || read === null) return undefined
  const { path, reason, wait, email } = read as Record<string, unknown>
  if (typeof path !== 'string' || typeof reason !== 'string') return undefined
  return {
    ...{ path, reason },
    ...(Number.isSafeInteger(wait) ? { wait: Number(wait) } : {}),
    ...(typeof email === 'string' ? { email } : {}),
  }
}

function describeReason(reason: string, wait: number | undefined): string | undefined {
  if (!Object.hasOwn(errorCodes, reason)) return undefined
  const again = wait === undefined ? '' : `; try again in ${formatWait(wait)}`
  if (reason === 'too_many_requests') return `Too many attempts${again}.`
  return `The form was not accepted: ${errorCodes[reason as ErrorCode]}${again}.`
}

/** 401 would ask the browser for credentials (RFC 9110 section 15.5.2). */
function getFailureStatus(reason: string): number {
  if (reason === 'invalid_client') return 403
  return isApiErrorCode(reason as ErrorCode)
    ? apiErrors[reason as keyof typeof apiErrors].status
    : 400
}

/**
 * Builds the path of the dashboard's sign-in page, or of another one before the sign-in.
 * @param next the page after it
 */
export function buildSignInLink(next = '/', path = '/login'): string {
  return buildLink(path, { next: next === '/' ? '' : next })
}
