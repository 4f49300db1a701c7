import { expect, test } from 'vitest'
import { type Browser, getHiddenField, type PageReply, readRows } from '../browser.js'
import { annEmail, openPhone, startWithBrowsers } from '../dashboard-relay.js'

/** One failed message, one that is sent, and three that wait. */
async function start() {
  const relay = await startWithBrowsers()
  const { client, url, ann } = relay
  const phone = openPhone(url, ann)
  const create = async (message: string) =>
    (await client.messages.create({ destination: '+12025550123', message })).id
  const failed = await create('Failed')
  const fail = () => phone.messages.reportFailure(failed, { error_message: 'No signal' })
  await phone.messages.next()
  await fail()
  for (let attempt = 2; attempt <= 5; attempt += 1) {
    await client.messages.retry(failed)
    await phone.messages.next()
    await fail()
  }
  const sent = await create('Sent')
  await phone.messages.next()
  await phone.messages.reportSuccess(sent, { parts: 1 })
  const waiting = [await create('Wait 1'), await create('Wait 2'), await create('Wait 3')]
  const readStates = async () => {
    const listed = await client.messages.list({ filter: 'all', order: 'asc', count: 100 })
    return listed.map(({ status }) => status).join('')
  }
  return { ...relay, failed, sent, waiting, readStates }
}

async function choose(
  browser: Browser,
  action: string,
  ids: readonly string[],
  fields: Readonly<Record<string, string>> = {},
): Promise<PageReply> {
  const ticks = Object.fromEntries(ids.map(id => [`m-${id}`, 'on']))
  return await browser.submit('/messages/bulk', { do: action, ...ticks, ...fields })
}

/** The last form of a page, as a browser without scripts sends it. */
function readForm({ text }: PageReply): Record<string, string> {
  const form = text.slice(text.lastIndexOf('action="/messages/bulk/run"'))
  const names = ['csrf', 'key', 'do', 'ids', 'filter', 'q']
  return Object.fromEntries(names.map(name => [name, getHiddenField(form, name)]))
}

async function confirm(browser: Browser, page: PageReply): Promise<PageReply> {
  return await browser.post('/messages/bulk/run', readForm(page))
}

test('an action on ticked messages is confirmed, says what stays, and can be undone', async () => {
  const { browser, waiting, sent, readStates } = await start()
  expect(await readStates()).toBe('FSNNN')
  const page = await choose(browser, 'lock', [...waiting, sent])
  expect(page.text).toContain('<h1>Lock 3 messages</h1>')
  expect(page.text).toContain('Unchanged: 1 sent.')
  expect(readRows(page.text)).toHaveLength(3)
  expect(await readStates()).toBe('FSNNN')
  const done = await confirm(browser, page)
  expect(done.text).toContain('3 of 4 messages locked')
  expect(await readStates()).toBe('FSLLL')
  const undone = await confirm(browser, done)
  expect(undone.text).toContain('3 of 3 messages unlocked')
  expect(await readStates()).toBe('FSNNN')
})

test('cancelled messages can be undeleted, and final ones are deleted', async () => {
  const { browser, waiting, failed, sent, readStates } = await start()
  const cancelled = await confirm(browser, await choose(browser, 'cancel', waiting))
  expect(await readStates()).toBe('FSDDD')
  await confirm(browser, cancelled)
  expect(await readStates()).toBe('FSNNN')
  const page = await choose(browser, 'delete', [failed, sent, ...waiting])
  expect((await confirm(browser, page)).text).toContain('2 of 5 messages deleted')
  expect(await readStates()).toBe('NNN')
})

test('the same confirmation sent twice sends a failed message again once', async () => {
  const { browser, failed, client, readStates } = await start()
  const form = readForm(await choose(browser, 'again', [failed]))
  const [first, second] = await Promise.all([
    browser.post('/messages/bulk/run', form),
    browser.post('/messages/bulk/run', form),
  ])
  expect(first.text).toContain('1 of 1 message sent again')
  expect(second.path).toBe(first.path)
  expect(await readStates()).toBe('FSNNNN')
  const listed = await client.messages.list({ filter: 'new', order: 'desc', count: 1 })
  expect(listed).toMatchObject([{ message: 'Failed', source: 'website' }])
})

test('messages that a limit does not allow are named, and can be sent again later', async () => {
  const { browser, administration, failed, readStates } = await start()
  await administration.changeLimits(annEmail, { messages_per_day: 5 })
  const form = readForm(await choose(browser, 'again', [failed]))
  const refused = await browser.post('/messages/bulk/run', form)
  expect(refused.status).toBe(200)
  expect(refused.text).toContain('0 of 1 message sent again')
  expect(refused.text).toContain('Not sent again: 1. The account may create 5 messages a day; try')
  await administration.changeLimits(annEmail, { messages_per_day: 6 })
  const again = await browser.post('/messages/bulk/run', readForm(refused))
  expect(again.text).toContain('1 of 1 message sent again')
  expect(await readStates()).toBe('FSNNNN')
})

