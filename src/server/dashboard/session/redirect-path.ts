const here = 'http://dashboard.invalid'

/** A path of the dashboard as it was asked for; `/` for everything that would lead elsewhere. */
export function localPath(text: unknown): string {
  if (typeof text !== 'string' || !text.startsWith('/') || !URL.canParse(text, here)) return '/'
  const { origin, pathname, search } = new URL(text, here)
  // `/..//host` is local, and its path `//host` is not.
  return origin === here && !pathname.startsWith('//') ? pathname + search : '/'
}
