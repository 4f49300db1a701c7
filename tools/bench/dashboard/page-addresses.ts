import { listPageRoutes } from '../../browser/dashboard-routes.js'
import type { FilledLists } from '../../browser/fill-lists.js'
import { getNeighborId } from '../servers/accounts.js'

/** Pages of the dashboard that need no session, and lists with a query. */
const others = [
  ...['/docs', '/messages?filter=failed', '/messages?start=50000', '/messages?q=12345'],
  '/?period=days',
]

/** The address of each page of the dashboard, by its route. */
export function listPageAddresses(
  lists: FilledLists,
  message: string,
): (readonly [route: string, address: string])[] {
  const values: Readonly<Record<string, string>> = {
    '/messages/:id': `/messages/${message}`,
    '/subscriptions/:id': `/subscriptions/${lists.subscription}`,
    '/accounts/:id': `/accounts/${getNeighborId(0)}`,
    '/phones/:name': `/phones/${lists.phone}`,
    '/conversations/:number': `/conversations/${encodeURIComponent(lists.number)}`,
    '/settings/keys/:name': '/settings/keys/api',
  }
  const routes = [...listPageRoutes(), ...others]
  return routes.map(route => {
    const start = Object.keys(values).find(each => route.startsWith(each))
    const path = start === undefined ? route : route.replace(start, values[start] ?? '')
    return [route, path.replace(/\/keys\/:name$/, '/keys/api')]
  })
}
