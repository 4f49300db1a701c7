import { test } from 'vitest'
import { listPageRoutes } from '../../tools/browser/dashboard-routes.js'
import { Browser } from '../server/dashboard/browser.js'
import { expectFiles } from './expect-files.js'
import { fillRelay, password, startFixedRelay } from './fixture.js'
import { describePage } from './page-text.js'

/** What differs between runs or machines. */
function normalize(line: string): string {
  return line
    .replace(/\b[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}\b/g, 'ID')
    .replace(/127\.0\.0\.1:\d{4,5}\b/g, '127.0.0.1:PORT')
    .replace(/(\/invitations?\/|\/u\/|key=)[\w-]{20,}/g, '$1…')
    .replace(/<number>\.\w+…/, '<number>.KEY…')
    .replace(/^Request .*/, 'Request ID')
    .replace(/^[A-Z\d]{4}( [A-Z\d]{4}){7}$/, '…')
    .replace(/\b\d+ s ago|\bjust now\b/g, 'NOW')
    .replace(/\b12:00:\d\d/g, '12:00:SS')
    .replace(/\b\d+(\.\d)? (GiB|MiB|KiB|B|ms)\b/g, 'N $2')
    .replace(/^(webhook-(?:timestamp|signature)): .*/, '$1: …')
    .replace(/evt_(\d+)_[\w-]+/, 'evt_$1_ID')
    .replace(/^v\d+\.\d+\.\d+$/, 'VERSION')
}

test('the pages of the dashboard', async () => {
  const fixed = await startFixedRelay()
  const { ids, link, invitation } = await fillRelay(fixed)
  const fill = (route: string) =>
    route
      .replace(':number', '%2B12025550114')
      .replace(/(phones)\/:name/, '$1/attic')
      .replace(':name', 'api')
      .replace(/(\w+)\/:id/, (_, kind) => `${kind}/${ids[kind]}`)
  const owner = new Browser(fixed.relay.url, { email: 'ann@example.com', password })
  const files = new Map<string, string[]>()
  const others = [
    '/login',
    '/lost',
    new URL(invitation.url).pathname,
    new URL(link.url ?? '').pathname,
  ]
  for (const route of [...listPageRoutes(), '/lost', ...others]) {
    const browser = others.includes(route) ? new Browser(fixed.relay.url) : owner
    const { status, path, text } = await browser.get(fill(route))
    const { frame, main } = describePage(text)
    const file = browser !== owner ? 'public' : route.split('/')[1] || 'overview'
    if (file === 'overview') files.set('frame', frame)
    const lines = [`GET ${route}: ${status} ${path}`, ...main, ''].map(normalize)
    files.set(file, [...(files.get(file) ?? []), ...lines])
  }
  await expectFiles('pages', files)
})
