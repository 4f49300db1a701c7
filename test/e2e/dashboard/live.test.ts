import { expect, onTestFinished, test } from 'vitest'
import { openClient, openPage, signIn } from './dashboard-service.js'
import { browser, describeInChromium, service } from './describe-in-chromium.js'

const later = '2099-12-31 12:00:00'

describeInChromium('live pages', () => {
  async function openSignedIn() {
    const { page } = await openPage(browser, service, onTestFinished)
    await signIn(page, service.owner)
    return { page }
  }

  test('a live update keeps the reply that somebody types, and open details', async () => {
    const { page } = await openSignedIn()
    const client = openClient(service, service.owner)
    const from = '+12025550141'
    await client.receivedTexts.report({ from, message: 'Is it open?' })
    await page.goto(`/conversations/${encodeURIComponent(from)}`)
    const field = page.getByLabel('Your reply')
    await field.fill('Yes, until 18')
    await client.receivedTexts.report({ from, message: 'Today I mean' })
    await page.locator('.bubble', { hasText: 'Today I mean' }).waitFor()
    await page.keyboard.type(':00')
    expect(await field.inputValue()).toBe('Yes, until 18:00')
    await page.goto('/')
    await page.getByText('Show as a table').click()
    await client.receivedTexts.report({ from, message: 'Thank you' })
    await page.locator('.feed .text', { hasText: 'Thank you' }).waitFor()
    expect(await page.locator('#traffic-table').getAttribute('open')).not.toBeNull()
  })

  test('new messages wait behind a link, and changed rows are updated in place', async () => {
    const { page } = await openSignedIn()
    const { messages } = openClient(service, service.owner)
    const destination = '+12025550142'
    const { id } = await messages.create({ destination, message: 'Row', send_on: later })
    await page.goto('/messages')
    const row = page.locator(`#m-${id}`)
    await page.evaluate(`document.getElementById('m-${id}').isSameRow = true`)
    await messages.create({ destination, message: 'Newer row', send_on: later })
    await messages.lock(id)
    await row.locator('.pill', { hasText: 'Locked' }).waitFor()
    expect(await page.evaluate(`document.getElementById('m-${id}').isSameRow`)).toBe(true)
    expect(await page.getByText('Newer row').count()).toBe(0)
    await page.getByRole('link', { name: 'Show new messages (1)' }).click()
    await page.getByText('Newer row').waitFor()
  })
})
