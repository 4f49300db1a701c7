import { expect, test } from 'vitest'
import { startWithBrowsers } from '../dashboard-relay.js'

const isShared = process.env.SMSRELAY_TEST_STORE === 'postgres'

function readFacts(html: string): Record<string, string> {
  const facts = html.matchAll(/<dt>([^<]*)<\/dt><dd>(.*?)<\/dd>/gs)
  return Object.fromEntries(
    [...facts].map(([, name = '', value = '']) => [name, value.replace(/<[^>]*>/g, '')]),
  )
}

test('the owner sees the version, the queue of all accounts and the store', async () => {
  const { browser, client } = await startWithBrowsers({}, { version: '1.2.3' })
  for (const message of ['Hello', 'Good morning'])
    await client.messages.create({ destination: '+12025550143', message })
  const { text } = await browser.get('/relay')
  expect(text).toContain('href="/relay" aria-current="page"')
  const facts = readFacts(text)
  expect(facts).toMatchObject({ Version: '1.2.3', 'Node.js': process.version, Due: '2' })
  const size = expect.stringMatching(/^[\d.]+ ([KMGT]i)?B$/)
  if (isShared)
    expect(facts).toMatchObject({
      Store: 'PostgreSQL database',
      'Size of the database': size,
      'Last vacuum of messages': expect.stringMatching(/^none$|UTC|\d\d:\d\d/),
      'Rows that a vacuum can remove': expect.stringMatching(/^[\d,]+$/),
    })
  else
    expect(facts).toMatchObject({
      Store: 'Data directory',
      'Free space of the disk': size,
      'Size of the journals': size,
      'Last compaction': 'none',
      'Compactions since the start': '0, 0 failed',
      Damage: 'none found',
    })
})

test('other accounts have no page about the relay, and no link to it', async () => {
  const { bobBrowser } = await startWithBrowsers()
  expect((await bobBrowser.get('/relay')).status).toBe(404)
  expect((await bobBrowser.get('/')).text).not.toContain('href="/relay"')
})
