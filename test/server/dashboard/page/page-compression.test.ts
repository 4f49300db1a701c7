import { expect, test } from 'vitest'
import { getHiddenField } from '../browser.js'
import { password, startWithBrowsers } from '../dashboard-relay.js'

test('a page is compressed only if its length says nothing about its texts', async () => {
  const { browser } = await startWithBrowsers()
  const same = { 'accept-encoding': 'gzip, br', 'sec-fetch-site': 'same-origin' }
  for (const [headers, coding] of [
    [same, 'br'],
    [{ 'accept-encoding': 'br;q=0, gzip;q=0.5' }, 'gzip'],
    [{ 'accept-encoding': 'identity' }, null],
    // Typed by a person, then by a link of another site and by the script of an open page.
    [{ ...same, 'sec-fetch-site': 'none' }, 'br'],
    [{ ...same, 'sec-fetch-site': 'cross-site' }, null],
    [{ ...same, 'sec-fetch-site': 'same-site' }, null],
    [{ ...same, 'x-page-version': 'x' }, null],
  ] as const) {
    const page = await browser.get('/messages', { headers })
    expect(page.headers.get('content-encoding'), JSON.stringify(headers)).toBe(coding)
    expect(page.headers.get('vary')).toBe('Accept-Encoding')
    expect(page.text).toContain('<h1>Messages</h1>')
  }
})

test('a page with a secret is never compressed', async () => {
  const { browser } = await startWithBrowsers()
  const headers = { 'accept-encoding': 'br' }
  const path = '/settings/keys'
  const hidden = await browser.get(path, { headers })
  expect(hidden.headers.get('content-encoding')).toBe('br')
  await browser.submit(path, { password })
  const shown = await browser.get(path, { headers })
  expect(shown.text).toContain('srs_')
  expect(shown.headers.get('content-encoding')).toBeNull()
})

test('compressed pages differ in their tokens and in their length', async () => {
  const { browser } = await startWithBrowsers()
  const headers = { 'accept-encoding': 'br' }
  const pages = await Promise.all(
    Array.from({ length: 12 }, async () => await browser.get('/settings', { headers })),
  )
  const tokens = pages.map(({ text }) => getHiddenField(text, 'csrf'))
  expect(new Set(tokens).size).toBe(pages.length)
  const lengths = pages.map(({ headers }) => headers.get('content-length'))
  expect(new Set(lengths).size).toBeGreaterThan(6)
  for (const csrf of tokens.slice(0, 2))
    expect((await browser.post('/settings/theme', { csrf, theme: 'dark' })).status).toBe(200)
  const [token = ''] = tokens
  for (const csrf of [token.slice(0, -4), `${token.slice(0, -4)}AAAA`, token.slice(43), ''])
    expect((await browser.post('/settings/theme', { csrf, theme: 'dark' })).status).toBe(403)
})
