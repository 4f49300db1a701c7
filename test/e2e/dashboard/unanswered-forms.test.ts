import type { Page } from 'playwright-core'
import { expect, onTestFinished, test } from 'vitest'
import { newAccount } from '../../../src/contract/account-schema.js'
import { type Home, makeHome, type Running } from '../program.js'
import { openClient, openPage, signInByRequest } from './dashboard-service.js'
import { browser, describeInChromium } from './describe-in-chromium.js'

/** A relay that can be killed, and started again at the same port. */
async function startMortalRelay() {
  const home = await makeHome()
  const first = start(home, '0')
  const owner = newAccount.parse(await first.line(line => line.event === 'account'))
  const url = await getUrl(first)
  let running = first
  return {
    ...{ home, url, owner, client: openClient({ url }, owner) },
    kill: async () => await running.end('SIGKILL'),
    restart: async () => {
      running = start(home, new URL(url).port)
      await getUrl(running)
    },
  }
}

function start(home: Home, port: string): Running {
  return home.start(['serve', '--port', port, '--data', `${home.dir}/data`, '--json'])
}

async function getUrl(running: Running): Promise<string> {
  return String((await running.line(line => line.event === 'listening')).url)
}

describeInChromium('a form while the relay is down', () => {
  async function open() {
    const relay = await startMortalRelay()
    const { page, context } = await openPage(browser, relay, onTestFinished)
    await signInByRequest(context, relay.owner)
    return { ...relay, page }
  }

  const findNotice = (page: Page) => page.getByRole('alert').filter({ hasText: 'does not answer' })

  test('stays as it is, and is sent once after the restart', async () => {
    const { page, kill, restart, client } = await open()
    await page.goto('/send')
    await page.getByLabel('To', { exact: true }).fill('+12025550177')
    await page.locator('#message').fill('Not lost')
    await kill()
    const button = page.locator('main').getByRole('button', { name: /^Send/ })
    await button.click()
    await findNotice(page).waitFor()
    await button.dblclick()
    await findNotice(page).waitFor()
    expect(await page.locator('#message').inputValue()).toBe('Not lost')
    expect(await button.evaluate('document.activeElement.textContent')).toContain('Send')
    await restart()
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/messages\/[\w-]+$/)
    expect(await findNotice(page).isVisible()).toBe(false)
    await page.goBack()
    await page.goForward()
    await page.reload()
    expect(await client.messages.list({ filter: 'all' })).toMatchObject([{ message: 'Not lost' }])
  })

  test('keeps a chosen file and the button that was pressed', async () => {
    const { page, kill, restart } = await open()
    await page.goto('/send/many')
    const buffer = Buffer.from('number,message\n+12025550177,Not lost\n')
    const file = { name: 'table.csv', mimeType: 'text/csv', buffer }
    await page.locator('input[type=file]').setInputFiles(file)
    await kill()
    const button = page.locator('main').getByRole('button', { name: 'Check' })
    await button.click()
    await findNotice(page).waitFor()
    await restart()
    await button.click()
    await page.getByText('Nothing is sent yet').waitFor()
    await page.locator('main').getByText('Not lost').first().waitFor()
  })

  test('stays as it is when a proxy answers for the relay, and at the sign-in', async () => {
    const { page, owner, kill, restart } = await open()
    await page.goto('/contacts')
    await page.getByRole('button', { name: 'Sign out' }).first().click()
    await page.waitForURL(/\/login/)
    await page.route('**/readyz', async route => await route.fulfill({ status: 502 }))
    await page.getByLabel('E-mail address').fill(owner.email)
    await page.getByLabel('Password').fill(owner.password)
    const button = page.getByRole('button', { name: 'Sign in' })
    await button.click()
    await findNotice(page).waitFor()
    await page.unroute('**/readyz')
    await kill()
    await button.click()
    await findNotice(page).waitFor()
    await restart()
    await button.click()
    await page.waitForURL('/')
  })
})
