import { expect, test } from 'vitest'
import { startWithBrowsers } from '../dashboard-relay.js'

const maxPage = 60_000
const maxScripts = 20_000

test('the overview has at most 60 kB with an empty cache, and 20 kB of scripts', async () => {
  const { browser, url } = await startWithBrowsers()
  const { text } = await browser.get('/')
  const paths = new Set([...text.matchAll(/(?:href|src)="(\/assets\/[^"]*)"/g)].map(([, at]) => at))
  expect(paths.size).toBe(4)
  const sizes: Record<string, number> = {}
  for (const path of paths) {
    const response = await fetch(`${url}${path}`, { headers: { 'Accept-Encoding': 'gzip' } })
    expect(response.headers.get('content-encoding'), path).toBe('gzip')
    sizes[path ?? ''] = Number(response.headers.get('content-length'))
  }
  const sum = (filter: (path: string) => boolean): number =>
    Object.entries(sizes).reduce((total, [path, size]) => total + (filter(path) ? size : 0), 0)
  expect(sum(path => path.endsWith('.js'))).toBeLessThanOrEqual(maxScripts)
  expect(sum(() => true)).toBeGreaterThan(10_000)
  expect(Buffer.byteLength(text) + sum(() => true)).toBeLessThanOrEqual(maxPage)
})
