import { expect, test } from 'vitest'
import { countRows } from '../browser.js'
import { startWithBrowsers } from '../dashboard-relay.js'

const path = '/received'
const from = '+12025550123'

test('received texts are listed newest first, to their own account only', async () => {
  const { browser, bobBrowser, client } = await startWithBrowsers()
  for (let n = 1; n <= 51; n++)
    await client.receivedTexts.report({ from, message: `Text ${n}.`, phone: 'kitchen' })
  const first = await browser.get(path)
  expect(first.text).toContain('kitchen')
  expect(first.text.indexOf('Text 51.')).toBeLessThan(first.text.indexOf('Text 50.'))
  expect(first.text).not.toContain('Text 1.')
  const next = /href="(\/received\?before=[^"]+)"/.exec(first.text)?.[1] ?? ''
  const second = await browser.get(next)
  expect(second.text).toContain('Text 1.')
  expect(second.text).not.toContain('Text 2.')
  for (const page of [path, next])
    expect(countRows((await bobBrowser.get(page)).text), page).toBe(0)
})

test('an opt-out keyword is marked and puts its sender on the Do Not Text list', async () => {
  const { browser, client } = await startWithBrowsers()
  await client.receivedTexts.report({ from, message: 'Stop!' })
  expect((await browser.get(path)).text).toMatch(/Stop!<\/span> <span class="pill/)
  expect((await browser.get('/do-not-text')).text).toContain(from)
})
