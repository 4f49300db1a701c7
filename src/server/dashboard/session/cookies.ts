import type { IncomingMessage, ServerResponse } from 'node:http'

/** A cookie to set; every one is HttpOnly and SameSite=Lax, and goes to every path. */
export interface Cookie {
  readonly name: string
  /** Characters of base64url and `.` only. */
  readonly value: string
  /** Whether it travels over TLS only; its name then begins with `__Host-`. */
  readonly secure: boolean
  /** Seconds; 0 removes it. @default until the browser ends */
  readonly maxAge?: number
}

/** The value of a cookie (RFC 6265 section 5.4); undefined when it was sent never, or more than once. */
export function getCookie(
  request: IncomingMessage,
  name: string,
  secure: boolean,
): string | undefined {
  const wanted = `${toCookieName(name, secure)}=`
  const found = (request.headers.cookie ?? '')
    .split(';')
    .map(pair => pair.trim())
    .filter(pair => pair.startsWith(wanted))
  return found.length === 1 ? found[0]?.slice(wanted.length) : undefined
}

/** Sets a cookie beside those that were set before (RFC 6265 section 4.1). */
export function setCookie(response: ServerResponse, cookie: Cookie): void {
  const { name, value, secure, maxAge } = cookie
  const parts = [`${toCookieName(name, secure)}=${value}`, 'Path=/', 'HttpOnly', 'SameSite=Lax']
  if (secure) parts.push('Secure')
  if (maxAge !== undefined) parts.push(`Max-Age=${maxAge}`)
  response.appendHeader('Set-Cookie', parts.join('; '))
}

function toCookieName(name: string, secure: boolean): string {
  return secure ? `__Host-${name}` : name
}
