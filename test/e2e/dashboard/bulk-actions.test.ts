import { expect, onTestFinished, test } from 'vitest'
import { checkPage, type Faults, recordFaults } from './check-pages.js'
import { openClient, openPage, signIn } from './dashboard-service.js'
import { browser, describeInChromium, service } from './describe-in-chromium.js'

describeInChromium('bulk actions', () => {
  test.each([true, false])('two ticked messages are locked, with scripts: %s', async scripts => {
    const { messages } = openClient(service, service.owner)
    for (const message of ['One', 'Two', 'Three'])
      await messages.create({ destination: '+12025550123', message })
    const options = { javaScriptEnabled: scripts }
    const { page } = await openPage(browser, service, onTestFinished, options)
    const faults: Faults = []
    recordFaults(page, faults)
    await signIn(page, service.owner)
    await page.goto('/messages')
    const lock = page.getByRole('button', { name: 'Lock', exact: true })
    expect(await lock.isVisible()).toBe(false)
    const ticks = page.getByRole('checkbox', { name: 'Select the message to' })
    await ticks.nth(0).check()
    await ticks.nth(1).check()
    if (scripts) await checkPage(page, faults)
    await lock.click()
    const confirmed = page.getByRole('button', { name: 'Lock 2 messages' })
    await confirmed.waitFor()
    if (scripts) await checkPage(page, faults)
    await confirmed.click()
    await page.getByText('2 of 2 messages locked').first().waitFor()
    if (scripts) await checkPage(page, faults)
    expect(await messages.list({ filter: 'locked' })).toHaveLength(2)
    await page.getByRole('button', { name: 'Undo: Unlock 2 messages' }).click()
    await page.getByText('2 of 2 messages unlocked').first().waitFor()
    expect(await messages.list({ filter: 'locked' })).toHaveLength(0)
    expect(faults).toEqual([])
  })
})
