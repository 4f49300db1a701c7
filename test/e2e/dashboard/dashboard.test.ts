import { beforeAll, expect, onTestFinished, test } from 'vitest'
import type { NewAccount } from '../../../src/contract/account-schema.js'
import { navigationPaths } from '../../../src/server/dashboard/page/navigation.js'
import { findMissingRoutes, listPageRoutes } from '../../../tools/browser/dashboard-routes.js'
import { visitPages } from '../../../tools/browser/walk-pages.js'
import { isFullRun } from '../../tier.js'
import { fetchReply, listRequests, renderForm, startOtherSite } from './attacks.js'
import {
  checkNarrowPage,
  checkPage,
  type Faults,
  loadAxe,
  recordFaults,
  tabTo,
} from './check-pages.js'
import {
  addAccount,
  openClient,
  openPage,
  signInByRequest,
  startPhone,
} from './dashboard-service.js'
import { browser, describeInChromium, openSignedIn, service } from './describe-in-chromium.js'
import {
  fillWithPayloads,
  type PayloadResources,
  payload,
  payloadEmail,
} from './payload-account.js'

const sendTabs = ['To one or more numbers', 'To contacts', 'From a table']
const missingId = '01a00000-0000-7000-8000-000000000000'

describeInChromium('the dashboard', () => {
  let own: PayloadResources
  /** Another account, whose e-mail address is markup. */
  let other: NewAccount
  beforeAll(async () => {
    other = await addAccount(service, payloadEmail)
    own = await fillWithPayloads(service, service.owner)
  })
  /** The first paths to visit: those without a link to them, and messages in every status. */
  function listStartPaths(): string[] {
    const encoded = encodeURIComponent(payload)
    const pages = [`/messages?q=${encoded}`, `/${encoded}`, `/login?next=/${encoded}`]
    const messages = own.messages.map(id => `/messages/${id}`)
    return ['/', ...messages, `/accounts/${other.id}`, ...pages]
  }

  async function open(options = {}) {
    return await openPage(browser, service, onTestFinished, options)
  }

  test('a person signs in and sends a text with the keyboard and sees it become sent', async () => {
    const { page } = await open()
    await page.goto('/login')
    expect(await tabTo(page, 'Skip to content')).toHaveLength(1)
    await page.keyboard.press('Enter')
    expect(await tabTo(page, 'E-mail address')).toHaveLength(1)
    await page.keyboard.type(service.owner.email)
    expect(await tabTo(page, 'Password')).toHaveLength(1)
    await page.keyboard.type(service.owner.password)
    await page.keyboard.press('Enter')
    await page.waitForURL('/')

    await tabTo(page, 'New message')
    await page.keyboard.press('Enter')
    await page.waitForURL('/send')
    await tabTo(page, 'Skip to content')
    await page.keyboard.press('Enter')
    expect(await tabTo(page, 'To')).toEqual([...sendTabs, 'To'])
    await page.keyboard.type('+12025550123')
    expect(await tabTo(page, 'Message')).toHaveLength(1)
    await page.keyboard.type('Hello from the keyboard')
    await page.locator('#length').getByText('23').waitFor()
    expect(await tabTo(page, 'Send')).toEqual(['Send on', 'Time zone', 'Send'])
    await page.keyboard.press('Enter')

    await page.locator('.notice.good').waitFor()
    await page.locator('.head .pill', { hasText: 'Waiting' }).waitFor()
    await page.evaluate('self.isSamePage = true')
    const phone = startPhone(service)
    onTestFinished(async () => void (await phone.end('SIGINT')))
    await page.locator('.head .pill', { hasText: 'Sent' }).waitFor()
    expect(await page.evaluate('self.isSamePage')).toBe(true)
  })

  test.runIf(isFullRun)('a new secret URL is shown, asks for confirmation and sends', async () => {
    const faults: Faults = []
    const { page } = await openSignedIn()
    recordFaults(page, faults)
    await page.getByRole('link', { name: 'Secret URLs' }).click()
    await page.getByLabel('Name').fill('Front door')
    await page.getByLabel('To', { exact: true }).fill('+12025550127')
    await page.getByLabel('Ask for confirmation').check()
    await page.getByRole('button', { name: 'Create the secret URL' }).click()
    const address = (await page.locator('.once pre').first().textContent()) ?? ''
    await checkPage(page, faults)
    await page.goto(`${address}?message=Ding`)
    await checkPage(page, faults)
    await Promise.all([
      page.waitForResponse(response => response.request().method() === 'POST'),
      page.getByRole('button', { name: 'Send' }).click(),
    ])
    await page.getByRole('button', { name: 'Send' }).waitFor({ state: 'detached' })
    await checkPage(page, faults)
    expect(faults).toEqual([])
    const { messages } = openClient(service, service.owner)
    expect(await messages.list({ count: 1, order: 'desc' })).toMatchObject([
      { source: 'url', message: 'Ding', destination: '+12025550127' },
    ])
  })

  test('every page is accessible in all widths and both themes and runs no payload', async () => {
    const faults: Faults = []
    const { page } = await openSignedIn()
    recordFaults(page, faults)
    if (isFullRun) await loadAxe(page)
    const paths = await visitPages(page, listStartPaths(), async () => {
      const { pathname } = new URL(page.url())
      const isMain = navigationPaths.includes(pathname) || pathname === '/send'
      await (isFullRun || isMain ? checkPage(page, faults) : checkNarrowPage(page, faults))
    })
    expect(findMissingRoutes(listPageRoutes(), paths)).toEqual([])
    expect(paths).toEqual(expect.arrayContaining([...navigationPaths]))
    expect(faults).toEqual([])
  }, 900_000)

  test.runIf(isFullRun)(
    'no payload becomes markup even without the Content Security Policy',
    async () => {
      const { page } = await openSignedIn({ bypassCSP: true })
      const faults: string[] = []
      await visitPages(page, listStartPaths(), async () => {
        for (const fault of await page.evaluate<string[]>('inPage.faults()'))
          faults.push(`${page.url()}: ${fault}`)
      })
      expect(faults).toEqual([])
    },
  )

  test.runIf(isFullRun)(
    'resources of another account get the same replies as missing ones',
    async () => {
      const { page, context } = await open()
      await signInByRequest(context, other)
      await page.goto('/')
      const csrf = await page.locator('[name=csrf]').first().inputValue()
      for (const request of listRequests(own, service.owner)) {
        const reply = await fetchReply(context, { ...request, csrf })
        const missing = await fetchReply(context, { ...request, csrf, id: missingId })
        expect(reply, request.path).toBe(missing)
      }
      const client = openClient(service, service.owner)
      expect(await client.messages.get(own.messages[0] ?? '')).toMatchObject({ status: 'B' })
      expect((await client.secretUrls.list()).map(({ id }) => id)).toContain(own.secretUrl)
    },
  )

  test.runIf(isFullRun)(
    'another site on this machine can neither post forms nor read pages',
    async () => {
      const { page, context } = await openSignedIn()
      const csrf = await page.locator('[name=csrf]').first().inputValue()
      const [, waiting] = own.messages
      const { email, password } = other
      const forms = [`/messages/${waiting}/delete`, '/logout', '/login'].map(path =>
        renderForm(service.url + path, { csrf, email, password }),
      )
      const frame = `<iframe src="${service.url}/messages"></iframe>`
      const site = await startOtherSite(forms.join('') + frame, onTestFinished)
      for (const at of forms.keys()) {
        await page.goto(site)
        const [reply] = await Promise.all([
          page.waitForResponse(response => response.request().method() === 'POST'),
          page.getByRole('button').nth(at).click(),
        ])
        expect(reply.status()).toBe(403)
      }
      await page.goto(site)
      expect(await page.frames().at(1)?.content()).not.toContain('Messages')
      const read = `fetch(${JSON.stringify(`${service.url}/messages`)}, { credentials: 'include' })
      .then(() => 'read', () => 'rejected')`
      expect(await page.evaluate(read)).toBe('rejected')
      await page.goto('/messages')
      expect(new URL(page.url()).pathname).toBe('/messages')
      const { messages } = openClient(service, service.owner)
      expect(await messages.get(waiting ?? '')).toMatchObject({ status: 'N' })
      const session = (await context.cookies()).find(({ name }) => name === 'smsrelay_session')
      expect(session).toMatchObject({ httpOnly: true, sameSite: 'Lax', path: '/' })
      expect(await page.evaluate('document.cookie')).not.toContain('smsrelay_session')
    },
  )
})
