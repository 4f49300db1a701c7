const localOrigin = 'http://dashboard.invalid'

/** A path of the dashboard as it was asked for; `/` for everything that would lead elsewhere. */
export function toLocalPath(text: unknown): string {
  if (typeof text !== 'string' || !text.startsWith('/') || !URL.canParse(text, localOrigin))
    return '/'
  const { origin, pathname, search } = new URL(text, localOrigin)
  // `/..//host` is local, and its path `//host` is not.
  return origin === localOrigin && !pathname.startsWith('//') ? pathname + search : '/'
}
