import { expect, test } from 'vitest'
import { getHiddenField } from '../browser.js'
import { startWithBrowsers } from '../dashboard-relay.js'

const number = '+12025550123'
const path = '/mailboxes'
const emptyForm = {
  ...{ name: '', alias: '', destinations: '', senders: '' },
  ...{ subject: 'never', hourly_limit: '', max_length: '' },
}

async function start(settings = {}) {
  const relay = await startWithBrowsers(settings)
  const create = async (fields: Record<string, string> = {}, browser = relay.browser) => {
    const key = getHiddenField((await browser.get(path)).text, 'key')
    return await browser.submit(path, { key, ...emptyForm, ...fields })
  }
  return { ...relay, create }
}

test('the secret address of a new mailbox is shown once', async () => {
  const { browser, create, client } = await start()
  const created = await create({
    ...{ name: 'Alerts', senders: 'me@example.com, @example.org', subject: 'first' },
    ...{ hourly_limit: '5', max_length: '320' },
  })
  const key = /&lt;number>\.([a-z2-7]{32})@/.exec(created.text)?.[1] ?? ''
  expect(key).not.toBe('')
  expect(created.headers.get('cache-control')).toBe('no-store')
  expect(await client.mailboxes.list()).toMatchObject([
    {
      ...{ name: 'Alerts', senders: ['me@example.com', '@example.org'], subject: 'first' },
      ...{ hourly_limit: 5, max_length: 320, destinations: [] },
    },
  ])
  const list = await browser.get(path)
  expect(list.text).toContain('Alerts')
  expect(list.text).not.toContain(key)
  expect([...browser.cookies.values()].join()).not.toContain(key)
})

test('a relay that does not receive mail says how to start it', async () => {
  const without = await start()
  expect((await without.browser.get(path)).text).toContain('--smtp-port')
  expect((await without.create()).text).toContain('--smtp-port')
  const receiving = await start({ smtpPort: 0 })
  expect((await receiving.browser.get(path)).text).not.toContain('--smtp-port')
})

test.each([
  ['destinations', { destinations: 'nobody' }],
  ['senders', { senders: 'nobody' }],
  ['hourly_limit', { hourly_limit: 'many' }],
  ['max_length', { max_length: '0' }],
  ['alias', { alias: 'postmaster', destinations: number, senders: '*' }],
  ['alias', { alias: 'taken', destinations: number, senders: '*' }],
])(
  'an invalid %s is reported at its field, and the form keeps its values',
  async (name, fields) => {
    const { bobBrowser, create, client } = await start()
    await create({ alias: 'taken', destinations: number, senders: '*' }, bobBrowser)
    const rejected = await create({ name: 'My name', ...fields })
    expect(rejected.status).toBe(400)
    expect(Object.keys(rejected.errors)).toEqual([name])
    expect(rejected.text).toContain('value="My name"')
    expect(await client.mailboxes.list()).toEqual([])
  },
)
