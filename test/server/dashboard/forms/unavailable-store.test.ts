import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { RelayError } from '../../../../src/errors.js'
import { openLowdbStore } from '../../../../src/server/store/lowdb/lowdb-store.js'
import type { Store } from '../../../../src/server/store/store.js'
import { getHiddenField } from '../browser.js'
import { startWithBrowsers } from '../dashboard-relay.js'

type Failure = 'before' | 'after' | 'defect' | undefined

/** A relay whose store fails before or after it has stored new messages and secret URLs. */
async function start() {
  let failure: Failure
  const run = async <T>(work: () => Promise<T>): Promise<T> => {
    if (failure === 'before') throw new RelayError('unavailable', 'The disk is full.')
    const result = await work()
    if (failure === 'defect') throw new Error('A defect.')
    if (failure === 'after') throw new RelayError('unavailable', 'The disk is full.')
    return result
  }
  const wrap = (store: Store): Store => {
    const { messages, secretUrls } = store
    const changeAll = messages.changeAll.bind(messages)
    messages.changeAll = async changes => await run(async () => await changeAll(changes))
    const change = secretUrls.change.bind(secretUrls)
    secretUrls.change = async (id, decide) => await run(async () => await change(id, decide))
    const withAudit = store.withAudit.bind(store)
    store.withAudit = audit => wrap(withAudit(audit))
    return store
  }
  const openStore = async (directory: string) => wrap(await openLowdbStore(directory))
  const relay = await startWithBrowsers({}, { openStore })
  const fail = (next: Failure) => {
    failure = next
  }
  return { ...relay, fail }
}

test.each(['before', 'after'] as const)(
  'a form whose store fails %s the message is stored keeps its input, and sends once',
  async when => {
    const { browser, client, fail } = await start()
    const form = {
      key: randomUUID(),
      destination: '+12025550123',
      message: 'Not lost',
      zone: 'UTC',
    }
    fail(when)
    const failed = await browser.submit('/send', form)
    expect([failed.status, failed.text.includes('The disk is full.')]).toEqual([503, true])
    expect(failed.text).toContain('href="/send"')
    const shown = (await browser.get('/send')).text
    expect(shown).toContain('Not lost</textarea>')
    const main = shown.slice(shown.indexOf('action="/send"'))
    expect(getHiddenField(main, 'key')).toBe(form.key)
    fail(undefined)
    const sent = await Promise.all([browser.submit('/send', form), browser.submit('/send', form)])
    expect(sent.map(({ notice }) => notice?.kind)).toContain('done')
    expect(await client.messages.list({ filter: 'all' })).toMatchObject([{ message: 'Not lost' }])
    expect((await browser.get('/send')).text).not.toContain('Not lost')
  },
)

test('a form whose store fails in its work says so, and only a new one is sent', async () => {
  const { browser, client, fail } = await start()
  const form = { key: randomUUID(), name: 'Door' }
  fail('after')
  const failed = await browser.submit('/urls', form)
  fail(undefined)
  const repeated = await browser.submit('/urls', form)
  for (const { status, text } of [failed, repeated]) {
    expect(status).toBe(409)
    expect(text).toContain('does not know whether the form had its effect')
    expect(text).toContain('Back to your input')
  }
  expect(failed.text).toContain('The disk is full.')
  const page = (await browser.get('/urls')).text
  expect(page).toContain('value="Door"')
  expect(page).not.toContain(form.key)
  expect(await client.secretUrls.list()).toHaveLength(1)
})

test('a form whose work has a defect is not repeated by the input that was kept', async () => {
  const { browser, client, defects, fail } = await start()
  fail('defect')
  const failed = await browser.submit('/urls', { name: 'Door' })
  fail(undefined)
  expect(failed.status).toBe(500)
  expect(defects.map(String)).toContain('Error: A defect.')
  const shown = (await browser.get('/urls')).text
  const key = getHiddenField(shown.slice(shown.indexOf('action="/urls"')), 'key')
  const repeated = await browser.submit('/urls', { key, name: 'Door' })
  expect([repeated.status, repeated.text.includes('does not know whether')]).toEqual([409, true])
  expect(await client.secretUrls.list()).toHaveLength(1)
})
