import { expect, test } from 'vitest'
import { findPageLink, readRows } from '../browser.js'
import { openPhone, startWithBrowsers } from '../dashboard-relay.js'

test('more than 100 phones are on several pages, by name', async () => {
  const { browser, url, ann } = await startWithBrowsers()
  const names = Array.from({ length: 101 }, (_, n) => `phone ${1100 - n}`)
  for (const name of names) {
    await openPhone(url, ann, { name, driver: 'simulate' }).status.reportPresence({ rate: '1/s' })
  }
  const first = await browser.get('/phones')
  const second = await browser.get(findPageLink(first.text, 'next'))
  expect(readRows(first.text).map(([name]) => name)).toEqual(names.slice(1).reverse())
  expect(readRows(second.text).map(([name]) => name)).toEqual(['phone 1100'])
  expect(findPageLink(second.text, 'prev')).toBe('/phones')
})
