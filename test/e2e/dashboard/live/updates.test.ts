import { expect, test } from 'vitest'
import { openClient } from '../dashboard-service.js'
import { describeInChromium, openSignedIn, service } from '../describe-in-chromium.js'

const later = '2099-12-31 12:00:00'

/** Sends the reply, and again when the page shows it and the browser has got no answer. */
describeInChromium('updates of live pages', () => {
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

  test('a button that has the focus stays as it is until the focus leaves', async () => {
    const { page } = await openSignedIn()
    const { messages } = openClient(service, service.owner)
    const draft = { destination: '+12025550144', message: 'Focus', send_on: later }
    const { id } = await messages.create(draft)
    await page.goto(`/messages/${id}`)
    const [lock, unlock] = ['Lock', 'Unlock'].map(name =>
      page.getByRole('button', { name, exact: true }),
    )
    await lock?.focus()
    await messages.lock(id)
    await page.locator('.pill', { hasText: 'Locked' }).first().waitFor()
    expect(await lock?.evaluate('document.activeElement.textContent')).toBe('Lock')
    await page.evaluate('document.activeElement.blur()')
    await unlock?.waitFor()
    expect(await lock?.count()).toBe(0)
  })

  test('the commands of a message can be copied, also after a live update', async () => {
    const { page, context } = await openSignedIn()
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    const { messages } = openClient(service, service.owner)
    const draft = { destination: '+12025550145', message: "It's here", send_on: later }
    const { id } = await messages.create(draft)
    await page.goto(`/messages/${id}`)
    await page.getByText('Copy as a command').click()
    await messages.lock(id)
    await page.locator('.pill', { hasText: 'Locked' }).first().waitFor()
    for (const name of ['curl', 'cli']) {
      const command = (await page.locator(`#${name}`).textContent())?.trim()
      await page.locator(`[data-copy=${name}]`).click()
      expect(await page.evaluate('navigator.clipboard.readText()')).toBe(command)
    }
  })

  test('an update waits while text is selected', async () => {
    const { page } = await openSignedIn()
    const { messages } = openClient(service, service.owner)
    const draft = { destination: '+12025550145', message: 'Select me', send_on: later }
    const { id } = await messages.create(draft)
    await page.clock.install()
    let updates = 0
    page.on('request', request => {
      if ('x-page-version' in request.headers()) updates += 1
    })
    await page.goto(`/messages/${id}`)
    await expect.poll(async () => await page.evaluate('hasOpened')).toBe(true)
    await page.evaluate(`{
      worker.addEventListener('message', ({ data }) => { self.hasTold = data === 'message' })
      getSelection().selectAllChildren(document.querySelector('h1'))
    }`)
    const selected = await page.evaluate('getSelection().toString()')
    const before = updates
    await messages.lock(id)
    await expect.poll(async () => await page.evaluate('self.hasTold')).toBe(true)
    await page.clock.runFor(10_000)
    expect(updates).toBe(before)
    expect(await page.evaluate('getSelection().toString()')).toBe(selected)
    await page.evaluate('getSelection().removeAllRanges()')
    await page.clock.runFor(1000)
    await page.locator('.pill', { hasText: 'Locked' }).first().waitFor()
    expect(updates).toBe(before + 1)
  })

  test('an update keeps the scroll position and the focus on a link', async () => {
    const { page } = await openSignedIn()
    const { messages } = openClient(service, service.owner)
    const draft = { destination: '+12025550146', message: 'Scroll', send_on: later }
    const created = []
    for (let count = 0; count < 24; count += 1) created.push(await messages.create(draft))
    await page.setViewportSize({ width: 1000, height: 300 })
    await page.goto('/messages')
    const id = created[12]?.id ?? ''
    const link = page.locator(`#m-${id} a`).first()
    await link.focus()
    const scrolled = await page.evaluate('scrollY')
    expect(scrolled).toBeGreaterThan(0)
    await messages.lock(id)
    await page.locator(`#m-${id} .pill`, { hasText: 'Locked' }).waitFor()
    expect(await page.evaluate('scrollY')).toBe(scrolled)
    expect(await page.evaluate(`document.activeElement.closest('tr')?.id`)).toBe(`m-${id}`)
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