test('a message in error is due at once', async () => {
  const { browser, client, url, ann } = await startWithBrowsers()
  const { id } = await client.messages.create({ destination: '+12025550123', message: 'Hi' })
  const phone = openPhone(url, ann)
  await phone.messages.next()
  await phone.messages.reportFailure(id, { error_message: 'No signal' })
  expect(await phone.messages.next()).toBeUndefined()
  const page = await choose(browser, 'retry', [id])
  expect((await confirm(browser, page)).text).toContain('1 of 1 message due now')
  expect(await phone.messages.next()).toMatchObject({ id })
})

test('all matching messages are those of the filter when the action is confirmed', async () => {
  const { browser, client, readStates } = await start()
  const drafts = Array.from({ length: 600 }, (_, n) => ({
    destination: '+12025550123',
    message: `Many ${n}`,
  }))
  await client.messages.createBatch(drafts)
  const page = await choose(browser, 'lock', [], { all: 'true', q: 'many', filter: 'new' })
  expect(page.text).toContain('<h1>Lock 600 messages</h1>')
  await client.messages.create({ destination: '+12025550123', message: 'Many later' })
  const done = await confirm(browser, page)
  expect(done.text).toContain('600 of 600 messages locked')
  expect(done.text).toContain('href="/messages?filter=new&amp;q=many"')
  expect(await readStates()).toMatch(/^FSNNNL+/)
  expect(await client.messages.list({ filter: 'new' })).toHaveLength(4)
})

test('a message that has changed since the confirmation stays as it is', async () => {
  const { browser, client, waiting, readStates } = await start()
  const page = await choose(browser, 'lock', waiting)
  await client.messages.delete(waiting[0] ?? '')
  const done = await confirm(browser, page)
  expect(done.text).toContain('2 of 3 messages locked')
  expect(done.text).toContain('Unchanged: 1 cancelled.')
  expect(await readStates()).toBe('FSDLL')
})

test('messages of another account and empty selections change nothing', async () => {
  const { browser, bobBrowser, waiting, readStates } = await start()
  const other = await choose(bobBrowser, 'cancel', waiting)
  expect(other).toMatchObject({ path: '/messages', notice: { kind: 'failed' } })
  const form = readForm(await choose(browser, 'cancel', waiting))
  const csrf = getHiddenField((await bobBrowser.get('/')).text, 'csrf')
  const stolen = await bobBrowser.post('/messages/bulk/run', { ...form, csrf })
  expect(stolen.text).toContain('0 of 3 messages cancelled')
  expect(stolen.text).toContain('3 deleted in the meantime.')
  expect((await choose(browser, 'cancel', [])).notice?.kind).toBe('failed')
  expect((await choose(browser, 'nothing', waiting)).notice?.kind).toBe('failed')
  expect(await readStates()).toBe('FSNNN')
})

test('Send again leaves out messages that were sent again, and links to the new one', async () => {
  const { browser, client, failed, waiting, readStates } = await start()
  const read = async () => (await browser.get(`/messages/${failed}`)).text
  expect(await read()).toContain('Send it again if it is still needed')
  await confirm(browser, await choose(browser, 'again', [failed]))
  expect(await readStates()).toBe('FSNNNN')
  const page = await choose(browser, 'again', [failed, ...waiting])
  expect(page.text).toContain('0 of 4 messages will be sent again.')
  expect(page.text).toContain('Left out: 1 already sent again.')
  expect(page.text).not.toContain('class="btn danger sure"')
  const [copy] = await client.messages.list({ filter: 'all', order: 'desc', count: 1 })
  expect(await read()).toMatch(new RegExp(`sent again as\\s*<a href="/messages/${copy?.id}"`))
  await browser.submit(`/messages/${copy?.id}/delete`)
  expect(await read()).toContain('Send it once more if it is still needed')
  const once = await choose(browser, 'again', [failed])
  expect(once.text).toContain('1 of 1 message will be sent again.')
})

test('of a failed message and its failed copy, only the copy is sent again', async () => {
  const { browser, client, url, ann, failed, waiting, readStates } = await start()
  await confirm(browser, await choose(browser, 'again', [failed]))
  for (const id of waiting) await client.messages.lock(id)
  const phone = openPhone(url, ann)
  const [copy] = await client.messages.list({ filter: 'all', order: 'desc', count: 1 })
  for (let attempt = 1; attempt <= 5; attempt += 1) {
    if (attempt > 1) await client.messages.retry(copy?.id ?? '')
    await phone.messages.next()
    await phone.messages.reportFailure(copy?.id ?? '', { error_message: 'No signal' })
  }
  expect(await readStates()).toBe('FSLLLF')
  const alone = await choose(browser, 'again', [failed])
  expect(alone.text).toContain('1 of 1 message will be sent again.')
  const both = await choose(browser, 'again', [failed, copy?.id ?? ''])
  expect(both.text).toContain('1 of 2 messages will be sent again.')
  await confirm(browser, both)
  expect(await readStates()).toBe('FSLLLFN')
})
