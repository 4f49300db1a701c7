import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { tabTo } from './keyboard.js'
import { findChromium, openPage, signIn, startPhone, startWorld, type World } from './world.js'

const found = await findChromium()
if (typeof found === 'string') console.warn(`Skipped, without a browser: ${found}`)
const browser = found as Browser
const later = '2099-12-31T12:00'

describe.skipIf(typeof found === 'string')('the dashboard in Chromium', () => {
  let world: World
  beforeAll(async () => {
    world = await startWorld()
  })
  afterAll(async () => {
    await browser.close()
    await world.end()
  })

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
})
