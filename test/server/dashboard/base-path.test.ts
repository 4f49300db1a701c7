import { expect, test } from 'vitest'
import { Browser } from './browser.js'
import { annEmail, openClient, openPhone, password, startRelay } from './dashboard-relay.js'

const baseUrl = 'http://sms.example.com/a/sms'

async function startBelowPath() {
  const { url, ann } = await startRelay({ baseUrl })
  const client = openClient(url, ann)
  await client.messages.create({ destination: '+12025550143', message: 'Look at href="/messages"' })
  await client.contacts.create({ number: '+12025550144', name: 'Zoë' })
  await client.subscriptions.create({ event: 'message.create', url: 'https://hooks.example.com/' })
  await openPhone(url, ann, { name: 'desk', driver: 'simulate' }).messages.next()
  return { url, ann, client, browser: new Browser(url) }
}

test('every page, form and file below a path is below it, and works', async () => {
  const { browser } = await startBelowPath()
  const start = await browser.get('/a/sms')
  expect(start.path).toBe('/a/sms/login')
  const overview = await browser.post(start.path, { email: annEmail, password })
  expect(overview).toMatchObject({ path: '/a/sms/', status: 200 })
  const found = new Set(['/a/sms/'])
  const outside = new Set<string>()
  const broken: string[] = []
  for (const path of found) {
    const { status, text } = await browser.get(path)
    // Only the build has the API reference.
    if (status !== 200 && path !== '/a/sms/docs') broken.push(`${status} ${path}`)
    if (/\.(?:css|js|svg|csv|json)(?:\?|$)/.test(path)) continue
    const addresses = text.matchAll(/ (href|src|action|formaction|data-stream)="([^"]*)"/g)
    for (const [, name, address = ''] of addresses) {
      const local = address.replaceAll('&amp;', '&').split('#')[0] ?? ''
      if (!local.startsWith('/')) continue
      if (!local.startsWith('/a/sms/')) outside.add(`${local} of ${path}`)
      else if (name !== 'action' && name !== 'formaction' && !local.includes('?')) found.add(local)
    }
  }
  expect([...outside]).toEqual([])
  expect(broken).toEqual([])
  expect(found.size).toBeGreaterThan(40)
})

test('a form without a session leads to its page below a path after the sign-in', async () => {
  const { browser } = await startBelowPath()
  const headers = { Referer: `${baseUrl}/send?destination=1` }
  const page = await browser.post('/a/sms/send', {}, { headers })
  const next = '/send?destination=1'
  const signedIn = await browser.post(page.path, { email: annEmail, password, next })
  expect(page.path).toBe(`/a/sms/login?next=${encodeURIComponent(next)}`)
  expect(signedIn).toMatchObject({ path: `/a/sms${next}`, status: 200 })
})

test.each([
  ['http', 'smsrelay_session=', ''],
  ['https', '__Secure-smsrelay_session=', '; Secure'],
])('cookies of a relay below a path over %s are those of the path', async (scheme, name, end) => {
  const { url } = await startRelay({ baseUrl: `${scheme}://example.com/a/sms` })
  const browser = new Browser(url)
  const login = { email: annEmail, password }
  const { headers } = await browser.post('/a/sms/login', login, { follow: false })
  const [cookie = ''] = headers.getSetCookie()
  expect(cookie.startsWith(name)).toBe(true)
  expect(cookie.slice(cookie.indexOf(';'))).toBe(`; Path=/a/sms; HttpOnly; SameSite=Lax${end}`)
  expect((await browser.get('/a/sms/messages')).status).toBe(200)
})

test('the interface answers with and without the path, and links have it', async () => {
  const { url, ann, client } = await startBelowPath()
  const below = openClient(`${url}/a/sms`, ann)
  const { id } = await below.messages.create({ destination: '+12025550145', message: 'a' })
  expect(await client.messages.get(id)).toMatchObject({ message: 'a' })
  const token = await below.issueToken()
  const headers = { Authorization: `Bearer ${token.access_token}` }
  const query = new URLSearchParams({ filter: '{"count":1,"filter":"all","source":"api"}' })
  const reply = await fetch(`${url}/a/sms/api/1/message?${query}`, { headers })
  // biome-ignore lint/suspicious/noExplicitAny: The reply has two messages.
  const list = (await reply.json()) as any
  expect(list.messages[0].links.get.url).toBe(`${baseUrl}/api/1/message/${id}`)
  expect(list.links.next.url).toMatch(`${baseUrl}/api/1/message?`)
  const secretUrl = await below.secretUrls.create({ destination: '+12025550146', message: 'b' })
  expect(secretUrl.url).toMatch(`${baseUrl}/u/`)
  for (const path of ['/a/sms', '']) expect((await fetch(`${url}${path}/readyz`)).status).toBe(200)
  expect((await fetch(`${url}/a/smsx/readyz`)).status).toBe(404)
})
