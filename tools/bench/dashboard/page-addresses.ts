import type { Page } from 'playwright-core'
import { findMissingRoutes, findRoute, listPageRoutes } from '../../browser/dashboard-routes.js'
import { visitPages } from '../../browser/walk-pages.js'
import { getNeighborId } from '../servers/accounts.js'

/** Lists with a query, and a page that needs no session. */
const others = [
  ...['/docs', '/messages?filter=failed', '/messages?start=50000', '/messages?q=12345'],
  '/messages?q=zebra',
  ...['/messages?age=month', '/statistics?by=phone', '/statistics?by=hour', '/?period=days'],
]

/** Finds an address of each page of the dashboard by its links; the key is the route. */
export async function findPageAddresses(page: Page): Promise<ReadonlyMap<string, string>> {
  const paths = await visitPages(page, ['/', `/accounts/${getNeighborId(0)}`])
  const routes = listPageRoutes()
  const missing = findMissingRoutes(routes, paths)
  if (missing.length > 0) throw new Error(`No link leads to ${missing.join(', ')}.`)
  const found = routes.map(route => {
    const address = paths.find(path => findRoute(path) === route) ?? route
    return [route, route.includes(':') ? address : route] as const
  })
  const known = others.map(path => [path, path] as const)
  return new Map([...found, ...known, [deepRoute, await findDeepAddress(page)]])
}

/** A page behind most messages; the link to it has the message at which it begins. */
const deepRoute = '/messages?start=900000'

async function findDeepAddress(page: Page): Promise<string> {
  await page.goto('/messages?start=899950')
  const next = page.locator('a[rel=next]')
  return (await next.count()) === 0 ? deepRoute : String(await next.getAttribute('href'))
}
