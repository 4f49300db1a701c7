import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { startChromium } from '../../../../tools/browser/chromium.js'
import { annEmail, openClient, password, startRelay } from '../dashboard-relay.js'

const hour = 60 * 60_000
const hasChromium = process.platform === 'linux' && process.arch === 'x64'

describe.skipIf(!hasChromium && process.env.SMSRELAY_CHROMIUM === undefined)('tabs', () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await startChromium()
  })
  afterAll(async () => await browser.close())

  test('an open tab that nobody uses asks to sign in after 12 hours', async () => {
    let time = Date.UTC(2030, 0)
    const { url, ann } = await startRelay({}, { now: () => time })
    const { messages } = openClient(url, ann)
    const { id } = await messages.create({
      ...{ destination: '+12025550123', message: 'Hello', send_on: '2099-01-01 12:00:00' },
    })
    const context = await browser.newContext({ baseURL: url, locale: 'en-US' })
    onTestFinished(async () => await context.close())
    const page = await context.newPage()
    await page.goto('/login?next=/messages')
    await page.getByLabel('E-mail address').fill(annEmail)
    await page.getByLabel('Password').fill(password)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.waitForURL('/messages')
    await expect.poll(async () => await page.evaluate('hasOpened')).toBe(true)
    for (let hours = 2; hours < 12; hours += 2) {
      time += 2 * hour
      const isLocked = hours % 4 === 2
      await (isLocked ? messages.lock(id) : messages.unlock(id))
      await page.locator('.pill', { hasText: isLocked ? 'Locked' : 'Scheduled' }).waitFor()
    }
    time += 2 * hour
    await messages.unlock(id)
    await page.waitForURL('/login?next=%2Fmessages')
    expect(await page.title()).toContain('Sign in')
  })
})
