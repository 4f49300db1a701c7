import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import type { NewAccount } from '../../../src/contract/account-schema.js'
import { visitPages } from './check-pages.js'
import { findMissingRoutes, listPageRoutes } from './dashboard-routes.js'
import {
  addAccount,
  type DashboardService,
  findChromium,
  openClient,
  openPage,
  openPhone,
  signIn,
  startDashboard,
} from './dashboard-service.js'

const found = await findChromium()
if (typeof found === 'string') console.warn(`Skipped, without a browser: ${found}`)
const browser = found as Browser
const maxPage = 60_000
const maxScripts = 20_000
/** More than a page of any list has. */
const many = 60

interface Sizes {
  readonly page: number
  readonly scripts: number
  readonly all: number
}

describe.skipIf(typeof found === 'string')('pages in Chromium', () => {
  let service: DashboardService
  let other: NewAccount
  beforeAll(async () => {
    service = await startDashboard()
    other = await addAccount(service, 'other@example.com')
    await fillLists(service)
  })
  afterAll(async () => {
    await browser.close()
    await service.stop()
  })

  test('every page has at most 60 kB with an empty cache, and 20 kB of scripts', async () => {
    const { page } = await openPage(browser, service, onTestFinished)
    await signIn(page, service.owner)
    const tooLarge: Record<string, Sizes> = {}
    let largest = 0
    const paths = await visitPages(page, ['/', `/accounts/${other.id}`], async () => {
      const sizes = await page.evaluate<Sizes>('inPage.sizes()')
      if (sizes.all > maxPage || sizes.scripts > maxScripts) tooLarge[page.url()] = sizes
      largest = Math.max(largest, sizes.all)
    })
    expect(findMissingRoutes(listPageRoutes(), paths)).toEqual([])
    expect(tooLarge).toEqual({})
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

/** Fills every list of the owner with texts of the usual length. */
async function fillLists(service: DashboardService): Promise<void> {
  const client = openClient(service, service.owner)
  const phone = openPhone(service, service.owner, 'front-desk')
  const url = 'http://127.0.0.1:9/received'
  const { id: subscription } = await client.subscriptions.create({ event: 'message.failed', url })
  const numbers = Array.from({ length: many }, (_, n) => `+1202555${String(n).padStart(4, '0')}`)
  const text = (number: string) =>
    `Your appointment ${crypto.randomUUID()} is tomorrow at 09:15. Call ${number} if you cannot ` +
    'come, or reply STOP to get no more texts.'
  const drafts = numbers.map(destination => ({ destination, message: text(destination) }))
  await client.messages.createBatch(drafts)
  const claimed = await phone.messages.nextBatch({ batch: many, since: 0 })
  const error = 'The number is not in service'
  await phone.messages.report((claimed?.messages ?? []).map(({ id }) => ({ id, error })))
  for (const number of numbers) {
    await client.receivedTexts.report({ from: number, message: text(number) })
    await client.secretUrls.create({ name: `Door ${number}`, message: text(number) })
    await client.mailboxes.create({ name: `Mailbox ${number}` })
    await client.doNotText.add(number.replace('+1202', '+1303'), { note: 'A landline' })
  }
  await client.subscriptions.rotateSecret(subscription)
  await client.subscriptions.test(subscription)
}
