import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import type { NewAccount } from '../../../src/contract/account-schema.js'
import { navigation } from '../../../src/server/dashboard/page/layout.js'
import { renderForm, startForeignSite } from './foreign-site.js'
import { type Belongings, fillWithPayloads, hostileEmail, payload } from './hostile.js'
import { tabTo } from './keyboard.js'
import { fetchReply, listRequests } from './strangers.js'
import { checkPage, type Faults, recordFaults, visitPages } from './walk.js'
import {
  addAccount,
  type DashboardService,
  findChromium,
  openClient,
  openPage,
  signIn,
  signInByRequest,
  startDashboard,
  startPhone,
} from './world.js'

const found = await findChromium()
if (typeof found === 'string') console.warn(`Skipped, without a browser: ${found}`)
const browser = found as Browser
const missing = '01a00000-0000-7000-8000-000000000000'

describe.skipIf(typeof found === 'string')('the dashboard in Chromium', () => {
  let world: DashboardService
  let own: Belongings
  /** Another account, whose e-mail address is markup. */
  let other: NewAccount
  beforeAll(async () => {
    world = await startDashboard()
    other = await addAccount(world, hostileEmail)
    own = await fillWithPayloads(world, world.owner)
  })
  afterAll(async () => {
    await browser.close()
    await world.end()
  })

  /** Where a walk begins: what links do not lead to, and messages in every state. */
  function from(): string[] {
    const named = encodeURIComponent(payload)
    const searched = [`/messages?q=${named}`, `/${named}`, `/login?next=/${named}`]
    return ['/', ...own.messages.map(id => `/messages/${id}`), ...searched]
  }

  async function open(options = {}) {
    return await openPage(browser, world, onTestFinished, options)
  }

  async function openSignedIn(options = {}) {
    const { page, context } = await open(options)
    await signIn(page, world.owner)
    return { page, context }
  }

  test('by keyboard alone one signs in and sends, and sees the text become Sent without a reload', async () => {
    const { page } = await open()
    await page.goto('/login')
    expect(await tabTo(page, 'Skip to content')).toHaveLength(1)
    await page.keyboard.press('Enter')
    expect(await tabTo(page, 'E-mail address')).toHaveLength(1)
    await page.keyboard.type(world.owner.email)
    expect(await tabTo(page, 'Password')).toHaveLength(1)
    await page.keyboard.type(world.owner.password)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Overview' }).waitFor()

    await tabTo(page, 'Send')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Send a message' }).waitFor()
    await tabTo(page, 'Skip to content')
    await page.keyboard.press('Enter')
    expect(await tabTo(page, 'To')).toHaveLength(1)
    await page.keyboard.type('+12025550123')
    expect(await tabTo(page, 'Message')).toHaveLength(1)
    await page.keyboard.type('Hello from the keyboard')
    await page.getByText('23 characters, 1 part in GSM').waitFor()
    expect(await tabTo(page, 'Send')).toEqual(['Send on', 'Time zone', 'Send'])
    await page.keyboard.press('Enter')

    await page.getByRole('status').getByText('is accepted').waitFor()
    await page.locator('dl .badge.new').waitFor()
    await page.evaluate('self.isStill = true')
    const phone = startPhone(world)
    onTestFinished(async () => void (await phone.end('SIGINT')))
    await page.locator('dl .badge.sent').waitFor()
    expect(await page.evaluate('self.isStill')).toBe(true)
  })

  test.each([
    ['with scripts', true],
    ['without scripts', false],
  ])(
    'a text is sent, locked and unlocked, deleted and brought back %s',
    async (_, javaScriptEnabled) => {
      const { page } = await openSignedIn({ javaScriptEnabled })
      const press = async (name: string) => await page.getByRole('button', { name }).click()
      await page.getByRole('link', { name: 'Send', exact: true }).click()
      await page.getByLabel('To', { exact: true }).fill('+12025550124\n+12025550125')
      await page.getByLabel('Message').fill('Grüße, später')
      await page.getByLabel('Send on').fill('2099-12-31T12:00')
      await press('Send')
      await page.getByText('2 messages are accepted.').waitFor()
      await page.getByRole('link', { name: '+12025550125' }).first().click()
      for (const [name, state] of [
        ['Lock', 'locked'],
        ['Unlock', 'new'],
        ['Delete', 'deleted'],
        ['Undelete', 'new'],
      ] as const) {
        await press(name)
        await page.locator(`dl .badge.${state}`).waitFor()
      }
      await page.getByText('The message is back.').waitFor()
    },
  )

  test('a number is blocked, and no text goes to it', async () => {
    const { page } = await openSignedIn()
    const number = '+12025550126'
    await page.getByRole('link', { name: 'Do Not Text' }).click()
    await page.getByLabel('Number', { exact: true }).fill(number)
    await page.getByRole('button', { name: 'Add to the list' }).click()
    await page.getByText(`${number} is on the list.`).waitFor()
    await page.getByRole('link', { name: 'Send', exact: true }).click()
    await page.getByLabel('To', { exact: true }).fill(number)
    await page.getByLabel('Message').fill('Hello')
    await page.getByRole('button', { name: 'Send' }).click()
    await page.getByRole('alert').getByText('is on the Do Not Text list').waitFor()
    await page.locator('dl .badge.blocked').waitFor()
  })

  test('a secret URL is made, shown once, and sends', async () => {
    const faults: Faults = []
    const { page } = await openSignedIn()
    recordFaults(page, faults)
    await page.getByRole('link', { name: 'Secret URLs' }).click()
    await page.getByLabel('Name').fill('Door bell')
    await page.getByLabel('To', { exact: true }).fill('+12025550127')
    await page.getByLabel('Ask before it sends').check()
    await page.getByRole('button', { name: 'Make the secret URL' }).click()
    const address = (await page.locator('.once pre').first().textContent()) ?? ''
    await checkPage(page, faults)
    await page.goto(`${address}?message=Ding`)
    await checkPage(page, faults)
    await page.getByRole('button', { name: 'Send' }).click()
    await page.getByRole('heading', { name: 'Accepted' }).waitFor()
    await checkPage(page, faults)
    expect(faults).toEqual([])
    const [newest] = await openClient(world, world.owner).messages.list({ count: 1, order: 'desc' })
    expect(newest).toMatchObject({ source: 'url', message: 'Ding', destination: '+12025550127' })
  })

  test('every page is accessible, narrow and wide, light and dark, and runs nothing of what it shows', async () => {
    const faults: Faults = []
    const { page } = await openSignedIn()
    recordFaults(page, faults)
    const paths = await visitPages(page, from(), async () => await checkPage(page, faults))
    expect(paths).toEqual(expect.arrayContaining(navigation.map(({ path }) => path)))
    expect(faults).toEqual([])
  }, 300_000)

  test('what looks like markup is text even where no policy forbids it to run', async () => {
    const { page } = await openSignedIn({ bypassCSP: true })
    const faults: string[] = []
    await visitPages(page, from(), async () => {
      for (const fault of await page.evaluate<string[]>('inPage.faults()'))
        faults.push(`${page.url()}: ${fault}`)
    })
    expect(faults).toEqual([])
  })

  test('signing in ends the session that was planted in the browser before', async () => {
    const { page, context } = await open()
    const planted = await openClient(world, {
      ...other,
      secret_key: other.email,
      api_key: other.password,
    }).issueToken()
    const cookie = { name: 'smsrelay_session', value: planted.access_token, url: world.url }
    await context.addCookies([cookie])
    await page.goto('/')
    await page.getByText(other.email).waitFor()
    await signInByRequest(context, world.owner)
    await page.goto('/')
    await page.getByText(world.owner.email, { exact: true }).waitFor()
    const [given] = await context.cookies()
    expect(given?.value).not.toBe(cookie.value)
    await context.addCookies([cookie])
    await page.goto('/')
    expect(new URL(page.url()).pathname, 'the planted session has ended').toBe('/login')
  })

  test('the pages of another account are as if they were not there', async () => {
    const { page, context } = await open()
    await signInByRequest(context, other)
    await page.goto('/')
    const csrf = await page.locator('[name=csrf]').first().inputValue()
    for (const { method, path, id } of listRequests(own, world.owner)) {
      const answer = async (of: string) => await fetchReply(context, { method, path, id: of, csrf })
      expect(await answer(id), path).toBe(await answer(missing))
    }
    const client = openClient(world, world.owner)
    expect(await client.messages.get(own.messages[0] ?? '')).toMatchObject({ status: 'B' })
    expect((await client.secretUrls.list()).map(({ id }) => id)).toContain(own.url)
  })

  test('another site on this machine can neither send forms nor look at pages', async () => {
    const { page, context } = await openSignedIn()
    const csrf = await page.locator('[name=csrf]').first().inputValue()
    const [, waiting] = own.messages
    const forms = [`/messages/${waiting}/delete`, '/logout', '/login'].map(path =>
      renderForm(world.url + path, { csrf, email: other.email, password: other.password }),
    )
    const frame = `<iframe src="${world.url}/messages"></iframe>`
    const site = await startForeignSite(forms.join('') + frame, onTestFinished)
    for (const at of forms.keys()) {
      await page.goto(site)
      await page.getByRole('button').nth(at).click()
      await page.getByText('This request came from another site.').waitFor()
    }
    await page.goto(site)
    expect(await page.frames().at(1)?.content()).not.toContain('Messages')
    const read = `fetch(${JSON.stringify(`${world.url}/messages`)}, { credentials: 'include' })
      .then(() => 'read', () => 'refused')`
    expect(await page.evaluate(read)).toBe('refused')
    await page.goto('/messages')
    expect(await page.locator('h1').textContent()).toBe('Messages')
    const now = await openClient(world, world.owner).messages.get(waiting ?? '')
    expect(now).toMatchObject({ status: 'N' })
    const session = (await context.cookies()).find(({ name }) => name === 'smsrelay_session')
    expect(session).toMatchObject({ httpOnly: true, sameSite: 'Lax', path: '/' })
    expect(await page.evaluate('document.cookie')).not.toContain('smsrelay_session')
  })
})
