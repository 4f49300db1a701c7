import { expect, test } from 'vitest'
import { createDashboardRoutes } from '../../../../src/server/dashboard/dashboard.js'
import type { PageSender } from '../../../../src/server/dashboard/page/page-sender.js'
import { Browser, getHiddenField, type PageReply } from '../browser.js'
import { startWithPeople } from '../people/people-rig.js'

/** The script of a page asks for a part of it; nobody reloads the reply. */
const partialPath = '/send/length'

/** The paths of all forms; the handlers are not called. */
function listForms(): string[] {
  const anything: unknown = new Proxy(() => anything, { get: () => anything })
  const routes = Object.entries(createDashboardRoutes(anything as PageSender))
  const paths = routes.filter(([, { POST }]) => POST !== undefined).map(([path]) => path)
  return paths.map(path => path.replace(/:\w+/g, 'none'))
}

function expectRedirect(path: string, { status, headers }: PageReply): void {
  if (path === partialPath && status === 200) return
  expect(status, path).toBe(303)
  expect(headers.get('location'), path).toMatch(/^\/(?!\/)/)
}

const follow = false
const plain = { headers: { 'Content-Type': 'text/plain' }, follow }

test('each form without a session, or of one that has ended, redirects', async () => {
  const { url, browsers } = await startWithPeople()
  const csrf = getHiddenField((await browsers.admin.get('/')).text, 'csrf')
  await fetch(`${url}/oauth/revoke?token=${browsers.admin.cookies.get('smsrelay_session')}`)
  for (const path of listForms())
    for (const browser of [new Browser(url), browsers.admin])
      for (const options of [{ follow }, plain])
        expectRedirect(path, await browser.post(path, { csrf, message: 'Hello' }, options))
})
