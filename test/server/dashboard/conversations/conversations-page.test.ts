import { expect, test } from 'vitest'
import type { RelayOverrides } from '../../../../src/server/open-relay.js'
import { listStates } from '../browser.js'
import { annEmail, openClient, openPhone, password, startWithBrowsers } from '../dashboard-relay.js'
import { startWithPeople } from '../people/people-rig.js'

const number = '+12025550123'
const other = '+12025550124'
const path = `/conversations/${encodeURIComponent(number)}`

async function startConversation(overrides: RelayOverrides = {}) {
  const relay = await startWithBrowsers({}, overrides)
  const { client } = relay
  await client.messages.create({ destination: number, message: 'First' })
  await client.receivedTexts.report({ from: number, message: 'Second', phone: 'kitchen' })
  await client.messages.create({ destination: '(202) 555-0123', message: 'Third' })
  await client.messages.create({ destination: other, message: 'To somebody else' })
  return relay
}

/** The texts of the open conversation, in order, with who sent them. */
function listBubbles(html: string): string[] {
  const bubbles = html.matchAll(/<p class="bubble (in|out)[^"]*"[^>]*>([^<]*)/g)
  return [...bubbles].map(([, kind = '', text = '']) => `${kind} ${text}`)
}

/** The numbers of the list of conversations, in order. */
function listNumbers(html: string): string[] {
  const links = html.matchAll(/<a href="\/conversations\/[^"]*"[^>]*><strong[^>]*>([^<]*)/g)
  return [...links].map(([, each = '']) => each)
}

test('a conversation has the messages and received texts of one number in order', async () => {
  const { browser, bobBrowser } = await startConversation()
  const { text } = await browser.get(path)
  expect(listBubbles(text)).toEqual(['out First', 'in Second', 'out Third'])
  expect(text).toContain('2 sent, 1 received')
  expect(text).toContain('received by kitchen')
  expect(listBubbles((await bobBrowser.get(path)).text)).toEqual([])
})

test('texts to others that mention the number do not displace its messages', async () => {
  const { browser, client } = await startConversation()
  const mention = { destination: other, message: `Call ${number}.` }
  await client.messages.createBatch(Array.from({ length: 100 }, () => mention))
  expect(listBubbles((await browser.get(path)).text)).toEqual([
    'out First',
    'in Second',
    'out Third',
  ])
})

test('the list has the latest conversations first and is searched by number and text', async () => {
  const { browser, bobBrowser } = await startConversation()
  const list = async (query = '') => listNumbers((await browser.get(`/conversations${query}`)).text)
  expect(await list()).toEqual([other, number])
  expect(await list('?q=0123')).toEqual([number])
  expect(await list('?q=SOMEBODY')).toEqual([other])
  expect(await list('?q=nothing')).toEqual([])
  const covers = 'The search covers the latest 500 messages and received texts.'
  expect((await browser.get('/conversations?q=nothing')).text).toContain(covers)
  expect((await browser.get('/conversations')).text).not.toContain(covers)
  expect(listNumbers((await bobBrowser.get('/conversations')).text)).toEqual([])
})

test('a reply is sent to the number, and an empty one is rejected', async () => {
  const { browser, client } = await startConversation()
  const sent = await browser.submit(path, { message: 'Fourth' })
  expect(sent).toMatchObject({ path, notice: { kind: 'done' } })
  expect(listBubbles(sent.text).at(-1)).toBe('out Fourth')
  const [latest] = await client.messages.list({ order: 'desc', count: 1 })
  expect(latest).toMatchObject({ destination: number, message: 'Fourth', source: 'website' })
  const long = await browser.submit(path, { message: 'x'.repeat(1601) })
  expect(long.status).toBe(400)
  expect(long.text).toContain('id="message-error"')
  expect(long.text).toContain('x'.repeat(1601))
})

test('days are named in the time zone of the account', async () => {
  let now = Date.UTC(2030, 0, 1, 20)
  const { browser, client } = await startConversation({ now: () => now })
  const listDays = async () => {
    const { text } = await browser.get(path)
    return [...text.matchAll(/<li class="day">([^<]*)/g)].map(([, day]) => day)
  }
  expect(await listDays()).toEqual(['Today'])
  now = Date.UTC(2030, 0, 2, 6)
  await client.messages.create({ destination: number, message: 'Next day' })
  expect(await listDays()).toEqual(['Yesterday', 'Today'])
  const settings = { country: 'US', mode: 'at-least-once', time_zone: 'America/Los_Angeles' }
  await browser.submit('/settings', settings)
  expect(await listDays()).toEqual(['Today'])
  now = Date.UTC(2030, 0, 3, 20)
  await browser.signIn(annEmail, password)
  expect(await listDays()).toEqual(['Tuesday, 1 Jan 2030'])
})

