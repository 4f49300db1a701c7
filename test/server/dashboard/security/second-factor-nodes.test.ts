import { expect, test } from 'vitest'
import { openMigratedDatabase } from '../../store/postgres/test-postgres.js'
import { expectWithinSecond, startNodesWithClock } from '../../two-nodes.js'
import { Browser, getHiddenField } from '../browser.js'
import { annEmail, password } from '../dashboard-relay.js'
import { enterPassword, setUpApp } from './second-factor.js'

const step = 30_000

/** Two nodes; Ann is signed in to both with the same cookie, and has an authenticator app. */
async function start() {
  const url = await openMigratedDatabase()
  const { clock, nodes } = await startNodesWithClock(url)
  await nodes[0].administration.createAccount({ email: annEmail, password })
  const urls = nodes.map(node => node.url) as [string, string]
  const [first, second] = [new Browser(urls[0]), new Browser(urls[1])]
  await first.signIn(annEmail, password)
  for (const [name, value] of first.cookies) second.cookies.set(name, value)
  // The code with which the app is set up is that of the step before.
  const { app, recoveryCodes } = await setUpApp(first, () => clock.now() - step)
  const code = () => app.code(clock.now())
  return { urls, first, second, code, recoveryCodes, clock }
}

/** Moves a browser to the other node, as a proxy does. */
function moveTo(url: string, { cookies }: Browser): Browser {
  const moved = new Browser(url)
  for (const [name, value] of cookies) moved.cookies.set(name, value)
  return moved
}

test('the password at one node and the code at the other sign in', async () => {
  const { urls, code } = await start()
  const browser = moveTo(urls[1], await enterPassword(urls[0]))
  expect((await browser.post('/login/code', { code: code() })).path).toBe('/')
})

test('of two sign-ins with one code at two nodes at once, one succeeds', async () => {
  const { urls, code, recoveryCodes } = await start()
  for (const each of [code(), ...recoveryCodes.slice(0, 3)]) {
    const browsers = await Promise.all(urls.map(url => enterPassword(url)))
    const replies = await Promise.all(
      browsers.map(browser => browser.post('/login/code', { code: each })),
    )
    expect(replies.map(({ status, path }) => `${status} ${path}`).sort()).toEqual([
      '200 /',
      '403 /login/code',
    ])
  }
})

test('wrong codes at one node are throttled at the other', async () => {
  const { urls, code } = await start()
  const [first, second] = await Promise.all(urls.map(url => enterPassword(url)))
  const tries = Array.from({ length: 5 }, () => first?.post('/login/code', { code: '000000' }))
  expect((await Promise.all(tries)).map(reply => reply?.status)).toEqual(Array(5).fill(403))
  expect((await second?.post('/login/code', { code: code() }))?.status).toBe(429)
})

test('a session that was signed out at one node ends at the other', async () => {
  const { urls, first, second, recoveryCodes, clock } = await start()
  const other = await enterPassword(urls[1])
  await other.post('/login/code', { code: recoveryCodes[0] ?? '' })
  expect((await other.get('/')).path).toBe('/')
  const csrf = getHiddenField((await first.get('/')).text, 'csrf')
  await first.post('/settings/security/sessions/end-others', { csrf })
  await expectWithinSecond(clock, async () => (await other.get('/')).path, '/login')
  expect((await second.get('/')).path).toBe('/')
})
