import { expect, test } from 'vitest'
import { createDashboardRoutes } from '../../../../src/server/dashboard/dashboard.js'
import type { PageSender } from '../../../../src/server/dashboard/page/page-sender.js'
import { Browser, getHiddenField, type PageReply } from '../browser.js'
import { password } from '../dashboard-relay.js'
import { emails, startWithPeople } from '../people/people-rig.js'

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

type Send = (browser: Browser, path: string, csrf: string) => Promise<PageReply>

/** A page with a token that each role may open, and with little work. */
const tokenPage = '/templates'

const follow = false
const plain = { headers: { 'Content-Type': 'text/plain' }, follow }

const cases: Readonly<Record<string, Send>> = {
  'without its fields': async (browser, path, csrf) =>
    await browser.post(path, { csrf }, { follow }),
  'without a CSRF token': async (browser, path) => await browser.post(path, {}, { follow }),
  'without a key': async (browser, path, csrf) =>
    await browser.post(path, { csrf, key: '' }, { follow }),
  'with a body that is no form': async (browser, path) => await browser.post(path, {}, plain),
}

test.each(Object.entries(cases))('each form that is sent %s redirects', async (_, send) => {
  const { browsers } = await startWithPeople()
  const paths = listForms()
  expect(paths.length).toBeGreaterThan(60)
  for (const role of ['admin', 'reader'] as const)
    for (const path of paths) {
      const browser = browsers[role]
      let page = await browser.get(tokenPage)
      // Some of the forms end the session.
      if (page.path !== tokenPage) page = await browser.signIn(emails[role], password)
      expectRedirect(path, await send(browser, path, getHiddenField(page.text, 'csrf')))
    }
})

test('each form without a session, or of one that has ended, redirects', async () => {
  const { url, browsers } = await startWithPeople()
  const csrf = getHiddenField((await browsers.admin.get('/')).text, 'csrf')
  await fetch(`${url}/oauth/revoke?token=${browsers.admin.cookies.get('smsrelay_session')}`)
  for (const path of listForms())
    for (const browser of [new Browser(url), browsers.admin])
      for (const options of [{ follow }, plain])
        expectRedirect(path, await browser.post(path, { csrf, message: 'Hello' }, options))
})
