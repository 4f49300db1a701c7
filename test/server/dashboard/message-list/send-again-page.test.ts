import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import type { RelayClient } from '../../../../src/index.js'
import { type Browser, getHiddenField, type PageReply } from '../browser.js'
import { openPhone, startWithBrowsers } from '../dashboard-relay.js'

const draft = { destination: '+12025550123', message: 'Your table is ready.' }

/** A failed message, and two browsers in which two people of the account are signed in. */
async function start() {
  const relay = await startWithBrowsers()
  const { client, url, ann } = relay
  const phone = openPhone(url, ann)
  const { id: failed } = await client.messages.create(draft)
  await failAlways(client, phone, failed)
  const browsers = [relay.browser, await relay.openBrowser()] as const
  const list = async () => await client.messages.list({ filter: 'all', order: 'asc', count: 100 })
  return { ...relay, phone, browsers, failed, list }
}

async function failAlways(client: RelayClient, phone: RelayClient, id: string): Promise<void> {
  for (let attempt = 1; attempt <= 5; attempt += 1) {
    if (attempt > 1) await client.messages.retry(id)
    await phone.messages.next()
    await phone.messages.reportFailure(id, { error_message: 'No signal' })
  }
}

/** Posts the form of a page, as a browser without scripts sends it. */
async function sendForm(
  browser: Browser,
  { text }: PageReply,
  fields: Readonly<Record<string, string>> = {},
): Promise<PageReply> {
  const form = text.slice(text.lastIndexOf('<form', text.indexOf('<label')))
  const [csrf, key, version] = ['csrf', 'key', 'version'].map(name => getHiddenField(form, name))
  const hidden = { csrf: csrf ?? '', key: key ?? '', version: version ?? '' }
  const input = { destination: draft.destination, message: draft.message, zone: 'UTC' }
  return await browser.post('/send', { ...hidden, ...input, ...fields })
}

/** Opens the page that asks whether to send messages again, and returns its form. */
async function openConfirmation(browser: Browser, ids: readonly string[]) {
  const ticks = Object.fromEntries(ids.map(id => [`m-${id}`, 'on']))
  const { text } = await browser.submit('/messages/bulk', { do: 'again', ...ticks })
  const form = text.slice(text.lastIndexOf('action="/messages/bulk/run"'))
  const names = ['csrf', 'key', 'do', 'ids']
  return Object.fromEntries(names.map(name => [name, getHiddenField(form, name)]))
}

test('of two people who confirm Send again at once, one sends the messages', async () => {
  const { browsers, failed, list } = await start()
  const forms = await Promise.all(browsers.map(browser => openConfirmation(browser, [failed])))
  const replies = await Promise.all(
    browsers.map((browser, at) => browser.post('/messages/bulk/run', forms[at] ?? {})),
  )
  const texts = replies.map(({ text }) => text)
  expect(texts.filter(text => text.includes('1 of 1 message sent again'))).toHaveLength(1)
  const late = texts.find(text => text.includes('0 of 1 message sent again'))
  expect(late).toContain('1 already sent again')
  expect((await list()).map(({ status }) => status)).toEqual(['F', 'N'])
})

test('of two people who send one failed message again at once, one sends it', async () => {
  const { browsers, failed, list } = await start()
  const path = `/send?again=${failed}`
  const pages = await Promise.all(browsers.map(browser => browser.get(path)))
  const replies = await Promise.all(
    browsers.map((browser, at) => sendForm(browser, pages[at] as PageReply)),
  )
  expect(replies.map(({ status }) => status).sort()).toEqual([200, 409])
  const [, copy] = await list()
  const at = replies.findIndex(({ status }) => status === 409)
  const late = replies[at] as PageReply
  expect(late.text).toContain('Nothing was sent')
  expect(late.text).toContain(`href="/messages/${copy?.id}"`)
  expect(late.text).toContain(`${draft.message}</textarea>`)
  const once = await sendForm(browsers[at] as Browser, late)
  expect(once.notice?.kind).toBe('done')
  expect(await list()).toHaveLength(3)
})

test('a bulk action leaves out a message that somebody is about to send again', async () => {
  const { browsers, failed, list } = await start()
  const [ann, other] = browsers
  const form = await openConfirmation(ann, [failed])
  await sendForm(other, await other.get(`/send?again=${failed}`), { message: 'Another text' })
  expect((await ann.post('/messages/bulk/run', form)).text).toContain('1 already sent again')
  expect(await list()).toHaveLength(2)
})

test('the page of a message that was sent again says so, and asks before a repeat', async () => {
  const { browser, failed, list } = await start()
  await sendForm(browser, await browser.get(`/send?again=${failed}`))
  const [, copy] = await list()
  const link = `sent again as <a href="/messages/${copy?.id}">a later message</a>`
  expect((await browser.get(`/messages/${failed}`)).text).toContain(link)
  const page = await browser.get(`/send?again=${failed}`)
  expect(page.text).toContain(link)
  expect(page.text).toContain('Send once more')
  expect((await sendForm(browser, page)).notice?.kind).toBe('done')
  const [, , latest] = await list()
  for (const id of [failed, copy?.id])
    expect((await browser.get(`/messages/${id}`)).text).toContain(`"/messages/${latest?.id}"`)
})

