import { expect, test } from 'vitest'
import { listStates, readRows } from '../browser.js'
import { openPhone, startWithBrowsers } from '../dashboard-relay.js'

const minute = 60_000
const hour = 60 * minute
const start = Date.UTC(2030, 5, 15, 12)

async function startPhones() {
  let now = start
  const relay = await startWithBrowsers({}, { now: () => now })
  const { url, ann, client } = relay
  const report = async (name: string, destination: string, error?: string) => {
    const { id } = await client.messages.create({ destination, message: 'Hello' })
    const { messages } = openPhone(url, ann, { name, driver: 'termux' })
    await messages.next()
    if (error === undefined) await messages.reportSuccess(id, { parts: 1 })
    else await messages.reportFailure(id, { error_message: error })
    return id
  }
  const pass = (milliseconds: number) => {
    now += milliseconds
  }
  return { ...relay, report, pass }
}

/** The card of a page whose heading has this identifier. */
function readCard(text: string, id: string): string {
  return text.split('<section ').find(card => card.includes(`aria-labelledby="${id}"`)) ?? ''
}

test('the page of a phone shows its state in the last day, in a drawing and a table', async () => {
  const { browser, url, ann, pass } = await startPhones()
  const { messages, status } = openPhone(url, ann, { name: 'pixel', driver: 'termux' })
  await messages.next()
  pass(4 * hour)
  await status.reportPresence({ quiet_until: '2030-06-15 17:00:00' })
  pass(hour)
  await messages.next()
  pass(3 * minute)
  const card = readCard((await browser.get('/phones/pixel')).text, 'activity')
  expect(readRows(card)).toEqual([
    ['15 Jun, 17:00', 'Active', '3 min'],
    ['15 Jun, 16:05', 'No contact', '55 min'],
    ['15 Jun, 16:00', 'Quiet hours', '5 min'],
    ['15 Jun, 12:05', 'No contact', '3 h 55 min'],
    ['15 Jun, 12:00', 'Active', '5 min'],
    ['14 Jun, 17:03', 'No contact', '18 h 57 min'],
  ])
  const label = 'Active 8 min, Quiet hours 5 min, No contact 23 h 47 min in the last 24 hours.'
  expect(card).toContain(`role="img" aria-label="${label}"`)
  expect(card.match(/<rect/g)).toHaveLength(6)
  expect((await browser.get('/phones')).text).toContain(`aria-label="${label}"`)
})

test('the page of a phone shows the network that it reported', async () => {
  const { browser, url, ann } = await startPhones()
  const { status } = openPhone(url, ann, { name: 'pixel', driver: 'termux' })
  const operator = 'Über <b>'
  await status.reportPresence({ signal: '-71 dBm', operator, rate: '30/min' })
  const { text } = await browser.get('/phones/pixel')
  for (const [name, value] of [
    ['Maximum rate', '30/min'],
    ['Signal', '-71 dBm'],
    ['Operator', 'Über &lt;b>'],
  ]) {
    expect(text).toContain(`<dt>${name}</dt><dd>${value}</dd>`)
  }
})

test('the page of a phone lists the messages that it has now', async () => {
  const { browser, url, ann, client } = await startPhones()
  for (const destination of ['+12025550143', '+12025550144', '+12025550145']) {
    await client.messages.create({ destination, message: `Hello ${destination.slice(-1)}` })
  }
  await openPhone(url, ann, { name: 'pixel', driver: 'termux' }).messages.nextBatch({
    batch: 2,
    since: 0,
  })
  const { text } = await browser.get('/phones/pixel')
  expect(readRows(readCard(text, 'held'))).toEqual([
    ['+12025550144', 'Hello 4', '1 of 5', 'in 2 min'],
    ['+12025550143', 'Hello 3', '1 of 5', 'in 2 min'],
  ])
})

test('the page of a phone shows its state and only the messages that it reported', async () => {
  const { browser, report } = await startPhones()
  const sent = await report('a/b c', '+12025550143')
  await report('a/b c', '+12025550144', 'no network')
  await report('nokia', '+12025550145')
  const path = '/phones/a%2Fb%20c'
  expect((await browser.get('/phones')).text).toContain(`href="${path}"`)
  expect((await browser.get('/')).text).toContain(`href="${path}"`)
  expect((await browser.get(`/messages/${sent}`)).text).toContain(`href="${path}"`)
  const { text } = await browser.get(path)
  expect(text).toContain('<dt>Driver</dt><dd>termux</dd>')
  expect(text).toContain('<dt>Last 24 hours</dt><dd>1 sent, 0 failed</dd>')
  expect(listStates(text)).toEqual(['Alive', 'Retrying', 'Sent'])
  expect(readRows(readCard(text, 'latest-messages')).map(([to, , reason]) => [to, reason])).toEqual(
    [
      ['+12025550144', 'no network'],
      ['+12025550143', ''],
    ],
  )
  expect(text).toContain('href="/messages?phone=a%2Fb+c"')
})

test('a silent phone is forgotten on its page, which still shows its messages', async () => {
  const { browser, report, pass } = await startPhones()
  await report('pixel', '+12025550143')
  expect((await browser.get('/phones/pixel')).text).not.toContain('/phones/pixel/forget')
  pass(6 * 60_000)
  const silent = (await browser.get('/phones/pixel')).text
  expect(silent).toContain('action="/phones/pixel/forget"')
  expect((await browser.submit('/phones/pixel/forget')).path).toBe('/phones')
  const { status, text } = await browser.get('/phones/pixel')
  expect(status).toBe(200)
  expect(text).toContain('This phone is not in the list of phones')
  expect(readRows(readCard(text, 'latest-messages'))[0]?.[0]).toBe('+12025550143')
})

test("an unknown phone and another account's phone have no page", async () => {
  const { browser, bobBrowser, report } = await startPhones()
  await report('pixel', '+12025550143')
  expect((await browser.get('/phones/nokia')).status).toBe(404)
  const { status, text } = await bobBrowser.get('/phones/pixel')
  expect(status).toBe(404)
  expect(text).not.toContain('+12025550143')
})
