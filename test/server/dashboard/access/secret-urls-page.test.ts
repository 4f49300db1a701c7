import { expect, test } from 'vitest'
import { countRows, getHiddenField, getShownSecret, readRows } from '../browser.js'
import { startWithBrowsers } from '../dashboard-relay.js'

const number = '+12025550123'
const path = '/urls'
const emptyForm = {
  ...{ name: '', destination: '', message: '', rate: '', expires_on: '', zone: 'UTC' },
}

async function start() {
  const relay = await startWithBrowsers()
  const createForm = async (fields: Record<string, string> = {}) => {
    const key = getHiddenField((await relay.browser.get(path)).text, 'key')
    return { key, ...emptyForm, ...fields }
  }
  const create = async (fields: Record<string, string> = {}) =>
    await relay.browser.submit(path, await createForm(fields))
  return { ...relay, createForm, create }
}

test('a new secret URL has the limits of its form, sends, and is shown once', async () => {
  const { browser, create, client, url } = await start()
  const created = await create({
    ...{ name: 'Door', destination: number, message: 'Open, {who}\r\nplease', rate: '5/h' },
    ...{ expires_on: '2100-01-01T01:00', zone: 'Europe/Berlin', confirm: 'true' },
  })
  expect(created.status).toBe(200)
  const address = getShownSecret(created.text, 'secret-url')
  expect(created.text).toContain(`curl --data-urlencode &#39;who=VALUE&#39; &#39;${address}&#39;`)
  expect(created.headers.get('cache-control')).toBe('no-store')
  expect([...browser.cookies.values()].join()).not.toContain('sru_')
  expect(await client.secretUrls.list()).toMatchObject([
    {
      ...{ name: 'Door', destination: [number], message: 'Open, {who}\nplease', rate: '5/h' },
      ...{ expires_on: '2100-01-01 00:00:00', confirm: true },
    },
  ])
  const list = await browser.get(path)
  expect(list.text).toContain('Door')
  expect(list.text).not.toContain('sru_')
  expect(address.startsWith(url)).toBe(true)
  const sent = await fetch(address, { method: 'POST', body: new URLSearchParams({ who: 'Bob' }) })
  expect(sent.status).toBe(200)
  expect(await client.messages.list()).toMatchObject([
    { message: 'Open, Bob\nplease', source: 'url' },
  ])
  expect(readRows((await browser.get(path)).text)[0]).toContain('1')
})

test('a form creates one secret URL; a rejected form can be sent again', async () => {
  const { browser, createForm, client } = await start()
  const form = await createForm({ destination: 'nobody' })
  expect((await browser.submit(path, form)).status).toBe(400)
  const valid = { ...form, destination: '' }
  const [first, second] = [await browser.submit(path, valid), await browser.submit(path, valid)]
  const find = (text: string) => /\/u\/(sru_[\w-]+)/.exec(text)?.[1]
  expect(find(first.text)).toBeDefined()
  expect(find(second.text)).toBe(find(first.text))
  expect(await client.secretUrls.list()).toHaveLength(1)
  expect((await browser.submit(path, { ...valid, key: 'x' })).status).toBe(400)
})

test.each([
  ['destination', { destination: 'nobody' }],
  ['message', { message: '{' }],
  ['rate', { rate: 'often' }],
  ['expires_on', { expires_on: '2001-01-01T00:00' }],
  ['expires_on', { expires_on: 'soon' }],
  ['name', { name: 'x'.repeat(101) }],
])(
  'an invalid %s is reported at its field, and the form keeps its values',
  async (name, fields) => {
    const { create, client } = await start()
    const rejected = await create({ name: 'My name', ...fields })
    expect(rejected.status).toBe(400)
    expect(Object.keys(rejected.errors)).toEqual([name])
    if (name !== 'name') expect(rejected.text).toContain('value="My name"')
    expect(await client.secretUrls.list()).toEqual([])
  },
)

test('a secret URL is revoked only by its own account', async () => {
  const { browser, bobBrowser, create, client } = await start()
  await create({ name: 'Mine' })
  const [{ id = '' } = {}] = await client.secretUrls.list()
  expect(countRows((await bobBrowser.get(path)).text)).toBe(0)
  expect((await bobBrowser.submit(`${path}/${id}/revoke`)).notice?.kind).toBe('failed')
  expect(await client.secretUrls.list()).toHaveLength(1)
  expect((await browser.submit(`${path}/${id}/revoke`)).notice?.kind).toBe('done')
  expect(await client.secretUrls.list()).toEqual([])
})
