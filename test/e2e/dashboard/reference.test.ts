import { expect, onTestFinished, test } from 'vitest'
import { checkPage, type Faults, recordFaults, sizes } from './check-pages.js'
import { openPage } from './dashboard-service.js'
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
  }, 360_000)

  test('the document has the address of the relay', async () => {
    const reply = await fetch(`${service.url}/openapi.json`)
    const path = { '/api/1/message': { 'x-additionalOperations': { NEXT: {} } } }
    expect(await reply.json()).toMatchObject({ servers: [{ url: service.url }], paths: path })
  })
})
