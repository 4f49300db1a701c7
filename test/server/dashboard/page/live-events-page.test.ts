import { expect, test } from 'vitest'
import type { Browser } from '../browser.js'
import { startWithBrowsers } from '../dashboard-relay.js'

const limits = { heartbeat: 20 }
const draft = { destination: '+12025550123', message: 'Hello' }

/** The mark of a live page for its event stream. */
async function readMark(browser: Browser): Promise<string> {
  const mark = /data-mark="([\w.-]+)"/.exec((await browser.get('/messages')).text)?.[1] ?? ''
  expect(mark).not.toBe('')
  return mark
}

/** What an event stream sends first after its opening: a heartbeat, or that something changed. */
async function readFirst(url: string, browser: Browser, since: string): Promise<string> {
  const headers = { Cookie: [...browser.cookies].map(pair => pair.join('=')).join('; ') }
  const stream = await fetch(`${url}/live?since=${since}`, { headers })
  const reader = stream.body?.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  while (!/\n\n.*\n\n/s.test(text)) text += (await reader?.read())?.value ?? ''
  await reader?.cancel()
  return text.includes('data: change') ? 'change' : 'heartbeat'
}

test('the stream of a page tells at once of a change since the page, and only then', async () => {
  const { browser, bobBrowser, client, url } = await startWithBrowsers({ limits })
  await bobBrowser.get('/')
  const before = await readMark(browser)
  expect(await readFirst(url, browser, before)).toBe('heartbeat')
  await client.messages.create(draft)
  expect(await readFirst(url, browser, before)).toBe('change')
  expect(await readFirst(url, browser, await readMark(browser))).toBe('heartbeat')
  expect(await readFirst(url, bobBrowser, before), 'of another account').toBe('heartbeat')
})

test.each(['', 'x', 'x.5', '.', 'toString'])('a stream with the mark %j looks once', async mark => {
  const { browser, url } = await startWithBrowsers({ limits })
  expect(await readFirst(url, browser, mark)).toBe('change')
})

test('the mark does not change the version of a page', async () => {
  const { browser } = await startWithBrowsers()
  const { text } = await browser.get('/messages')
  const headers = { 'X-Page-Version': /data-version="([\w-]+)"/.exec(text)?.[1] ?? '' }
  expect((await browser.get('/messages', { headers })).status).toBe(204)
})
