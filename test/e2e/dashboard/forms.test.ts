import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import type { RelayClient } from '../../../src/client/relay-client.js'
import { openClient } from './dashboard-service.js'
import { describeInChromium, openSignedIn, service } from './describe-in-chromium.js'

interface DoubleClick {
  readonly path: string
  readonly fill: (page: Page, name: string) => Promise<void>
  readonly button: RegExp
  /** A part of the page afterwards. */
  readonly result: string
  readonly count: (client: RelayClient) => Promise<number>
}

const doubleClicks: Readonly<Record<string, DoubleClick>> = {
  'a message': {
    path: '/send',
    fill: async (page, name) => {
      await page.getByLabel('To', { exact: true }).fill('+12025550123')
      await page.locator('#message').fill(name)
    },
    button: /^Send/,
    result: 'h1:has-text("Message")',
    count: async client => (await client.messages.list({ filter: 'all', count: 100 })).length,
  },
  'a subscription': {
    path: '/subscriptions/new',
    fill: async page => await page.getByLabel('URL').fill('http://127.0.0.1:9/'),
    button: /^Create/,
    result: '.notice.good',
    count: async client => (await client.subscriptions.list()).length,
  },
}

/**
 * Presses a button, and presses it again when the relay has answered but the browser has not got
 * the reply yet, as with a slow network.
 */
async function clickTwice(page: Page, name: RegExp): Promise<void> {
  const button = page.locator('main').getByRole('button', { name })
  const isForm = (url: URL) => url.pathname !== '/send/length'
  let posts = 0
  let click = (): void => {}
  const clicked = new Promise<void>(resolve => {
    click = resolve
  })
  const answered = new Promise<void>(resolve => {
    void page.route(isForm, async route => {
      const isPost = route.request().method() === 'POST'
      if (isPost) posts += 1
      if (!isPost || posts !== 1) return await route.continue()
      const response = await route.fetch({ maxRedirects: 0 })
      resolve()
      await clicked
      // Without scripts, the browser has given up the first request to send the form again.
      await route.fulfill({ response }).catch(() => {})
    })
  })
  await button.scrollIntoViewIfNeeded()
  const { x = 0, y = 0 } = (await button.boundingBox()) ?? {}
  // Unlike the click of a locator, that of the mouse waits for no navigation.
  await page.mouse.click(x + 5, y + 5)
  await answered
  await page.mouse.click(x + 5, y + 5)
  click()
}

describeInChromium('forms', () => {
  const cases = Object.keys(doubleClicks).flatMap(name => [
    [name, 'with', true] as const,
    [name, 'without', false] as const,
  ])

  test.each(cases)('two slow clicks create %s once, %s scripts', async (kind, _, scripts) => {
    const { path, fill, button, result, count } = doubleClicks[kind] as DoubleClick
    const client = openClient(service, service.owner)
    const before = await count(client)
    const { page } = await openSignedIn({ javaScriptEnabled: scripts })
    await page.goto(path)
    await fill(page, `${kind} ${scripts}`)
    await clickTwice(page, button)
    await page.locator(result).first().waitFor()
    expect(await count(client)).toBe(before + 1)
  })

  test('a button stays where it is while the length of a text appears', async () => {
    const { page } = await openSignedIn()
    await page.goto('/send')
    const button = page.locator('main').getByRole('button', { name: /^Send/ })
    const before = await button.boundingBox()
    await page.locator('#message').fill('Hello')
    await page.locator('#length').getByText('5 characters').waitFor()
    expect(await button.boundingBox()).toEqual(before)
  })

  test('a secret that two clicks create is shown, also after a reload', async () => {
    const { page } = await openSignedIn()
    await page.goto('/urls')
    await clickTwice(page, /^Create/)
    const secret = await page.locator('main pre').first().textContent()
    expect(secret).toMatch(/\/u\/sru_/)
    await page.reload()
    expect(await page.locator('main pre').first().textContent()).toBe(secret)
  })
})
