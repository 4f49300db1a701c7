import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, onTestFinished } from 'vitest'
import {
  type DashboardService,
  findChromium,
  openPage,
  signInByRequest,
  startDashboard,
} from './dashboard-service.js'

const found = await findChromium()
if (typeof found === 'string') console.warn(`Skipped, without a browser: ${found}`)

/** The browser of a test file, while the tests of {@link describeInChromium} run. */
export let browser = found as Browser

/** The relay of a test file, while the tests of {@link describeInChromium} run. */
export let service: DashboardService

/** Describes tests that share a Chromium and a running relay; skips them without a Chromium. */
export function describeInChromium(name: string, defineTests: () => void): void {
  describe.skipIf(typeof found === 'string')(`${name} in Chromium`, () => {
    beforeAll(async () => {
      // The test file before, which shares this module, has closed its browser.
      if (!browser.isConnected()) browser = (await findChromium()) as Browser
      service = await startDashboard()
    })
    afterAll(async () => {
      await browser.close()
      await service.stop()
    })
    defineTests()
  })
}

/** Opens the overview of the service's owner until the test ends. */
export async function openSignedIn(
  options: BrowserContextOptions = {},
): Promise<{ page: Page; context: BrowserContext }> {
  const opened = await openPage(browser, service, onTestFinished, options)
  await signInByRequest(opened.context, service.owner)
  await opened.page.goto('/')
  return opened
}
