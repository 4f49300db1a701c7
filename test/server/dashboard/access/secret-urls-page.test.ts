import { expect, test } from 'vitest'
import { getHiddenField } from '../browser.js'
import { allPayloads, expectNoMarkup } from '../hostile.js'
import { expectGuarded, openClient, startWithBrowsers } from '../signed-in.js'

const number = '+12025550123'
const path = '/urls'
const empty = { name: '', destination: '', message: '', rate: '', expires_on: '', zone: 'UTC' }

async function world() {
  const all = await startWithBrowsers()
  const form = async (fields: Record<string, string> = {}) => {
    const key = getHiddenField((await all.browser.get(path)).text, 'key')
    return { key, ...empty, ...fields }
  }
  const create = async (fields: Record<string, string> = {}) =>
    await all.browser.submit(path, await form(fields))
  return { ...all, form, create, client: openClient(all.url, all.ann) }
}

test('a secret URL is made with all its terms, works, and is shown this once', async () => {
  const { browser, create, client, url } = await world()
  const made = await create({
    ...{ name: 'Door', destination: number, message: 'Open, {who}\r\nplease', rate: '5/h' },
    ...{ expires_on: '2100-01-01T01:00', zone: 'Europe/Berlin', confirm: 'true' },
  })
  expect(made.status).toBe(200)
  expect(made.path).toBe(path)
  const address = /<pre>\n(http[^<]*\/u\/sru_[\w-]+)<\/pre>/.exec(made.text)?.[1] ?? ''
  expect(made.text).toContain(`curl --data-urlencode &#39;who=VALUE&#39; &#39;${address}&#39;`)
  expect(made.headers.get('cache-control')).toBe('no-store')
  expect([...browser.cookies.values()].join()).not.toContain('sru_')
  expect(await client.secretUrls.list()).toMatchObject([
    {
      ...{ name: 'Door', destination: [number], message: 'Open, {who}\nplease', rate: '5/h' },
      ...{ expires_on: '2100-01-01 00:00:00', confirm: true },
    },
  ])
  const listed = await browser.get(path)
  expect(listed.text).toContain('Door')
  expect(listed.text).not.toContain('sru_')
  expect(address.startsWith(url)).toBe(true)
  expect((await fetch(address, { method: 'POST', body: 'who=Bob', headers: form })).status).toBe(
    200,
  )
  expect(await client.messages.list()).toMatchObject([
    { message: 'Open, Bob\nplease', source: 'url' },
  ])
  expect((await browser.get(path)).text).toMatch(/<td>1<\/td><td><time/)
})

const form = { 'Content-Type': 'application/x-www-form-urlencoded' }

test('the same form sent twice makes one, and what failed may be sent again', async () => {
  const { browser, form, client } = await world()
  const fields = await form({ destination: 'nobody' })
  expect((await browser.submit(path, fields)).status).toBe(400)
  const right = { ...fields, destination: '' }
  const [first, second] = [await browser.submit(path, right), await browser.submit(path, right)]
  expect(first.text).toContain('/u/sru_')
  expect(second.text).toContain('made a secret URL already')
  expect(second.text).not.toContain('sru_')
  expect(await client.secretUrls.list()).toHaveLength(1)
  expect((await browser.submit(path, { ...right, key: 'x' })).status).toBe(400)
})

test.each([
  ['destination', { destination: 'nobody' }, 'nobody is not a number'],
  ['message', { message: '{' }, 'It must have {name} for each field'],
  ['rate', { rate: 'often' }, 'It must be a whole number of 1 to 99999'],
  ['expires_on', { expires_on: '2001-01-01T00:00' }, 'It must be in the future.'],
  ['expires_on', { expires_on: 'soon' }, 'There is no such time'],
  ['name', { name: 'x'.repeat(101) }, 'It must have 1 to 100 characters'],
])('what is wrong with %s is told there, and the rest is kept', async (name, fields, sentence) => {
  const { create, client } = await world()
  const seen = await create({ name: 'Kept name', ...fields })
  expect(seen.status).toBe(400)
  expect(seen.text).toMatch(new RegExp(`id="${name}-error"[^>]*>${sentence.replace(/[{}]/g, '.')}`))
  if (name !== 'name') expect(seen.text).toContain('value="Kept name"')
  expect(await client.secretUrls.list()).toEqual([])
})

test('one is revoked by its own account only', async () => {
  const { browser, bob, create, client } = await world()
  await create({ name: 'Mine' })
  const [{ id = '' } = {}] = await client.secretUrls.list()
  expect((await bob.get(path)).text).not.toContain('Mine')
  const foreign = await bob.submit(`${path}/${id}/revoke`)
  expect(foreign.text).toContain('There is no such secret URL')
  expect(await client.secretUrls.list()).toHaveLength(1)
  expect((await browser.submit(`${path}/${id}/revoke`)).text).toContain('is revoked')
  expect(await client.secretUrls.list()).toEqual([])
})

test('no payload becomes markup', async () => {
  const { browser, create, defects } = await world()
  const text = allPayloads.replaceAll(/[{}]/g, '')
  expectNoMarkup((await create({ name: '<img src=x>', message: text })).text)
  const listed = await browser.get(path)
  expect(listed.text).toContain('&lt;img')
  expectNoMarkup(listed.text)
  const all = Object.fromEntries(Object.keys(empty).map(name => [name, allPayloads]))
  expectNoMarkup((await create(all)).text)
  expectNoMarkup((await browser.submit(`${path}/${encodeURIComponent(allPayloads)}/revoke`)).text)
  expect(defects).toEqual([])
})

test('forms are refused without their token, and to strangers', async () => {
  const { browser, url, form, client } = await world()
  await expectGuarded(browser, url, path, await form())
  await expectGuarded(browser, url, `${path}/x/revoke`)
  expect(await client.secretUrls.list()).toEqual([])
})
