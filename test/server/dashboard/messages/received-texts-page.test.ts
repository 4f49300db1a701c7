import { expect, test } from 'vitest'
import { allPayloads, expectNoMarkup } from '../hostile.js'
import { openClient, startWithBrowsers } from '../signed-in.js'

const path = '/received'

test('received texts are listed, the newest first, for their account only', async () => {
  const { browser, bob, url, ann } = await startWithBrowsers()
  const client = openClient(url, ann)
  for (let n = 1; n <= 51; n++) {
    await client.receivedTexts.report({
      from: '+12025550123',
      message: `Text ${n}.`,
      phone: 'kitchen',
    })
  }
  const first = await browser.get(path)
  expect(first.text).toContain('kitchen')
  expect(first.text.indexOf('Text 51.')).toBeLessThan(first.text.indexOf('Text 50.'))
  expect(first.text).not.toContain('Text 1.')
  const next = /href="(\/received\?before=[^"]+)"/.exec(first.text)?.[1] ?? ''
  const second = await browser.get(next)
  expect(second.text).toContain('Text 1.')
  expect(second.text).not.toContain('Text 2.')
  expect((await bob.get(path)).text).toContain('No text was received.')
  expect((await bob.get(next)).text).toContain('No text was received.')
})

test('a word that stops is marked', async () => {
  const { browser, url, ann } = await startWithBrowsers()
  await openClient(url, ann).receivedTexts.report({ from: '+12025550123', message: 'Stop!' })
  expect((await browser.get(path)).text).toMatch(/Stop!<\/span><span class="badge">stop word</)
  expect((await browser.get('/do-not-text')).text).toContain('its owner texted a stop word')
})

test('the list is a live part', async () => {
  const { browser } = await startWithBrowsers()
  const part = await browser.get(path, { headers: { 'HX-Request': 'true' } })
  expect(part.text).toMatch(/^<div id="received" data-live/)
})

test('no payload becomes markup', async () => {
  const { browser, url, ann, defects } = await startWithBrowsers()
  const from = allPayloads.slice(0, 255)
  await openClient(url, ann).receivedTexts.report({
    from,
    message: allPayloads,
    phone: '<img src=x>',
  })
  const seen = await browser.get(path)
  expect(seen.text).toContain('&lt;img')
  expectNoMarkup(seen.text)
  expectNoMarkup((await browser.get(`${path}?before=${encodeURIComponent(allPayloads)}`)).text)
  expect(defects).toEqual([])
})
