import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { navigation } from '../../../src/http/dashboard/navigation.js'
import { type Belongings, fillWithPayloads, payload } from './hostile.js'
import { tabTo } from './keyboard.js'
import { type Faults, listen, look, walk } from './walk.js'
import { findChromium, openPage, signIn, startPhone, startWorld, type World } from './world.js'

const found = await findChromium()
if (typeof found === 'string') console.warn(`Skipped, without a browser: ${found}`)
const browser = found as Browser

describe.skipIf(typeof found === 'string')('the dashboard in Chromium', () => {
  let world: World
  let own: Belongings
  beforeAll(async () => {
    world = await startWorld()
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

  test('every page is accessible, narrow and wide, light and dark, and runs nothing of what it shows', async () => {
    const faults: Faults = []
    const { page } = await openSignedIn()
    listen(page, faults)
    const paths = await walk(page, from(), async () => await look(page, faults))
    expect(paths).toEqual(expect.arrayContaining(navigation.map(({ path }) => path)))
    expect(faults).toEqual([])
  }, 240_000)

  test('what looks like markup is text even where no policy forbids it to run', async () => {
    const { page } = await openSignedIn({ bypassCSP: true })
    const faults: string[] = []
    await walk(page, from(), async () => {
      for (const fault of await page.evaluate<string[]>('inPage.faults()'))
        faults.push(`${page.url()}: ${fault}`)
    })
    expect(faults).toEqual([])
  })
})
