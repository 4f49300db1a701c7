import { expect, test } from 'vitest'
import { Browser, readRows } from '../browser.js'
import { annEmail, bobEmail, password, startRelay } from '../dashboard-relay.js'

const security = '/settings/security'
const agents = {
  firefox: 'Mozilla/5.0 (Windows NT 10.0; rv:145.0) Gecko/20100101 Firefox/145.0',
  chrome: 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/142.0 Safari/537.36',
}

async function start() {
  let time = Date.UTC(2030, 0)
  const relay = await startRelay({}, { now: () => time })
  await relay.administration.createAccount({ email: bobEmail, password })
  const signIn = async (agent: string, email = annEmail) => {
    const browser = new Browser(relay.url)
    await browser.post('/login', { email, password }, { headers: { 'User-Agent': agent } })
    return browser
  }
  const advance = (milliseconds: number) => {
    time += milliseconds
  }
  return { ...relay, signIn, advance }
}

test('the sessions of a person are listed with device, address and times', async () => {
  const { url, signIn, advance } = await start()
  const first = await signIn(agents.firefox)
  await signIn(agents.chrome, bobEmail)
  const headers = {
    Authorization: `Basic ${Buffer.from(`${annEmail}:${password}`).toString('base64')}`,
    'User-Agent': 'curl/8.5.0',
  }
  expect((await fetch(`${url}/oauth`, { headers })).status).toBe(200)
  advance(60 * 60_000)
  const second = await signIn(agents.chrome)
  const page = await second.get(security)
  const rows = readRows(page.text)
  expect(rows.map(([device]) => device)).toEqual([
    'Chrome on Linuxthis session',
    'Firefox on Windows',
    'curlUser Login token of the API',
  ])
  expect(rows.map(cells => cells[1])).toEqual(['127.0.0.1', '127.0.0.1', '127.0.0.1'])
  expect(rows[1]?.slice(2, 4)).toEqual(['1 h ago', '1 h ago'])
  expect(rows[0]?.[3]).toBe('now')
  expect((await first.get(security)).status).toBe(200)
})

test('one session ends, then all others; that of another account stays', async () => {
  const { signIn } = await start()
  const [first, second, third] = [
    await signIn(agents.firefox),
    await signIn(agents.chrome),
    await signIn(agents.chrome),
  ]
  const bob = await signIn(agents.chrome, bobEmail)
  const findEnd = ({ text }: { readonly text: string }) =>
    /action="([^"]*)\/end"[^>]*>(?:(?!<\/form>).)*Sign out Firefox/s.exec(text)?.[1] ?? ''
  const path = `${findEnd(await second.get(security))}/end`
  // Bob cannot end the session of Ann.
  await bob.submit(path)
  expect((await first.get('/')).path).toBe('/')
  expect((await second.submit(path)).notice?.kind).toBe('done')
  expect((await first.get('/')).path).toBe('/login')
  const ended = await second.submit(`${security}/sessions/end-others`)
  expect(ended.notice?.text).toContain('The other session has ended')
  expect((await third.get('/')).path).toBe('/login')
  expect((await second.get('/')).path).toBe('/')
  expect((await bob.get('/')).path).toBe('/')
})

test('of many sessions, 100 are listed with the own one, and all others end', async () => {
  const { url, signIn, advance } = await start()
  const browser = await signIn(agents.firefox)
  // The session ends in five hours, because it is 30 days old, and the tokens end in eight.
  for (let times = 0; times < 65; times += 1) {
    advance(11 * 60 * 60_000)
    await browser.get(security)
  }
  const Authorization = `Basic ${Buffer.from(`${annEmail}:${password}`).toString('base64')}`
  for (let count = 0; count < 101; count += 1) {
    expect((await fetch(`${url}/oauth`, { headers: { Authorization } })).status).toBe(200)
  }
  const { text } = await browser.get(security)
  expect(readRows(text)).toHaveLength(100)
  expect(readRows(text)[0]?.[0]).toBe('Firefox on Windowsthis session')
  expect(text).toContain('These are the 100 sessions that end last. There are 2 more.')
  const ended = await browser.submit(`${security}/sessions/end-others`)
  expect(ended.notice?.text).toContain('The 101 other sessions have ended')
  expect(ended.text).not.toContain('that end last')
})

test('signing out everywhere ends every session', async () => {
  const { openBrowser } = await startRelay()
  const [browser, other] = [await openBrowser(), await openBrowser()]
  const token = browser.cookies.get('smsrelay_session') ?? ''
  expect((await browser.submit(`${security}/sessions/end-all`)).path).toBe('/login')
  expect(browser.cookies.has('smsrelay_session')).toBe(false)
  browser.cookies.set('smsrelay_session', token)
  expect((await browser.get('/')).path).toBe('/login')
  expect((await other.get('/')).path).toBe('/login')
})
