// Sign-in sessions of the dashboard. A session is a User Login token in a cookie, which ends after
// 12 hours without activity and after 30 days: `cookies.ts` reads and sets it, and this file finds
// who signed in with it. The API does not accept it. `csrf.ts` derives from it the token that every
// form carries, and checks that forms come from our own pages. `security-headers.ts` sets the
// headers that restrict what a page may load. `redirect-path.ts` limits the redirect after sign-in
// to local paths.

import type { LoginClient } from '../../../domain/account/account.js'
import { describeDevice } from '../../../domain/account/device-name.js'
import { isRelayError } from '../../../errors.js'
import type { HttpRequest } from '../../../net/server/http-request.js'
import type { HttpResponse } from '../../../net/server/http-response.js'
import type { ServerContext } from '../../http/server-context.js'
import type { Caller, TokenService } from '../../services/accounts/token-service.js'
import { getCookie, setCookie } from './cookies.js'

const sessionCookie = 'smsrelay_session'

export interface Session {
  readonly token: string
  readonly caller: Caller
}

export function getSessionToken(request: HttpRequest, secure: boolean): string | undefined {
  return getCookie(request, sessionCookie, secure)
}

/**
 * Finds the dashboard session; undefined if the token is missing, invalid or one of the API.
 * Automatic requests do not extend the session: otherwise it would never end while a page is
 * open.
 */
export async function findSession(
  tokens: TokenService,
  request: HttpRequest,
  secure: boolean,
): Promise<Session | undefined> {
  const token = getSessionToken(request, secure)
  if (token === undefined || token === '') return undefined
  try {
    const caller = await tokens.getSessionCaller(token, !isAutomatic(request))
    request.account = caller.account.id
    return { token, caller }
  } catch (error) {
    if (isRelayError(error, 'invalid_token')) return undefined
    throw error
  }
}

export function setSessionCookie(response: HttpResponse, token: string, secure: boolean): void {
  setCookie(response, { name: sessionCookie, value: token, secure })
}

export function clearSessionCookie(response: HttpResponse, secure: boolean): void {
  setCookie(response, { name: sessionCookie, value: '', secure, maxAge: 0 })
}

/** Whether the script of a dashboard page updates it, or opens the event stream. */
function isAutomatic({ method, headers }: HttpRequest): boolean {
  return (
    method === 'GET' &&
    ('x-page-version' in headers || (headers.accept ?? '').includes('text/event-stream'))
  )
}

export function describeClient(
  { getClientAddress }: Pick<ServerContext, 'getClientAddress'>,
  request: HttpRequest,
): LoginClient {
  const device = describeDevice(request.headers['user-agent'] ?? '')
  return { device, address: getClientAddress(request) }
}