test('a reply is sent later at a local time', async () => {
  const now = Date.UTC(2030, 2, 1)
  const { browser, client } = await startConversation({ now: () => now })
  const reply = { message: 'Later', zone: 'Europe/Berlin' }
  const sent = await browser.submit(path, { ...reply, send_on: '2030-03-02T09:00' })
  expect(sent).toMatchObject({
    path,
    notice: { kind: 'done', text: expect.stringContaining('is scheduled') },
  })
  const [latest] = await client.messages.list({ order: 'desc', count: 1 })
  expect(latest).toMatchObject({ message: 'Later', send_on: '2030-03-02 08:00:00' })
  expect(sent.text).toContain(`href="/messages/${latest?.id}/edit"`)
})

test.each([
  ['2030-03-31T02:30', 'does not exist in Europe/Berlin'],
  ['2030-10-27T02:30', 'occurs twice in Europe/Berlin'],
  ['tomorrow', 'The time does not exist'],
])('a reply at %s is not sent, and its input stays', async (send_on, problem) => {
  const { browser, client } = await startConversation()
  const before = await client.messages.list({ filter: 'all', count: 100 })
  const page = await browser.submit(path, { message: 'Not yet', send_on, zone: 'Europe/Berlin' })
  expect(page.status).toBe(400)
  expect(page.errors.send_on).toContain(problem)
  expect(page.text).toMatch(/<details class="disclosure" id="later" open>/)
  expect(page.text).toContain(`value="${send_on}"`)
  expect(page.text).toMatch(/<option value="Europe\/Berlin" selected>/)
  expect(page.text).toMatch(/<textarea[^>]*>\s*Not yet/)
  expect(await client.messages.list({ filter: 'all', count: 100 })).toEqual(before)
})

test('a reader has no links to edit messages and to send them again', async () => {
  const { browsers, url, ann } = await startWithPeople()
  const client = openClient(url, ann)
  const draft = { destination: number, message: 'Later', send_on: '2099-01-01 00:00:00' }
  await client.messages.create(draft)
  expect((await browsers.sender.get(path)).text).toMatch(/>\s*Edit\s*<\/a>/)
  expect((await browsers.reader.get(path)).text).not.toContain('Edit')
})

test('an opted-out number has a notice in place of the form', async () => {
  const { browser, client } = await startConversation()
  expect((await browser.get(path)).text).toContain('<textarea')
  await client.receivedTexts.report({ from: number, message: 'STOP' })
  const { text } = await browser.get(path)
  expect(text).not.toContain('<textarea')
  expect(text).toContain(`${number} is on the Do Not Text list`)
  const late = await browser.submit(path, { message: 'Too late' })
  expect(late.notice?.kind).toBe('failed')
})

test('a failed message shows its reason and a link to send it again', async () => {
  const { browser, client, url, ann } = await startConversation()
  const phone = openPhone(url, ann)
  const message = await phone.messages.next()
  await phone.messages.reportFailure(message?.id ?? '', { error_message: 'no network' })
  expect((await browser.get(path)).text).toContain('Retrying: <bdi>no network</bdi>')
  expect(listStates((await browser.get('/')).text)).toContain('Retrying')
  expect(await client.messages.get(message?.id ?? '')).toMatchObject({ status: 'E' })
})

test('a reply that is sent now is accepted, not scheduled, and names the contact', async () => {
  const { browser, client, url, ann } = await startConversation()
  await client.contacts.create({ number, name: 'Zoe', fields: {}, groups: [] })
  const sent = await browser.submit(path, { message: 'Now', send_on: '', zone: 'UTC' })
  expect(sent.notice?.text).toContain('The reply to Zoe is accepted. No phone has connected yet.')
  await openPhone(url, ann).messages.next()
  const next = await browser.submit(path, { message: 'Next', send_on: '', zone: 'UTC' })
  expect(next.notice?.text).toBe('<p>The reply to Zoe is accepted.</p>')
})
