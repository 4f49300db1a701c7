import { expect, test } from 'vitest'
import { readRows } from './browser.js'
import { annEmail, bobEmail, startWithBrowsers } from './dashboard-relay.js'
import { startWithPeople } from './people/people-rig.js'

test('the owner sees the changes of all accounts, and another admin those of the own', async () => {
  const { ann, bob, browser, bobBrowser } = await startWithBrowsers()
  await browser.submit('/contacts/groups', { name: 'Staff <b>' })
  await bobBrowser.submit('/contacts/groups', { name: 'Crew' })
  const { text } = await browser.get('/audit')
  const rows = readRows(text)
  const row = ['Group: create', annEmail, 'Staff &lt;b>', '127.0.0.1, node']
  expect(rows).toContainEqual([...row, expect.any(String), annEmail])
  expect(rows.map(each => each[2])).toContain('Crew')
  expect(rows.map(each => each[0])).toContain('Account: create')
  const own = (await bobBrowser.get('/audit')).text
  expect(own).toContain('Crew')
  expect(own).not.toContain('Staff')
  expect((await browser.get(`/audit?account=${bobEmail}`)).text).not.toContain('Staff')
  expect((await bobBrowser.get(`/audit?account=${bob.id}`)).text).toContain('Crew')
  const refused = await bobBrowser.get(`/audit?account=${ann.id}`)
  expect(refused.status).toBe(404)
  expect(refused.text).not.toContain('Staff')
})

test('the audit log is filtered, has pages, and is downloaded with the same filter', async () => {
  const { ann, browser } = await startWithBrowsers()
  for (let at = 0; at < 52; at += 1)
    await browser.submit('/contacts/groups', { name: `Group ${at}` })
  await browser.submit('/templates', { name: 'Hello', text: 'Hi' })
  const first = await browser.get(`/audit?account=${ann.id}&action=group`)
  expect(readRows(first.text)).toHaveLength(50)
  const [, next = ''] = /href="([^"]*)" rel="next"/.exec(first.text) ?? []
  const second = await browser.get(next.replaceAll('&amp;', '&'))
  expect(readRows(second.text).map(row => row[2])).toEqual(['Group 1', 'Group 0'])
  const found = async (query: string) => readRows((await browser.get(`/audit?${query}`)).text)
  expect(await found('target=hello')).toHaveLength(1)
  expect(await found('action=template&q=ANN')).toHaveLength(1)
  expect(await found('action=template&address=192.0.2.1')).toHaveLength(0)
  expect(await found('action=template&to=2020-01-01')).toHaveLength(0)
  const { text: file, headers } = await browser.get('/audit.csv?action=template')
  expect(headers.get('content-type')).toContain('text/csv')
  expect(file.trim().split('\n')).toHaveLength(2)
  expect(file).toContain(',template.create,,person,')
  const whole = await browser.get('/audit.csv')
  expect(whole.text.trim().split('\n').length).toBeGreaterThan(54)
  expect(await found('action=audit')).toHaveLength(2)
})

test('only admins see the audit log, and it has a link for them', async () => {
  const { browsers } = await startWithPeople()
  expect((await browsers.admin.get('/')).text).toContain('href="/audit"')
  expect((await browsers.admin.get('/audit')).status).toBe(200)
  for (const browser of [browsers.sender, browsers.reader]) {
    expect((await browser.get('/')).text).not.toContain('href="/audit"')
    expect((await browser.get('/audit')).status).toBe(403)
    expect((await browser.get('/audit.csv')).status).toBe(403)
  }
})
