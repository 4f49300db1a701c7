export const mask = '•••'
const loginPattern = /^(https?:\/\/)([^/?#\\]*)@/

export function maskUrl(url: string): string {
  return url.replace(loginPattern, `$1${mask}@`)
}

/**
 * Restores the login of `stored` in a URL that a person typed in the dashboard, if its login is
 * still masked. Undefined if the URL is on another server, which must not receive that login.
 */
export function unmaskUrl(typed: string, stored: string): string | undefined {
  const [, , userinfo] = loginPattern.exec(typed) ?? []
  if (userinfo !== mask) return typed
  const [, , storedLogin = ''] = loginPattern.exec(stored) ?? []
  const isSameServer = URL.canParse(typed) && new URL(typed).origin === new URL(stored).origin
  return isSameServer
    ? typed.replace(loginPattern, (_, scheme: string) => `${scheme}${storedLogin}@`)
    : undefined
}
