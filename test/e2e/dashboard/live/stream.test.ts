import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { addAccount, openClient, signInByRequest } from '../dashboard-service.js'
import { describeInChromium, openSignedIn, service } from '../describe-in-chromium.js'

/** Milliseconds after which a page does not wait for its event stream. */
const maxOpenTime = 10_000

describeInChromium('event streams of live pages', () => {
  async function createMessage(message: string) {
    const { messages } = openClient(service, service.owner)
    const draft = { destination: '+12025550147', message, send_on: '2099-12-31 12:00:00' }
    const { id } = await messages.create(draft)
    const lock = async () => await messages.lock(id)
    const waitForLock = async (page: Page) =>
      await page.locator(`#m-${id} .pill`, { hasText: 'Locked' }).waitFor()
    return { lock, waitForLock }
  }

  async function waitForStream(page: Page) {
    await expect.poll(async () => await page.evaluate('hasOpened')).toBe(true)
  }

  test('eight windows of a browser are live, and none of them blocks the others', async () => {
    const { context } = await openSignedIn()
    const { lock, waitForLock } = await createMessage('Eight windows')
    const pages: Page[] = []
    for (let count = 0; count < 8; count += 1) {
      const page = await context.newPage()
      await page.goto('/messages')
      await waitForStream(page)
      pages.push(page)
    }
    await lock()
    await Promise.all(pages.map(waitForLock))
  })

  test('a change before a page joins the stream of another page reaches it', async () => {
    const { page, context } = await openSignedIn()
    const { lock, waitForLock } = await createMessage('Late')
    await page.goto('/messages')
    await waitForStream(page)
    const late = await context.newPage()
    await late.route('**/live-page.js', async route => {
      await lock()
      await waitForLock(page)
      await route.continue()
    })
    await late.goto('/messages')
    await waitForLock(late)
  })

  /** Gives the shared worker of a page another script. */
  async function replaceWorker(page: Page, script: string) {
    await page.addInitScript(`self.SharedWorker = class extends SharedWorker {
      constructor() { super(${script}) }
    }`)
  }

  test.each([
    ['cannot be loaded', `'/assets/missing/live-stream.js'`],
    ['does not answer', `document.querySelector('script[src*=morph]').src`],
  ])('a page opens its own stream if the shared one %s', async (_, script) => {
    const { page } = await openSignedIn()
    const { lock, waitForLock } = await createMessage('Own stream')
    await replaceWorker(page, script)
    await page.clock.install()
    const opened = page.waitForRequest('**/live?*')
    await page.goto('/messages')
    await page.clock.runFor(maxOpenTime)
    await opened
    await waitForStream(page)
    await lock()
    await waitForLock(page)
  })

  test('a page whose stream does not open says so, and asks for changes', async () => {
    const { page, context } = await openSignedIn()
    const { lock, waitForLock } = await createMessage('Held back')
    await page.addInitScript('delete self.SharedWorker')
    // As a proxy that holds replies back.
    await context.route('**/live?*', () => undefined)
    await page.clock.install()
    await page.goto('/messages')
    await page.clock.runFor(maxOpenTime)
    await page.getByText('Live updates stopped at').waitFor()
    await lock()
    await page.clock.runFor(16_000)
    await waitForLock(page)
  })

  test('the stream of a session is not used after another account has signed in', async () => {
    const { page, context } = await openSignedIn()
    const other = await addAccount(service, 'other-stream@example.com')
    await page.goto('/messages')
    await waitForStream(page)
    await signInByRequest(context, other)
    const next = await context.newPage()
    await next.goto('/')
    await waitForStream(next)
    const { receivedTexts } = openClient(service, other)
    await receivedTexts.report({ from: '+12025550148', message: 'For the other account' })
    await next.locator('.feed .text', { hasText: 'For the other account' }).waitFor()
  })
})
