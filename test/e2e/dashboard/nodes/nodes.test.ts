import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { endServer, restartServer } from '../../../server/store/postgres/postgres-process.js'
import { findChromium, openClient, openPage, signInByRequest } from '../dashboard-service.js'
import { type DashboardNode, type DashboardNodes, startDashboardNodes } from './dashboard-nodes.js'

const found = await findChromium()
const later = '2099-12-31 12:00:00'

describe.skipIf(typeof found === 'string')('two nodes, in turn for each request', () => {
  const browser = found as Exclude<typeof found, string>
  let service: DashboardNodes
  beforeAll(async () => {
    service = await startDashboardNodes()
  })
  afterAll(async () => {
    await browser.close()
    await service.stop()
  })

  async function openSignedIn(options = {}) {
    const { page, context } = await openPage(browser, service, onTestFinished, options)
    await signInByRequest(context, service.owner)
    return { page, context, client: openClient(service, service.owner) }
  }

  /** The node that got the latest request with this start of `METHOD /path`. */
  function findNode(request: string): DashboardNode {
    const port = service.balancer.getTarget(request)
    const node = service.nodes.find(each => each.port === port)
    if (node === undefined) throw new Error(`No node got ${request}.`)
    return node
  }

  afterEach(async () => {
    for (const node of service.nodes) if (!node.isRunning()) await node.start()
  })

  async function openMessages(page: Page) {
    await page.goto('/messages')
    await expect.poll(async () => await page.evaluate('hasOpened')).toBe(true)
    await page.evaluate('self.isSamePage = true')
  }

  test('after the end of its node, a page is live at the other one without a reload', async () => {
    const { page, client } = await openSignedIn()
    const { messages } = client
    const draft = { destination: '+12025550141', message: 'Row', send_on: later }
    const { id } = await messages.create(draft)
    await openMessages(page)
    const node = findNode('GET /live')
    await node.kill()
    await messages.lock(id)
    await page.locator(`#m-${id} .pill`, { hasText: 'Locked' }).waitFor()
    await expect.poll(() => service.balancer.getTarget('GET /live')).not.toBe(node.port)
    await node.start()
    await messages.unlock(id)
    await page.locator(`#m-${id} .pill`, { hasText: 'Scheduled' }).waitFor()
    expect(await page.locator('#stale').isVisible()).toBe(false)
    expect(await page.evaluate('self.isSamePage')).toBe(true)
  })

  test('while the database restarts, pages say so, and input is sent once', async () => {
    const { page, context, client } = await openSignedIn()
    const [live, other] = [await context.newPage(), await context.newPage()]
    await openMessages(live)
    await page.goto('/send')
    await page.getByLabel('To', { exact: true }).fill('+12025550142')
    await page.locator('#message').fill('During the restart')
    await endServer(service.database)
    const button = page.locator('main').getByRole('button', { name: /^Send$/ })
    await button.click()
    await page.getByText('The relay or its database is not available').waitFor()
    await other.goto('/contacts')
    await other.getByText('The database is not available').waitFor()
    await live.locator('#stale').waitFor()
    restartServer(service.database)
    await other.getByRole('heading', { name: 'Contacts', level: 1 }).waitFor()
    await button.click()
    await page.waitForURL(/\/messages\/[\w-]+$/)
    await live.getByRole('link', { name: 'Show new messages (1)' }).waitFor()
    await live.locator('#stale').waitFor({ state: 'hidden' })
    expect(await live.evaluate('self.isSamePage')).toBe(true)
    const sent = await client.messages.list({ filter: 'all', count: 100 })
    expect(sent.filter(({ message }) => message === 'During the restart')).toHaveLength(1)
  })
})
