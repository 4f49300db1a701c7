import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { startChromium } from '../../../../tools/browser/chromium.js'
import { openTestDatabase } from '../../store/postgres/test-postgres.js'
import { openNode } from '../../two-nodes.js'
import { annEmail, openClient, password } from '../dashboard-relay.js'

const number = '+12025550123'
/** Waits until the event stream of a page is open. */
async function waitForStream(page: Page): Promise<void> {
  await expect.poll(async () => await page.evaluate('hasOpened')).toBe(true)
}

/** Gives a page its own stream, as in browsers without shared workers. */
async function removeSharedWorkers(page: Page): Promise<void> {
  await page.addInitScript('delete self.SharedWorker')
}

/** Milliseconds between the updates of a page without its event stream. */
const pollInterval = 15_000

const hasChromium = process.platform === 'linux' && process.arch === 'x64'

describe.skipIf(!hasChromium && process.env.SMSRELAY_CHROMIUM === undefined)('live pages', () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await startChromium()
  })
  afterAll(async () => await browser.close())

  /** Ann uses the API of the first node, and the dashboard of the second. */
  async function start() {
    const url = await openTestDatabase()
    const nodes = [await openNode(url), await openNode(url)] as const
    for (const node of nodes) await node.start()
    const ann = await nodes[0].administration.createAccount({ email: annEmail, password })
    const { messages } = openClient(nodes[0].url, ann)
    const { id } = await messages.create({
      ...{ destination: number, message: 'Hello', send_on: '2099-01-01 12:00:00' },
    })
    const context = await browser.newContext({ baseURL: nodes[1].url, locale: 'en-US' })
    onTestFinished(async () => await context.close())
    await context.request.post('/login', { form: { email: annEmail, password } })
    return { nodes, messages, id, page: await context.newPage() }
  }

  const pill = (page: Page, id: string, word: string) =>
    page.locator(`#m-${id} .pill`, { hasText: word })

  test('a page is not read again when its stream opens', async () => {
    const { page } = await start()
    await page.clock.install()
    let updates = 0
    page.on('request', request => {
      if ('x-page-version' in request.headers()) updates += 1
    })
    await page.goto('/messages')
    await waitForStream(page)
    await page.clock.runFor(pollInterval)
    expect(updates).toBe(0)
  })

  test('a change between a page and its stream reaches the page', async () => {
    const { messages, id, page } = await start()
    await removeSharedWorkers(page)
    await page.route('**/live?*', async route => {
      await messages.lock(id)
      await route.fallback()
    })
    await page.goto('/messages')
    await pill(page, id, 'Locked').waitFor()
  })

  test('a stream at another node than its page has it read once', async () => {
    const { page, nodes } = await start()
    await removeSharedWorkers(page)
    await page.goto('/messages')
    await waitForStream(page)
    const updated = page.waitForResponse(reply => 'x-page-version' in reply.request().headers())
    // Cookies are those of all ports of the host.
    const other = await page.context().newPage()
    await other.goto(`${nodes[0].url}/messages`)
    const mark = String(await other.evaluate('document.body.dataset.mark'))
    await page.evaluate(`{
      document.body.dataset.mark = '${mark}'
      stream.close()
      hasOpened = false
      openStream()
    }`)
    await updated
  })

  test('a change at one node reaches an open page of the other that never polls', async () => {
    const { messages, id, page } = await start()
    await page.addInitScript('self.setInterval = () => 0')
    await page.goto('/messages')
    await waitForStream(page)
    await messages.lock(id)
    await pill(page, id, 'Locked').waitFor()
    expect(await page.locator('#stale').isVisible()).toBe(false)
  })

  test('a page without its event stream says since when, polls, and opens it again', async () => {
    const { messages, id, page } = await start()
    await removeSharedWorkers(page)
    await page.clock.install()
    let isBroken = true
    await page.route('**/live?*', async route =>
      isBroken ? await route.fulfill({ status: 502, body: '' }) : await route.fallback(),
    )
    await page.goto('/messages')
    await page.locator('#stale-since', { hasText: /^\d\d:\d\d$/ }).waitFor()
    await messages.lock(id)
    /** Lets the time of the page pass until it is as expected; replies take their own time. */
    const passUntil = async (isReached: () => Promise<boolean>) => {
      const step = async () => {
        await page.clock.runFor(pollInterval)
        return await isReached()
      }
      await expect.poll(step).toBe(true)
    }
    await passUntil(async () => await pill(page, id, 'Locked').isVisible())
    expect(await page.locator('#stale').isVisible()).toBe(true)
    isBroken = false
    await passUntil(async () => !(await page.locator('#stale').isVisible()))
    await messages.unlock(id)
    await passUntil(async () => await pill(page, id, 'Scheduled').isVisible())
  })
})
