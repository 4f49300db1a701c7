import { expect, onTestFinished, test } from 'vitest'
import { newAccount } from '../../../src/contract/account-schema.js'
import { findPorts } from '../../../tools/ports/free-ports.js'
import { makeHome } from '../program.js'
import { recordFaults } from './check-pages.js'
import { fillSignIn, findChromium, openClient, openPage } from './dashboard-service.js'

const browser = await findChromium()
const isReady = typeof browser !== 'string'

test.runIf(isReady)('the scripts of pages and their event stream work below a path', async () => {
  if (!isReady) return
  onTestFinished(async () => await browser.close())
  const [port = 0] = await findPorts(1)
  const host = `http://localhost:${port}`
  const home = await makeHome()
  const args = ['--port', String(port), '--data', `${home.dir}/data`, '--base-url', `${host}/sms`]
  const relay = home.start(['serve', ...args, '--json'])
  const owner = newAccount.parse(await relay.line(line => line.event === 'account'))
  await relay.line(line => line.event === 'listening')
  const { page, context } = await openPage(browser, { url: host }, onTestFinished)
  const faults: string[] = []
  const outside: string[] = []
  recordFaults(page, faults)
  context.on('request', request => {
    if (!request.url().startsWith(`${host}/sms/`)) outside.push(request.url())
  })

  await page.goto('/sms/')
  await fillSignIn(page, owner)
  await page.waitForURL('/sms/')
  const cookies = (await context.cookies()).map(({ name, path }) => `${name} ${path}`)
  expect(cookies.sort()).toEqual(['smsrelay_session /sms', 'smsrelay_zone /sms/'])

  await page.goto('/sms/messages')
  const client = openClient({ url: `${host}/sms` }, owner)
  await client.messages.create({ destination: '+12025550143', message: 'A new row' })
  await page.getByText('A new row').first().waitFor()
  expect(await page.locator('#stale').isHidden()).toBe(true)

  await page.goto('/sms/send')
  const text = page.locator('textarea[name=message]')
  await text.fill('Hello there')
  const length = page.locator(`#${await text.getAttribute('data-length')}`)
  await expect.poll(async () => await length.textContent()).toContain('11')
  await page.locator('[name=destination]').fill('+12025550144')
  await page.getByRole('button', { name: 'Send' }).first().click()
  await page.waitForURL('/sms/messages/*')
  expect(faults).toEqual([])
  expect(outside).toEqual([])
})
