import { expect, test } from 'vitest'
import { readRows } from '../browser.js'
import { annEmail, bobEmail, startWithBrowsers } from '../dashboard-relay.js'

const none = { max: null, used: 0 }

test('the owner sets limits of an account, which sees them with their use', async () => {
  const { browser, bobBrowser, bob, administration } = await startWithBrowsers()
  const path = `/accounts/${bob.id}/limits`
  const fields = { messages_per_hour: '2', subscriptions: ' 7 ' }
  const changed = await browser.submit(path, fields)
  expect([changed.path, changed.notice?.kind]).toEqual([`/accounts/${bob.id}`, 'done'])
  expect(await administration.showLimits(bobEmail)).toMatchObject({
    messages_per_hour: { max: 2, used: 0 },
    messages_per_day: none,
    subscriptions: { max: 7, used: 0 },
  })
  const message = { destination: '+12025550143, +12025550144', message: 'Hello', send_on: '' }
  expect((await bobBrowser.submit('/send', message)).path).toBe('/messages')
  for (const page of [
    await bobBrowser.get('/settings'),
    await browser.get(`/accounts/${bob.id}`),
  ]) {
    const rows = readRows(page.text)
    expect(rows).toContainEqual(['Messages an hour', '2', '2, reached'])
    expect(rows).toContainEqual(['Messages a day', '2', 'no limit'])
  }
  await browser.submit(path, { ...fields, messages_per_hour: '' })
  expect((await administration.showLimits(bobEmail)).messages_per_hour.max).toBe(null)
})

test('invalid limits are refused, and the form keeps them', async () => {
  const { browser, bob, administration } = await startWithBrowsers()
  const path = `/accounts/${bob.id}/limits`
  for (const wrong of ['-1', '1.5', 'many', '100000001']) {
    const page = await browser.submit(path, { messages_per_day: wrong })
    expect(page.status).toBe(400)
    expect(page.text).toMatch(/It must be an? (whole number|integer), 0 to 100000000/)
    expect(page.text).toContain(`value="${wrong}"`)
  }
  expect((await administration.showLimits(bobEmail)).messages_per_day).toEqual(none)
})

test('a message beyond the limit is not accepted, and the forms keep their text', async () => {
  const { browser, administration } = await startWithBrowsers()
  await administration.changeLimits(annEmail, { messages_per_day: 3 })
  const numbers = ['+12025550143', '+12025550144'].join(', ')
  const fields = { destination: numbers, message: 'Hello you', send_on: '' }
  await browser.submit('/send', fields)
  const part = await browser.submit('/send', fields)
  expect([part.path, part.notice?.kind]).toEqual(['/messages', 'failed'])
  expect(part.text).toContain('Only the first 1 message can be sent now.')
  const refused = await browser.submit('/send', fields)
  expect(refused.text).toContain('The account may create 3 messages a day')
  expect(refused.text).toContain('Hello you')
  const path = `/conversations/${encodeURIComponent('+12025550143')}`
  const reply = await browser.submit(path, { message: 'A reply' })
  expect(reply.text).toContain('The account may create 3 messages a day')
  expect(reply.text).toContain('A reply')
})

test.each([
  ['groups', '/contacts/groups', { name: 'Kept' }],
  ['templates', '/templates', { name: 'Kept', text: 'Hello' }],
  ['mailboxes', '/mailboxes', { name: 'Kept', from: 'kept@example.com' }],
  ['secret_urls', '/urls', { name: 'Kept' }],
  ['contacts', '/contacts', { number: '+12025550143', name: 'Kept' }],
  ['invitations', '/settings/people', { email: 'kept@example.com', role: 'reader' }],
  ['people', '/settings/people', { email: 'kept@example.com', role: 'reader' }],
  ['subscriptions', '/subscriptions', { event: 'message.sent', url: 'http://kept.example/' }],
] as const)('beyond the limit of %s the form says so, and keeps what it has', async (...row) => {
  const [limit, path, fields] = row
  const { browser, administration } = await startWithBrowsers()
  await administration.changeLimits(annEmail, { [limit]: 0 })
  const page = await browser.submit(path, fields)
  expect(page.text).toMatch(/The account (may have|has) 0 [\w ]+/)
  expect(page.text).toMatch(/value="(Kept|kept|kept@example.com|http:\/\/kept.example\/)"/)
})
