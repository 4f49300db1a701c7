import { get } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { startWithBrowsers } from '../dashboard-relay.js'

/** Requests a page with these header fields; resolves to its body as it came. */
async function readBody(url: string, headers: Readonly<Record<string, string>>): Promise<Buffer> {
  return await new Promise((resolve, reject) => {
    get(url, { headers, agent: false }, reply => buffer(reply).then(resolve, reject)).once(
      'error',
      reject,
    )
  })
}

test('the API reference is compressed once, for replies that differ around it', async () => {
  const { url, browser } = await startWithBrowsers()
  const address = `${url}/docs`
  const cookie = [...browser.cookies].map(pair => pair.join('=')).join('; ')
  const headers = { 'accept-encoding': 'gzip, deflate, br' }
  const visitor = await readBody(address, headers)
  const person = await readBody(address, { ...headers, cookie })
  const middle = visitor.subarray(visitor.length / 4, -visitor.length / 4)
  expect(person.includes(middle)).toBe(true)

  const plain = (await readBody(address, { cookie })).toString()
  const pages = [gunzipSync(visitor), gunzipSync(person), plain].map(String)
  const [body = '', ...others] = pages.map(text => /<div class="title">.*<\/main>/s.exec(text)?.[0])
  expect(body).toContain('NEXT /api/1/message')
  expect(others).toEqual([body, body])
  expect(pages.map(text => text.includes('action="/logout"'))).toEqual([false, true, true])
  for (const text of pages) expect(text).toMatch(/^<!doctype html>.*<\/html>\n/s)
})
