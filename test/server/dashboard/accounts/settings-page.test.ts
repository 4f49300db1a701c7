import { expect, test } from 'vitest'
import { annEmail, startRelay } from '../dashboard-relay.js'

test('country and delivery mode are changed, and invalid values change nothing', async () => {
  const { openBrowser, administration } = await startRelay()
  const browser = await openBrowser()
  const changed = await browser.submit('/settings', { country: 'de', mode: 'at-most-once' })
  expect(changed.notice?.kind).toBe('done')
  const account = await administration.showAccount(annEmail)
  expect(account).toMatchObject({ country: 'DE', mode: 'at-most-once' })
  const valid = { country: 'FR', mode: 'at-least-once' }
  for (const invalid of [{ country: '"><b>' }, { mode: '<i>' }]) {
    const rejected = await browser.submit('/settings', { ...valid, ...invalid })
    expect(rejected.status).toBe(400)
    expect(Object.keys(rejected.errors)).toEqual(Object.keys(invalid))
    expect(rejected.text).not.toMatch(/<b>|<i>/)
  }
  expect(await administration.showAccount(annEmail)).toEqual(account)
})

test('texts of automatic replies are set and switched off', async () => {
  const { openBrowser, administration } = await startRelay()
  const browser = await openBrowser()
  const settings = { country: 'US', mode: 'at-least-once' }
  const texts = { help_text: 'Ann’s shop\r\n+1 202 555 0143', stop_text: 'Bye' }
  await browser.submit('/settings', { ...settings, ...texts })
  const account = await administration.showAccount(annEmail)
  expect(account).toMatchObject({ help_text: 'Ann’s shop\n+1 202 555 0143', stop_text: 'Bye' })
  expect((await browser.get('/settings')).text).toContain('Ann’s shop')
  const rejected = await browser.submit('/settings', { ...settings, help_text: 'x'.repeat(1601) })
  expect([rejected.status, Object.keys(rejected.errors)]).toEqual([400, ['help_text']])
  expect(await administration.showAccount(annEmail)).toEqual(account)
  await browser.submit('/settings', { ...settings, help_text: ' ' })
  const after = await administration.showAccount(annEmail)
  expect(after).toMatchObject({ stop_text: 'Bye' })
  expect(after).not.toHaveProperty('help_text')
})

test('received texts by e-mail and fewer parts are set, checked and switched off', async () => {
  const { openBrowser, administration } = await startRelay()
  const browser = await openBrowser()
  const settings = { country: 'US', mode: 'at-least-once', alerts: '' }
  const both = { received_mail: 'texts@example.com', fewer_parts: 'true' }
  await browser.submit('/settings', { ...settings, ...both })
  const account = await administration.showAccount(annEmail)
  expect(account).toMatchObject({ received_mail: 'texts@example.com', fewer_parts: true })
  const rejected = await browser.submit('/settings', { ...settings, received_mail: 'nobody' })
  expect([rejected.status, Object.keys(rejected.errors)]).toEqual([400, ['received_mail']])
  expect(await administration.showAccount(annEmail)).toEqual(account)
  await browser.submit('/settings', { ...settings, received_mail: '' })
  const after = await administration.showAccount(annEmail)
  for (const name of ['received_mail', 'fewer_parts']) expect(after).not.toHaveProperty(name)
})

test('the address of alerts is set, checked and removed', async () => {
  const { openBrowser, administration } = await startRelay()
  const browser = await openBrowser()
  const settings = { country: 'US', mode: 'at-least-once' }
  await browser.submit('/settings', { ...settings, alerts: 'alerts@example.com' })
  const account = await administration.showAccount(annEmail)
  expect(account).toMatchObject({ email: annEmail, alerts: 'alerts@example.com' })
  const rejected = await browser.submit('/settings', { ...settings, alerts: 'nobody' })
  expect([rejected.status, Object.keys(rejected.errors)]).toEqual([400, ['alerts']])
  await browser.submit('/settings', settings)
  expect(await administration.showAccount(annEmail)).toEqual(account)
  await browser.submit('/settings', { ...settings, alerts: '' })
  expect(await administration.showAccount(annEmail)).not.toHaveProperty('alerts')
})
