import { createPages } from '../../src/server/dashboard/dashboard-pages.js'

/** The dashboard's own list of its pages; the handlers, which need a relay, are not called. */
const routes = Object.entries(createPages({ context: {} as never, attention: {} as never }))

/** What a GET answers with something else than a page, or with a page of another address. */
const notPages = new Set([...['/live', '/do-not-text/export', '/contacts/export', '/received']])

/** Pages of somebody with a second factor, and of a host with passkeys: see `security.test`. */
const securityPages = new Set([
  ...['/settings/security/authenticator/remove', '/settings/security/recovery-codes'],
  '/settings/people/:id/second-factor',
  ...['/settings/security/passkeys/new', '/settings/security/passkeys/:id/remove'],
])

/** The paths of all pages; `:` and a name stand for a part of a path. */
export function listPageRoutes(): string[] {
  const pages = routes.filter(([, { GET }]) => GET !== undefined).map(([path]) => path)
  const isFile = (path: string) => notPages.has(path) || path.endsWith('.csv')
  return pages.filter(path => !isFile(path) && !securityPages.has(path))
}

/** The paths of all forms. */
export function listFormRoutes(): string[] {
  return routes.filter(([, { POST }]) => POST !== undefined).map(([path]) => path)
}

/** The routes that none of the addresses has. */
export function findMissingRoutes(
  expected: readonly string[],
  addresses: readonly string[],
): string[] {
  const found = new Set(addresses.map(findRoute))
  return expected.filter(route => !found.has(route))
}

/** Finds the route of an address: as in the relay, one without parameters wins. */
export function findRoute(address: string): string | undefined {
  const { pathname } = new URL(address, 'http://route.invalid')
  const paths = routes.map(([path]) => path)
  const pattern = (path: string) => new RegExp(`^${path.replaceAll(/:\w+/g, '[^/]+')}$`)
  return paths.includes(pathname) ? pathname : paths.find(path => pattern(path).test(pathname))
}
