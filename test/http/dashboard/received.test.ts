import { expect, test } from 'vitest'
import { Browser, password, startRelay } from './browser.js'

async function signedIn() {
  const world = await startRelay()
  const browser = new Browser(world.url)
  await browser.signIn()
  const basic = Buffer.from(`${world.ann.secret_key}:${world.ann.app_key}`).toString('base64')
  const issued = await fetch(`${world.url}/oauth`, { headers: { Authorization: `Basic ${basic}` } })
  const { access_token } = (await issued.json()) as { access_token: string }
  const headers = { Authorization: `Bearer ${access_token}`, 'Content-Type': 'application/json' }
  const receive = async (message: string, from = '+12025550143', phone = 'pixel') => {
    const body = JSON.stringify({ from, message, phone })
    const path = `${world.url}/api/1/message/received`
    expect((await fetch(path, { method: 'POST', headers, body })).ok).toBe(true)
  }
  return { ...world, browser, receive }
}

function textsOn(html: string): string[] {
  return [...html.matchAll(/<span class="text">([^<]*)</g)].map(([, text]) => text ?? '')
}

test('received texts are listed with what they ask for, as text', async () => {
  const { browser, receive, defects } = await signedIn()
  expect((await browser.get('/received')).text).toContain('No text has reached a phone')
  await receive('<script>alert(1)</script>', '<b>', '"><img src=x>')
  await receive('STOP')
  const { text } = await browser.get('/received')
  expect(textsOn(text)).toEqual(['STOP', '&lt;script>alert(1)&lt;/script>'])
  expect(text).toContain('asks for no more texts')
  expect(text).not.toMatch(/<script>|<b>|<img/)
  expect(defects).toEqual([])
})

test('the list goes on page by page and back to the newest', async () => {
  const { browser, receive } = await signedIn()
  for (let count = 0; count < 120; count += 1) await receive(`text ${count}`)
  const seen: string[] = []
  let next = '/received'
  for (let pages = 0; pages < 3; pages += 1) {
    const { text } = await browser.get(next)
    seen.push(...textsOn(text))
    next = /href="([^"]*)" rel="next"/.exec(text)?.[1] ?? ''
    expect(text.includes('href="/received" rel="prev"')).toBe(pages > 0)
  }
  expect(next).toBe('')
  expect(seen).toEqual(Array.from({ length: 120 }, (_, at) => `text ${119 - at}`))
})

test("another account's texts are not shown", async () => {
  const { browser, receive, relay, url } = await signedIn()
  await receive('for ann')
  await receive('for ann too')
  await relay.administration.createAccount({ email: 'bob@example.com', password })
  const bob = new Browser(url)
  await bob.signIn('bob@example.com')
  expect(textsOn((await bob.get('/received')).text)).toEqual([])
  expect((await browser.get('/received?before=nobody')).status).toBeLessThan(500)
})
