import { expect, test } from 'vitest'
import { findPageLink, readRows } from '../browser.js'
import { openPhone, startWithBrowsers } from '../dashboard-relay.js'

type Relay = Awaited<ReturnType<typeof startWithBrowsers>>

/** Adds something with this name to a list; those that are there already come first. */
const lists: Readonly<Record<string, (relay: Relay, name: string) => Promise<unknown>>> = {
  '/contacts/groups': ({ client }, name) => client.groups.create({ name }),
  '/templates': ({ client }, name) => client.templates.create({ name, text: 'Hello' }),
  '/urls': ({ client }, name) => client.secretUrls.create({ name }),
  '/mailboxes': ({ client }, name) => client.mailboxes.create({ name }),
  '/phones': ({ url, ann }, name) =>
    openPhone(url, ann, { name, driver: 'simulate' }).status.reportPresence({ rate: '1/s' }),
  '/accounts': ({ administration }, name) =>
    administration.createAccount({ email: `${name}@example.com`, country: 'US' }),
}

test.each(Object.entries(lists))('more than 100 of %s are on several pages', async (path, add) => {
  const relay = await startWithBrowsers()
  const names = Array.from({ length: 101 }, (_, n) => `Name-${1000 + n}`)
  for (const name of names) await add(relay, name)
  const first = await relay.browser.get(path)
  const second = await relay.browser.get(findPageLink(first.text, 'next'))
  const pages = [first, second].map(({ text }) => readRows(text).map(([name = '']) => name))
  expect(pages[0]).toHaveLength(100)
  const listed = pages.flat().filter(name => name.startsWith('Name-'))
  expect(listed.map(name => name.slice(0, 9)).toSorted()).toEqual(names)
  expect(findPageLink(second.text, 'prev')).toBe(path)
  expect(findPageLink(second.text, 'next')).toBe('')
})

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
