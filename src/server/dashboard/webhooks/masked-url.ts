const mask = '•••'
const loginPattern = /^(https?:\/\/)([^/?#\\]*)@/

/** An address with login and password covered, for pages. */
export function maskUrl(url: string): string {
  return url.replace(loginPattern, `$1${mask}@`)
}

/**
 * An address as it was typed into a form that showed the masked one of `stored`: with its login where that is still
 * covered. Undefined where the rest names another server, which is not to be told that login.
 */
export function unmaskUrl(typed: string, stored: string): string | undefined {
  const [, , userinfo] = loginPattern.exec(typed) ?? []
  if (userinfo !== mask) return typed
  const [, , kept = ''] = loginPattern.exec(stored) ?? []
  const isSame = URL.canParse(typed) && new URL(typed).origin === new URL(stored).origin
  return isSame
    ? typed.replace(loginPattern, (_, scheme: string) => `${scheme}${kept}@`)
    : undefined
}