test('a form that was sent, changed and sent again loses no text and sends nothing', async () => {
  const { browser, failed, list } = await start()
  const page = await browser.get(`/send?again=${failed}`)
  await sendForm(browser, page)
  expect((await sendForm(browser, page)).notice?.kind).toBe('done')
  const changed = await sendForm(browser, page, { message: 'Changed' })
  expect(changed.status).toBe(409)
  expect(changed.text).toContain('Changed</textarea>')
  expect(await list()).toHaveLength(2)
})

test('further numbers of a form get nothing if the message was sent again meanwhile', async () => {
  const { browsers, failed, list } = await start()
  const [ann, other] = browsers
  const page = await ann.get(`/send?again=${failed}`)
  await sendForm(other, await other.get(`/send?again=${failed}`))
  const both = { destination: `${draft.destination}\n+12025550199` }
  const late = await sendForm(ann, page, both)
  expect(late.status).toBe(409)
  expect(await list()).toHaveLength(2)
  expect((await sendForm(ann, late, both)).path).toBe('/messages')
  expect((await list()).map(({ destination }) => destination)).toEqual([
    ...[draft.destination, draft.destination, draft.destination, '+12025550199'],
  ])
})

test('a failed copy can be sent again, by one of two people', async () => {
  const { browsers, client, phone, failed, list } = await start()
  const [ann, other] = browsers
  await ann.post('/messages/bulk/run', await openConfirmation(ann, [failed]))
  const [, copy] = await list()
  await failAlways(client, phone, copy?.id ?? '')
  const forms = [await openConfirmation(ann, [failed]), await openConfirmation(other, [failed])]
  const page = await other.get(`/send?again=${copy?.id}`)
  expect(page.text).not.toContain('Send once more')
  for (const form of forms) await ann.post('/messages/bulk/run', form)
  expect((await sendForm(other, page)).status).toBe(409)
  expect((await list()).map(({ status }) => status)).toEqual(['F', 'F', 'N'])
})

test('a copy that was deleted permanently still counts', async () => {
  const { browser, phone, client, failed, list } = await start()
  await browser.post('/messages/bulk/run', await openConfirmation(browser, [failed]))
  const [, copy] = await list()
  await phone.messages.next()
  await phone.messages.reportSuccess(copy?.id ?? '', { parts: 1 })
  await client.messages.delete(copy?.id ?? '')
  expect(await openConfirmation(browser, [failed])).toMatchObject({ ids: '' })
  expect((await browser.get(`/messages/${failed}`)).text).toContain('deleted permanently')
  const form = { do: 'again', ids: failed, key: randomUUID() }
  await browser.submit('/messages/bulk/run', form)
  expect(await list()).toHaveLength(1)
})

test('a cancelled copy that was sent again cannot be restored, only the latest one', async () => {
  const { browser, failed, list } = await start()
  await sendForm(browser, await browser.get(`/send?again=${failed}`))
  const [, copy] = await list()
  const path = `/messages/${copy?.id}`
  const cancelled = await browser.submit(`${path}/delete`)
  expect(cancelled.text).toContain(`action="${path}/undelete"`)
  await sendForm(browser, await browser.get(`/send?again=${failed}`))
  const [, , latest] = await list()
  const restore = async (...ids: (string | undefined)[]) =>
    await browser.submit('/messages/bulk/run', { do: 'undelete', ids: ids.join(' ') })
  const states = async () => (await list()).map(({ status }) => status)
  expect((await browser.submit(`${path}/undelete`)).notice).toMatchObject({ kind: 'failed' })
  expect((await restore(copy?.id)).text).toContain('1 already sent again')
  expect(await states()).toEqual(['F', 'D', 'N'])
  const page = (await browser.get(path)).text
  expect(page).not.toContain(`action="${path}/undelete"`)
  expect(page).toContain(`"/messages/${latest?.id}"`)
  await browser.submit(`/messages/${latest?.id}/delete`)
  expect((await restore(copy?.id, latest?.id)).text).toContain('1 of 2 messages restored')
  expect(await states()).toEqual(['F', 'D', 'N'])
})

test('of Restore and Send again of one message at once, one has its effect', async () => {
  const { browsers, client, list } = await start()
  const [ann, other] = browsers
  for (let round = 1; round <= 10; round += 1) {
    const { id } = await client.messages.create(draft)
    await ann.submit(`/messages/${id}/delete`)
    const page = await other.get(`/send?again=${id}`)
    await Promise.all([ann.submit(`/messages/${id}/undelete`), sendForm(other, page)])
    const waiting = (await list()).filter(({ status }) => status === 'N')
    expect(waiting).toHaveLength(round)
  }
})

test('a cancelled message that somebody restored is sent again only after a question', async () => {
  const { browsers, client, list } = await start()
  const [ann, other] = browsers
  const { id } = await client.messages.create(draft)
  await ann.submit(`/messages/${id}/delete`)
  const page = await other.get(`/send?again=${id}`)
  await ann.submit(`/messages/${id}/undelete`)
  const late = await sendForm(other, page, { message: 'Changed' })
  expect(late.status).toBe(409)
  expect(late.text).toContain('somebody restored this message in the meantime')
  expect(late.text).toContain('Changed</textarea>')
  expect(await list()).toHaveLength(2)
  expect((await sendForm(other, late)).notice?.kind).toBe('done')
  expect(await list()).toHaveLength(3)
})

test('the form that sends a waiting message again says that both can be sent', async () => {
  const { browser, client } = await start()
  const { id } = await client.messages.create(draft)
  const page = await browser.get(`/send?again=${id}`)
  expect(page.text).toContain('This message can still be sent itself')
  expect((await sendForm(browser, page)).notice?.kind).toBe('done')
})
