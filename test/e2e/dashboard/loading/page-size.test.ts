import { expect, onTestFinished, test } from 'vitest'
import { findMissingRoutes, listPageRoutes } from '../../../../tools/browser/dashboard-routes.js'
import { fillLists } from '../../../../tools/browser/fill-lists.js'
import { visitPages } from '../../../../tools/browser/walk-pages.js'
import { addAccount, openClient, openPage, openPhone, signIn } from '../dashboard-service.js'
import { browser, describeInChromium, service } from '../describe-in-chromium.js'

const maxPage = 60_000
const maxScripts = 20_000

interface Sizes {
  readonly page: number
  readonly scripts: number
  readonly all: number
}

describeInChromium('pages', () => {
  test('every page has at most 60 kB with an empty cache and fits its window', async () => {
    const { owner } = service
    const other = await addAccount(service, 'other@example.com')
    const phone = openPhone(service, owner, 'front-desk')
    await fillLists(openClient(service, owner), phone, 'front-desk')
    const { page } = await openPage(browser, service, onTestFinished)
    await signIn(page, owner)
    const tooLarge: Record<string, Sizes> = {}
    const faults: string[] = []
    let largest = 0
    const paths = await visitPages(page, ['/', `/accounts/${other.id}`], async () => {
      const sizes = await page.evaluate<Sizes>('inPage.sizes()')
      if (sizes.all > maxPage || sizes.scripts > maxScripts) tooLarge[page.url()] = sizes
      largest = Math.max(largest, sizes.all)
      for (const fault of await page.evaluate<string[]>('inPage.faults()'))
        faults.push(`${page.url()}: ${fault}`)
    })
    expect(findMissingRoutes(listPageRoutes(), paths)).toEqual([])
    expect(tooLarge).toEqual({})
    expect(faults).toEqual([])
    const style = await page.locator('link[rel=stylesheet]').getAttribute('href')
    for (const coding of ['br', 'gzip', 'identity']) {
      const headers = { 'Accept-Encoding': coding }
      const reply = await fetch(`${service.url}${style}`, { headers })
      expect(reply.headers.get('content-encoding')).toBe(coding === 'identity' ? null : coding)
      expect(reply.headers.get('etag')).toMatch(coding === 'identity' ? /[\w-]{12}"$/ : coding)
      expect(await reply.text()).toContain('--surface')
    }
    expect(largest).toBeGreaterThan(20_000)
  })
})
