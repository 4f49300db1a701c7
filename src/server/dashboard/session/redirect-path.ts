const localOrigin = 'http://dashboard.invalid'

/** Returns a local path to redirect to after sign-in; `/` for an address on another host. */
export function toLocalPath(text: unknown): string {
  if (typeof text !== 'string' || !text.startsWith('/') || !URL.canParse(text, localOrigin))
    return '/'
  const { origin, pathname, search } = new URL(text, localOrigin)
  // After the login, `/..//host` is a local page, but its normalized path `//host` is not.
  return origin === localOrigin && !pathname.startsWith('//') ? pathname + search : '/'
}
