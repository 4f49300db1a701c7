import { expect, test } from 'vitest'
import { findPageLink, readRows } from '../browser.js'
import { startWithBrowsers } from '../dashboard-relay.js'

test.each(['/contacts/groups', '/templates'])(
  'more than 100 of %s are on several pages',
  async path => {
    const { browser, client } = await startWithBrowsers()
    const names = Array.from({ length: 101 }, (_, n) => `Name ${1000 + n}`)
    for (const name of names) {
      if (path === '/templates') await client.templates.create({ name, text: 'Hello' })
      else await client.groups.create(name)
    }
    const first = await browser.get(path)
    const second = await browser.get(findPageLink(first.text, 'next'))
    expect([readRows(first.text).length, readRows(second.text).length]).toEqual([100, 1])
    expect(second.text).toContain('Name 1100')
    expect([findPageLink(second.text, 'prev'), findPageLink(second.text, 'next')]).toEqual([
      path,
      '',
    ])
  },
)

test('the next page of contacts begins behind the last contact of the page before', async () => {
  const { browser, client } = await startWithBrowsers()
  const toContact = (n: number) => ({ number: `+1202555${1000 + n}`, name: `Name, ${1000 + n}` })
  await client.contacts.import(Array.from({ length: 101 }, (_, n) => toContact(n + 1)))
  const first = await browser.get('/contacts?q=name')
  await client.contacts.create(toContact(0))
  const second = await browser.get(findPageLink(first.text, 'next'))
  expect([readRows(first.text).length, readRows(second.text).length]).toEqual([100, 1])
  expect(second.text).toContain('Name, 1101')
  expect([findPageLink(second.text, 'prev'), findPageLink(second.text, 'next')]).toEqual([
    '/contacts?q=name',
    '',
  ])
})
