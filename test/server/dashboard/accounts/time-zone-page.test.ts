import { expect, test } from 'vitest'
import { readRows } from '../browser.js'
import { annEmail, startWithBrowsers } from '../dashboard-relay.js'

const settings = { country: 'US', mode: 'at-least-once' }

/** A message is scheduled for the day on which clocks in Berlin change. */
async function start() {
  const relay = await startWithBrowsers({}, { now: () => Date.UTC(2030, 2, 18, 10) })
  const draft = { destination: '+12025550123', message: 'Hello', send_on: '2030-03-30 23:30:00' }
  await relay.client.messages.create(draft)
  return relay
}

test('pages have the time zone of the account in each browser, also without scripts', async () => {
  const { browser, openBrowser } = await start()
  const saved = await browser.submit('/settings', { ...settings, time_zone: 'Europe/Berlin' })
  expect(saved.notice?.kind).toBe('done')
  const far = await openBrowser()
  far.cookies.set('smsrelay_zone', 'Pacific/Auckland')
  for (const each of [browser, far]) {
    const { text } = await each.get('/messages/scheduled')
    expect(text).toContain('Sunday, 31 Mar 2030')
    expect(readRows(text)[0]?.slice(1, 3)).toEqual(['00:30', '2030-03-30 23:30'])
    const form = (await each.get('/send')).text
    expect(form).toContain('<option value="Europe/Berlin" selected')
    expect(form).not.toContain('data-detect-zone')
  }
  await browser.submit('/settings', { ...settings, time_zone: '' })
  const { text } = await far.get('/messages/scheduled')
  expect(readRows(text)[0]?.slice(1, 3)).toEqual(['12:30', '2030-03-30 23:30'])
  expect((await far.get('/send')).text).toContain('data-detect-zone')
})

test('a time zone is checked, and only the account that sets it has it', async () => {
  const { browser, bobBrowser, administration, client } = await start()
  const wrong = await browser.submit('/settings', { ...settings, time_zone: 'Mars/"><b>' })
  expect([wrong.status, Object.keys(wrong.errors)]).toEqual([400, ['time_zone']])
  expect(await administration.showAccount(annEmail)).not.toHaveProperty('time_zone')
  await browser.submit('/settings', { ...settings, time_zone: 'Asia/Tokyo' })
  expect(await administration.showAccount(annEmail)).toMatchObject({ time_zone: 'Asia/Tokyo' })
  await browser.submit('/settings', settings)
  expect(await client.getSettings()).toMatchObject({ time_zone: 'Asia/Tokyo' })
  expect((await bobBrowser.get('/settings')).text).not.toContain('value="Asia/Tokyo" selected')
})
