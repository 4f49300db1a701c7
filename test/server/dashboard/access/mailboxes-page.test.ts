import { expect, test } from 'vitest'
import { getHiddenField } from '../browser.js'
import { allPayloads, expectNoMarkup } from '../hostile.js'
import { expectGuarded, openClient, startWithBrowsers } from '../signed-in.js'

const number = '+12025550123'
const path = '/mailboxes'
const empty = {
  ...{ name: '', alias: '', destinations: '', senders: '' },
  ...{ subject: 'never', hourly_limit: '', max_length: '' },
}

async function world(settings = {}) {
  const all = await startWithBrowsers(settings)
  const create = async (fields: Record<string, string> = {}, by = all.browser) => {
    const key = getHiddenField((await by.get(path)).text, 'key')
    return await by.submit(path, { key, ...empty, ...fields })
  }
  return { ...all, create, client: openClient(all.url, all.ann) }
}

test('an address with a key is shown this once', async () => {
  const { browser, create, client } = await world()
  const made = await create({
    ...{ name: 'Alerts', senders: 'me@example.com, @example.org', subject: 'first' },
    ...{ hourly_limit: '5', max_length: '320' },
  })
  const key = /&lt;number>\.([a-z2-7]{32})@/.exec(made.text)?.[1] ?? 'none'
  expect(made.text).toContain('it is not shown again')
  expect(await client.mailboxes.list()).toMatchObject([
    {
      ...{ name: 'Alerts', senders: ['me@example.com', '@example.org'], subject: 'first' },
      ...{ hourly_limit: 5, max_length: 320, destinations: [] },
    },
  ])
  const listed = await browser.get(path)
  expect(listed.text).toContain('Alerts')
  expect(listed.text).not.toContain(key)
  expect([...browser.cookies.values()].join()).not.toContain(key)
})

test('the pages say whether the service takes mail, and how it would', async () => {
  const without = await world()
  expect((await without.browser.get(path)).text).toContain('smsrelay serve --smtp-port 2525')
  expect((await without.create()).text).toContain('This service takes no mail.')
  const taking = await world({ smtpPort: 0 })
  expect((await taking.browser.get(path)).text).not.toContain('takes no mail')
})

test('the same form sent twice makes one', async () => {
  const { browser, client } = await world()
  const key = getHiddenField((await browser.get(path)).text, 'key')
  await browser.submit(path, { ...empty, key })
  expect((await browser.submit(path, { ...empty, key })).text).toContain('made an address already')
  expect(await client.mailboxes.list()).toHaveLength(1)
})

test.each([
  ['destinations', { destinations: 'nobody' }, 'Each must be a number'],
  ['senders', { senders: 'nobody' }, 'Each must be an e-mail address'],
  ['hourly_limit', { hourly_limit: 'many' }, 'It must be an integer, 1 to'],
  ['max_length', { max_length: '0' }, 'It must be an integer, 1 to'],
  ['alias', { alias: 'postmaster', destinations: number, senders: '*' }, 'It must have 1 to 24'],
  ['alias', { alias: 'taken', destinations: number, senders: '*' }, 'taken is taken'],
])('what is wrong with %s is told there, and the rest is kept', async (name, fields, sentence) => {
  const { bob, create, client } = await world()
  await create({ alias: 'taken', destinations: number, senders: '*' }, bob)
  const seen = await create({ name: 'Kept name', ...fields })
  expect(seen.status).toBe(400)
  expect(seen.text).toMatch(new RegExp(`id="${name}-error"[^>]*>${sentence}`))
  expect(seen.text).toContain('value="Kept name"')
  expect(await client.mailboxes.list()).toEqual([])
})

test('one is deleted by its own account only', async () => {
  const { browser, bob, create, client } = await world()
  await create({ name: 'Mine' })
  const [{ id = '' } = {}] = await client.mailboxes.list()
  expect((await bob.get(path)).text).not.toContain('Mine')
  expect((await bob.submit(`${path}/${id}/delete`)).text).toContain('There is no such address')
  expect(await client.mailboxes.list()).toHaveLength(1)
  expect((await browser.submit(`${path}/${id}/delete`)).text).toContain('The address is deleted')
  expect(await client.mailboxes.list()).toEqual([])
})

test('no payload becomes markup, and forms need their token', async () => {
  const { browser, url, create, client, defects } = await world()
  await expectGuarded(browser, url, path, empty)
  await expectGuarded(browser, url, `${path}/x/delete`)
  expect(await client.mailboxes.list()).toEqual([])
  expectNoMarkup((await create({ name: '<img src=x>' })).text)
  expectNoMarkup((await browser.get(path)).text)
  const all = Object.fromEntries(Object.keys(empty).map(name => [name, allPayloads]))
  expectNoMarkup((await create(all)).text)
  const senders = '<img/src=x>@x,"\'><svg/onload=alert(1)>@x.org'
  expectNoMarkup((await create({ senders })).text)
  expect(defects).toEqual([])
})
