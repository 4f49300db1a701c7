// Bodies that do not end, at a relay: whose they are, and for whom they are not read.
import { expect, onTestFinished, test } from 'vitest'
import { request, signInCaller } from '../../conformance/calls.js'
import { openConnection, readStatuses } from '../../net/server/client-connection.js'
import { Browser } from '../dashboard/browser.js'
import { runRelay } from '../running-relay.js'

const kilobyte = 1024
const password = 'correct horse battery'

async function start(settings: object = {}) {
  const running = await runRelay({ trustProxy: true, ...settings })
  onTestFinished(async () => await running.relay.stop())
  const port = Number(new URL(running.relay.url).port)
  /** Sends a request and the first bytes of its body. */
  const begin = async (
    line: string,
    fields: Readonly<Record<string, string>>,
    [bytes, length]: readonly [number, number],
  ) => {
    const connection = await openConnection(port)
    const all = { Host: 'localhost', 'Content-Type': 'application/json', ...fields }
    const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
    const head = `${line} HTTP/1.1\r\n${lines.join('')}Content-Length: ${length}\r\n\r\n`
    await connection.write(head + ' '.repeat(bytes))
    return connection
  }
  return { ...running, begin }
}

const part = [200 * kilobyte, 256 * kilobyte] as const
const batch = 'POST /api/1/message/batch'
const bearer = (token: string, client: string) => ({
  ...{ Authorization: `Bearer ${token}`, 'X-Forwarded-For': client },
})

test('an account has one share for all its addresses and tokens', async () => {
  const limits = { unfinishedPerHolder: 350 * kilobyte }
  const { relay, api, account, signIn, begin } = await start({ limits })
  const again = await signIn(relay, account.api_key)
  const bobs = await relay.administration.createAccount({ email: 'bob@example.com' })
  const bob = await signInCaller(relay.url, bobs.secret_key, bobs.api_key)
  const first = await begin(batch, bearer(api.token, '192.0.2.1'), part)
  const neighbour = await begin(batch, bearer(bob.token, '192.0.2.3'), part)
  const second = await begin(batch, bearer(again.token, '192.0.2.2'), part)
  const [reply = ''] = await first.replies(1)
  expect(readStatuses(reply)).toEqual([503])
  expect(reply).toMatch(/\r\nRetry-After: 5\r\n[\s\S]*"error":"unavailable"/)
  for (const { write, replies } of [neighbour, second]) {
    await write(' '.repeat(56 * kilobyte))
    expect(readStatuses((await replies(1))[0] ?? '')).toEqual([400])
  }
  expect(relay.metrics()['http_rejected_total{reason="bodies"}']).toBe(1)
})

test('a client behind a proxy has one share for all its accounts, and for open forms', async () => {
  const limits = { unfinishedPerHolder: 350 * kilobyte }
  const { relay, api, begin } = await start({ limits })
  const bobs = await relay.administration.createAccount({ email: 'bob@example.com' })
  const bob = await signInCaller(relay.url, bobs.secret_key, bobs.api_key)
  const first = await begin(batch, bearer(api.token, '192.0.2.1'), part)
  const second = await begin(batch, bearer(bob.token, '192.0.2.1'), part)
  expect(readStatuses((await first.replies(1))[0] ?? '')).toEqual([503])
  await second.write(' '.repeat(56 * kilobyte))
  expect(readStatuses((await second.replies(1))[0] ?? '')).toEqual([400])
})

test('a body for which somebody has no role is not read', async () => {
  const { relay, begin } = await start()
  const { administration, url } = relay
  const invitation = { account: 'ann@example.com', email: 'rea@example.com', role: 'reader', url }
  const { url: link } = await administration.invitePerson(invitation)
  const passwords = { new_password: password, repeated: password }
  await request(link, 'POST', { body: new URLSearchParams(passwords) })
  const { token } = await signInCaller(url, 'rea@example.com', password)
  const browser = new Browser(url)
  await browser.signIn('rea@example.com', password)
  const Cookie = [...browser.cookies].map(pair => pair.join('=')).join('; ')
  const form = { Cookie, 'Content-Type': 'application/x-www-form-urlencoded' }
  for (const [line, fields] of [
    ...([[batch, bearer(token, '192.0.2.1')]] as const),
    ...(['/send/many', '/contacts/import', '/contacts', '/settings'].map(path => [
      ...([`POST ${path}`, form] as const),
    ]) as [string, Record<string, string>][]),
  ]) {
    const { replies } = await begin(line, fields, [1, 200 * kilobyte])
    expect([line, ...readStatuses((await replies(1))[0] ?? '')]).toEqual([line, 403])
  }
})

test('a body that is longer than its limit is refused before it arrives', async () => {
  const { api, begin } = await start()
  const { replies } = await begin('POST /api/1/message', bearer(api.token, '192.0.2.1'), [
    ...([0, 300 * kilobyte] as const),
  ])
  expect(readStatuses((await replies(1))[0] ?? '')).toEqual([413])
})
