import type { HttpRequest } from '../../../net/server/http-request.js'
import type { HttpResponse } from '../../../net/server/http-response.js'

/** A cookie of the dashboard; every one is HttpOnly, SameSite=Lax and valid for all its paths. */
export interface Cookie {
  readonly name: string
  /** Value of the cookie: only characters of base64url and `.`. */
  readonly value: string
  /** Limits the dashboard's cookie to TLS; its name on the wire then has a prefix. */
  readonly secure: boolean
  /**
   * Lifetime of the dashboard's cookie in seconds; 0 deletes it. @default until the browser closes
   */
  readonly maxAge?: number
}

/**
 * The value of a cookie of the dashboard (RFC 6265 section 5.4); undefined unless it was sent
 * exactly once.
 */
export function getCookie(request: HttpRequest, name: string, secure: boolean): string | undefined {
  const prefix = `${toCookieName(name, secure, request)}=`
  const found = (request.headers.cookie ?? '')
    .split(';')
    .map(pair => pair.trim())
    .filter(pair => pair.startsWith(prefix))
  return found.length === 1 ? found[0]?.slice(prefix.length) : undefined
}

/** Sets a cookie of the dashboard (RFC 6265 section 4.1). */
export function setCookie(response: HttpResponse, cookie: Cookie): void {
  const { name, value, secure, maxAge } = cookie
  const path = `Path=${response.basePath || '/'}`
  const pair = `${toCookieName(name, secure, response)}=${value}`
  const parts = [pair, path, 'HttpOnly', 'SameSite=Lax']
  if (secure) parts.push('Secure')
  if (maxAge !== undefined) parts.push(`Max-Age=${maxAge}`)
  response.appendHeader('Set-Cookie', parts.join('; '))
}

/**
 * The prefix `__Host-` needs the path `/` (RFC 6265bis section 4.1.3.2). Below a path, other
 * programs at the address do not get the cookies, and two relays have their own.
 */
function toCookieName(name: string, secure: boolean, { basePath }: { basePath: string }): string {
  if (!secure) return name
  return basePath === '' ? `__Host-${name}` : `__Secure-${name}`
}
