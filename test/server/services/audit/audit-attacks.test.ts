import { expect, test } from 'vitest'
import { readRows } from '../../dashboard/browser.js'
import { annEmail, bobEmail, password, requestToken } from '../../dashboard/dashboard-relay.js'
import { fetchToken } from '../../dashboard/people/people-rig.js'
import { startAudited } from './audit-rig.js'

/** Names that try to be a second entry, markup, a spreadsheet formula or another column. */
const names = [
  '=HYPERLINK("http://127.0.0.1:1/?"&A1)',
  '@SUM(1+1)*cmd|calc!A0',
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  'a","group.delete","","person',
  "' || (select 1) || '",
]

test('names cannot forge an entry on the page, in the CSV file or in a filter', async () => {
  const { client, openBrowser, readNew } = await startAudited()
  const browser = await openBrowser()
  await readNew()
  for (const name of names) await client.templates.create({ name, text: 'Hi' })
  expect((await readNew()).map(({ target }) => target?.name)).toEqual(names)
  const { text: page } = await browser.get('/audit?action=template')
  expect(readRows(page)).toHaveLength(names.length)
  expect(page).not.toMatch(/<script>alert|<img src=x/)
  const { text: file } = await browser.get('/audit.csv?action=template')
  const lines = file.trimEnd().split('\r\n')
  expect(lines).toHaveLength(1 + names.length)
  for (const line of lines.slice(1)) {
    expect(line).toContain(',template.create,,key,')
    expect(line).not.toMatch(/(?:^|,)"?[=@]/)
  }
  for (const name of names)
    expect((await client.audit.list({ target: name, action: 'template' })).length, name).toBe(1)
})

test('a line break in a name or header field makes no second entry', async () => {
  const { url, client, ann, readNew } = await startAudited()
  const token = await fetchToken(url, annEmail)
  await readNew()
  const send = async (name: string, agent: string) =>
    await fetch(`${url}/api/1/group`, {
      method: 'POST',
      headers: {
        ...{ Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
        'User-Agent': agent,
      },
      body: JSON.stringify({ name }),
    })
  await send('a\r\n{"action":"group.delete"}', 'x"},{"action":"group.delete" <b>')
  await send('Crew', '<script>alert(1)</script>'.repeat(200))
  const entries = await readNew()
  expect(entries.every(({ action }) => action === 'group.create')).toBe(true)
  expect(entries.at(-1)?.target?.name).toBe('Crew')
  expect(entries.length).toBeLessThanOrEqual(2)
  for (const { device = '', account } of entries) {
    expect(device).not.toMatch(/[<>"{]/)
    expect(device.length).toBeLessThan(100)
    expect(account).toBe(ann.id)
  }
  expect(await client.audit.list({ action: 'group.delete' })).toEqual([])
})

const forwarded = {
  ...{ 'X-Forwarded-For': '192.0.2.66', Forwarded: 'for=192.0.2.66' },
  ...{ 'X-Real-IP': '192.0.2.66', 'X-Request-Id': '<b>forged</b>' },
}

test.each([
  [false, '127.0.0.1'],
  [true, '192.0.2.66'],
])('with trustProxy %s the address of an entry is %s', async (trustProxy, address) => {
  const { url, readNew } = await startAudited({ trustProxy })
  const token = await fetchToken(url, annEmail)
  await readNew()
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' }
  const body = JSON.stringify({ name: 'Crew' })
  await fetch(`${url}/api/1/group`, {
    ...{ method: 'POST', headers: { ...headers, ...forwarded }, body },
  })
  expect(await readNew()).toMatchObject([{ action: 'group.create', address }])
  const again = await fetch(`${url}/api/1/group`, {
    ...{ method: 'POST', headers: { ...headers, 'X-Forwarded-For': '<b>not an address</b>' } },
    body: JSON.stringify({ name: 'Staff' }),
  })
  expect(again.status).toBe(200)
  expect(JSON.stringify(await readNew())).not.toContain('<b>')
})

test('wrong passwords and tokens of keys do not flood the log', async () => {
  const { url, ann, readNew } = await startAudited()
  await readNew()
  for (let at = 0; at < 30; at += 1) {
    await requestToken(url, annEmail, 'wrong')
    await requestToken(url, `nobody-${at}@example.com`, 'wrong')
    await requestToken(url, ann.secret_key, ann.api_key)
  }
  const actions = (await readNew()).map(({ action }) => action)
  // The client that reads the log had the entry of a key's token in this hour.
  expect(actions).toEqual(['person.sign_in'])
})

test('an account reads no entry of another, and keeps its own when it is deleted', async () => {
  const { administration, ann, client, openBrowser, readNew } = await startAudited()
  const bob = await administration.createAccount({ email: bobEmail, password })
  await client.groups.create({ name: 'Secret crew' })
  const [entry] = await readNew().then(entries => entries.slice(-1))
  const browser = await openBrowser(bobEmail)
  for (const query of ['', `?account=${ann.id}`, `?account=${annEmail}`, '?account=*']) {
    expect((await browser.get(`/audit${query}`)).text, query).not.toContain('Secret crew')
    const file = await browser.get(`/audit.csv${query}`).catch(() => undefined)
    expect(file?.text ?? '', query).not.toContain('Secret crew')
  }
  const other = await browser.get(`/audit?before=${entry?.id}`)
  expect(other.text).not.toContain('Secret crew')
  await administration.deleteAccount(bobEmail)
  const kept = await client.audit.list({ account: bob.id })
  expect(kept.map(({ action }) => action)).toContain('account.delete')
})
