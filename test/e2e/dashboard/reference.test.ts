import type { Page } from 'playwright-core'
import { expect, onTestFinished, test } from 'vitest'
import { checkPage, type Faults, recordFaults, sizes } from './check-pages.js'
import { openClient, openPage, openPhone } from './dashboard-service.js'
import { browser, describeInChromium, service } from './describe-in-chromium.js'

describeInChromium('the API reference', () => {
  /** Opens a page without a session; no request may leave the relay. */
  async function open(path: string) {
    const faults: Faults = []
    const { page } = await openPage(browser, service, onTestFinished)
    recordFaults(page, faults)
    page.on('request', request => {
      const url = request.url()
      if (!/^(data|blob):/.test(url) && new URL(url).origin !== service.url)
        faults.push(`${url} is on another site`)
    })
    await page.addInitScript(`addEventListener('securitypolicyviolation', event =>
      console.error(event.violatedDirective, event.blockedURI))`)
    await page.goto(path)
    return { page, faults }
  }

  test('a visitor without a session reads about NEXT on a page without scripts', async () => {
    const { page, faults } = await open('/docs')
    await page.getByText('NEXT /api/1/message', { exact: true }).first().waitFor()
    expect(await page.locator('script').count()).toBe(0)
    await page.evaluate('inPage.openAll()')
    for (const size of [...sizes, { width: 320, height: 640 }]) {
      await page.setViewportSize(size)
      expect(await page.evaluate('inPage.faults()')).toEqual([])
    }
    await checkPage(page, faults)
    await page.getByRole('link', { name: 'Try it' }).click()
    await page.waitForURL('/docs/try')
    expect(faults).toEqual([])
  }, 360_000)

  /** Opens "Try it out" of an operation, sends the request and reads the reply. */
  async function execute(page: Page, operationId: string, path: string): Promise<unknown> {
    const operation = page.locator(`[id$="-${operationId}"]`)
    await operation.getByRole('button').first().click()
    await operation.getByRole('button', { name: 'Try it out' }).click()
    const [reply] = await Promise.all([
      page.waitForResponse(`${service.url}${path}`),
      operation.getByRole('button', { name: 'Execute' }).click(),
    ])
    return await reply.json()
  }

  test('Swagger UI sends a request with the token of the user', async () => {
    const { access_token } = await openClient(service, service.owner).issueToken()
    const { page, faults } = await open('/docs/try')
    await authorize(page, access_token)
    const reply = await execute(page, 'getUser', '/api/1/user')
    expect(reply).toMatchObject({ user: { email: service.owner.email } })
    expect(faults).toEqual([])
  })

  test('Swagger UI sends NEXT, and GET in its place', async () => {
    const message = { destination: '+12025550143', message: 'for Swagger UI' }
    const { id } = await openClient(service, service.owner).messages.create(message)
    const { access_token } = await openPhone(service, service.owner, 'docs').issueToken()
    const { page, faults } = await open('/docs/try')
    await authorize(page, access_token)
    const next = await execute(page, 'nextMessage', '/api/1/message')
    expect(next).toMatchObject({ message: { id } })
    const same = await execute(page, 'getNextMessage', '/api/1/message/next')
    expect(same).toMatchObject({ message: { id } })
    expect(faults).toEqual([])
  })
})

async function authorize(page: Page, token: string): Promise<void> {
  await page.locator('button.authorize').first().click()
  const form = page.locator('.modal-ux form', { has: page.locator('#auth-bearer-value') })
  await form.locator('input').fill(token)
  await form.getByRole('button', { name: 'Apply credentials' }).click()
  // The form of an authorized token has no field.
  await page.locator('.modal-ux .btn-done').last().click()
}
