import { expect, test } from 'vitest'
import { startWithBrowsers } from '../dashboard-relay.js'

test('a page has each icon that it uses once, and no other', async () => {
  const { browser } = await startWithBrowsers()
  for (const path of ['/', '/messages', '/settings/security', '/docs/none']) {
    const { text } = await browser.get(path)
    const list = (pattern: RegExp) => Array.from(text.matchAll(pattern), each => each[1]).sort()
    const used = list(/<use href="#i-(\w+)"/g)
    expect(used.length, path).toBeGreaterThan(0)
    expect(list(/<symbol id="i-(\w+)"/g), path).toEqual([...new Set(used)])
  }
})
