import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { type Clock, createClock } from '../../../../src/util/async/clock.js'
import { openMigratedDatabase, runSql } from '../../store/postgres/test-postgres.js'
import { openNode } from '../../two-nodes.js'
import { Browser, getHiddenField, getShownSecret } from '../browser.js'
import { annEmail, openClient, password } from '../dashboard-relay.js'

/** A clock of which each look takes ten seconds. */
function createFastClock(): Clock {
  let elapsed = 0
  const monotonic = () => {
    elapsed += 10_000
    return performance.now() + elapsed
  }
  return { ...createClock(), monotonic }
}

/** Two nodes, and a browser that is signed in to both with the same cookie. */
async function start(clock?: Clock) {
  const url = await openMigratedDatabase()
  const nodes = [await openNode(url), await openNode(url, clock && { clock })] as const
  for (const node of nodes) await node.start()
  const account = await nodes[0].administration.createAccount({ email: annEmail, password })
  const [first, second] = [new Browser(nodes[0].url), new Browser(nodes[1].url)]
  await first.signIn(annEmail, password)
  for (const [name, value] of first.cookies) second.cookies.set(name, value)
  const csrf = getHiddenField((await second.get('/')).text, 'csrf')
  return { url, first, second, csrf, client: openClient(nodes[0].url, account) }
}

test('a form that is sent to two nodes at once has its effect once, and both show it', async () => {
  const { first, second, csrf, client } = await start()
  for (let round = 1; round <= 5; round += 1) {
    const form = { csrf, key: randomUUID(), name: `m${round}`, subject: 'never' }
    const replies = await Promise.all(
      [first, second].map(browser => browser.post('/mailboxes', form)),
    )
    const keys = replies.map(({ text }) => /&lt;number>\.([a-z2-7]{32})@/.exec(text)?.[1])
    expect(keys[0]).toBeDefined()
    expect(keys[1]).toBe(keys[0])
    expect(await client.mailboxes.list()).toHaveLength(round)
  }
})

test('a form whose node was lost says so, and is sent again only as a new one', async () => {
  const { url, first, second, csrf, client } = await start()
  const form = { csrf, key: randomUUID(), subject: 'never', name: 'Door' }
  await first.post('/mailboxes', form)
  const lost = JSON.stringify({ run: randomUUID(), until: 0 })
  await runSql(url, `update limit_state set doc = '${lost}' where kind = 'form'`)
  const reply = await second.post('/mailboxes', form)
  expect([reply.status, reply.text]).toEqual([
    409,
    expect.stringContaining('does not know whether'),
  ])
  expect(await client.mailboxes.list()).toHaveLength(1)
  const page = (await second.get('/mailboxes')).text
  expect(page).toContain('value="Door"')
  expect(page).not.toContain(form.key)
  await second.post('/mailboxes', { ...form, key: randomUUID() })
  expect(await client.mailboxes.list()).toHaveLength(2)
})

test('keys that a password opened at one node are shown and hidden at the other', async () => {
  const { first, second, csrf } = await start()
  const path = '/settings/keys'
  expect((await second.get(path)).text).not.toContain('whsec_')
  expect((await first.post(path, { csrf, password })).text).toContain('whsec_')
  expect((await second.get(path)).text).toContain('whsec_')
  expect((await second.post(path, { csrf, hide: '1' })).text).not.toContain('whsec_')
  expect((await first.get(path)).text).not.toContain('whsec_')
})

test('the other node shows a secret that the database has only encrypted', async () => {
  const { url, first, second, csrf } = await start()
  const path = '/settings/keys/api'
  const was = getHiddenField((await first.get(path)).text, 'was')
  const form = { csrf, key: randomUUID(), was, password }
  const shown = await first.post(path, form)
  const secret = getShownSecret(shown.text, 'api-key')
  expect(secret).not.toBe('')
  expect((await second.get(shown.path)).text).toContain(secret)
  const rows = await runSql<{ kind: string }>(url, 'select * from limit_state')
  expect(rows.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['form', 'session record']))
  const stored = JSON.stringify(rows)
  const session = first.cookies.get('smsrelay_session') ?? ''
  for (const each of [secret, shown.path.split('/').at(-1) ?? '', form.key, session, password])
    expect(stored).not.toContain(each)
})

test('the other node shows why a sign-in failed, and signs in with the next form', async () => {
  const { first, second } = await start()
  for (const browser of [first, second]) browser.cookies.clear()
  const form = { email: annEmail, password: 'wrong' }
  const sent = await first.post('/login', form, { follow: false })
  for (const [name, value] of first.cookies) second.cookies.set(name, value)
  const page = await second.get(sent.headers.get('location') ?? '')
  expect([page.status, page.notice?.text]).toEqual([403, expect.stringContaining('is wrong')])
  expect((await second.post('/login', { ...form, password })).path).toBe('/')
})

test('a form in progress at another node leads to its input, and that to its result', async () => {
  const { url, first, second, csrf, client } = await start(createFastClock())
  // The form of the sign-in, whose result is encrypted with its own key.
  await runSql(url, "delete from limit_state where kind = 'form'")
  const form = { csrf, key: randomUUID(), name: 'Door' }
  const sent = await first.post('/urls', form)
  const read = "select doc from limit_state where kind = 'form'"
  const [stored] = await runSql<{ doc: object }>(url, read)
  const replaceForm = async (doc: object = {}) => {
    const changed = `doc = '${JSON.stringify(doc)}', op = gen_random_uuid()`
    await runSql(url, `update limit_state set ${changed} where kind = 'form'`)
  }
  await replaceForm({ run: 'of a node that hangs', until: Number.MAX_SAFE_INTEGER })
  const waiting = await second.post('/urls', form)
  expect(waiting.status).toBe(503)
  expect(waiting.text).toContain('still in progress')
  expect(waiting.text).toContain('Send it again in a moment to see its result.')
  const link = /href="([^"]*)"[^>]*>Back to your input/.exec(waiting.text)?.[1] ?? ''
  expect((await second.get(link)).text).toContain(form.key)
  await replaceForm(stored?.doc)
  expect((await second.post('/urls', form)).path).toBe(sent.path)
  expect(await client.secretUrls.list()).toHaveLength(1)
})
