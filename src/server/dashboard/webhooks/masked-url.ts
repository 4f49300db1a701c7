const mask = '•••'
const login = /^(https?:\/\/)([^/?#\\]*)@/

/** An address with login and password covered, for pages. */
export function maskedUrl(url: string): string {
  return url.replace(login, `$1${mask}@`)
}

/**
 * An address as it was typed into a form that showed the masked one of `stored`: with its login where that is still
 * covered. Undefined where the rest names another server, which is not to be told that login.
 */
export function unmaskedUrl(typed: string, stored: string): string | undefined {
  const [, , userinfo] = login.exec(typed) ?? []
  if (userinfo !== mask) return typed
  const [, , kept = ''] = login.exec(stored) ?? []
  const isSame = URL.canParse(typed) && new URL(typed).origin === new URL(stored).origin
  return isSame ? typed.replace(login, (_, scheme: string) => `${scheme}${kept}@`) : undefined
}
