import { expect, test } from 'vitest'
import { freshNumber, freshText } from '../../acts.js'
import { type Caller, expectError, json, type Links, useCallers } from '../../calls.js'
import { openReceiver } from '../../receiver.js'

const at = useCallers()
const maxBytes = 1024 * 1024

interface Page {
  readonly items: readonly Record<string, Record<string, string>>[]
  readonly next: string | undefined
  readonly bytes: number
}

/** Each list: how it is read, and how an item is added, which resolves to its identifier. */
const lists = [
  ['/do-not-text', 'entries', 'entry', 'number', addNumber],
  ['/subscription', 'subscriptions', 'subscription', 'id', addSubscription],
  ['/url', 'urls', 'url', 'id', addSecretUrl],
  ['/mailbox', 'mailboxes', 'mailbox', 'id', addMailbox],
  ['/group', 'groups', 'group', 'id', addGroup],
  ['/template', 'templates', 'template', 'id', addTemplate],
  ['/phone', 'phones', 'phone', 'name', addPhone],
] as const

async function readPage(caller: Caller, path: string, name: string): Promise<Page> {
  const reply = await caller.get(path)
  expect(reply.status, reply.text).toBe(200)
  const body = reply.body as unknown as Record<string, Page['items']> & { links?: Links }
  const next = body.links?.next?.url
  return {
    items: body[name] ?? [],
    next: next?.slice(next.indexOf('/api/1') + '/api/1'.length),
    bytes: Buffer.byteLength(reply.text),
  }
}

async function addNumber(): Promise<string> {
  const number = freshNumber()
  await at.api.post('/do-not-text', { number })
  return number
}

async function addSubscription(): Promise<string> {
  const { url } = await openReceiver()
  const reply = await at.api.post('/subscription', { event: 'message.sent', url })
  return reply.body.subscription.id
}

async function addSecretUrl(): Promise<string> {
  const reply = await at.api.call('POST', '/url', json({ name: freshText() }))
  return (reply.body as unknown as { url: { id: string } }).url.id
}

async function addMailbox(): Promise<string> {
  const reply = await at.api.call('POST', '/mailbox', json({ name: freshText() }))
  return (reply.body as unknown as { mailbox: { id: string } }).mailbox.id
}

async function addGroup(): Promise<string> {
  const reply = await at.api.call('POST', '/group', json({ name: freshText() }))
  return (reply.body as unknown as { group: { id: string } }).group.id
}

async function addTemplate(): Promise<string> {
  const reply = await at.api.call('POST', '/template', json({ name: freshText(), text: 'Hi' }))
  return (reply.body as unknown as { template: { id: string } }).template.id
}

async function addPhone(): Promise<string> {
  const name = freshText()
  await at.phone.call('GET', '/message/queue', { headers: { 'x-phone-name': name } })
  return name
}

test.each(lists)(
  'extension: GET %s has pages that follow each other by links.next',
  async (path, name, one, key, add) => {
    const added = [await add(), await add(), await add()]
    const found: (string | undefined)[] = []
    let next: string | undefined = `${path}?count=2`
    while (next !== undefined) {
      const page: Page = await readPage(at.api, next, name)
      expect(page.items.length).toBeGreaterThan(0)
      expect(page.items.length).toBeLessThanOrEqual(2)
      found.push(...page.items.map(item => item[one]?.[key]))
      next = page.next
    }
    expect(found).toEqual(expect.arrayContaining(added))
    expect(new Set(found).size).toBe(found.length)
  },
)

test.each(lists)(
  'extension: GET %s with a bad count or cursor is invalid_parameter',
  async path => {
    const expectRefused = async (query: string, field: string) =>
      expectError(await at.api.get(`${path}?${query}`), 400, 'invalid_parameter', field)
    await expectRefused('count=0', 'count')
    await expectRefused('count=501', 'count')
    await expectRefused('after=x', 'after')
  },
)

test('extension: a cursor stays valid when its item is removed', async () => {
  for (let number = 0; number < 3; number += 1) await addNumber()
  const first = await readPage(at.api, '/do-not-text?count=1', 'entries')
  const number = first.items[0]?.entry?.number ?? ''
  const second = await readPage(at.api, first.next ?? '', 'entries')
  await at.api.delete(`/do-not-text/${encodeURIComponent(number)}`)
  expect(await readPage(at.api, first.next ?? '', 'entries')).toEqual(second)
})

test('extension: a page of long received texts has at most 1 MiB, the rest follows', async () => {
  const text = '\u{1f600}'.repeat(40_000)
  const ids: string[] = []
  for (let number = 0; number < 8; number += 1) {
    const body = json({ from: 'shop', message: text })
    const reply = await at.phone.call('POST', '/message/received', body)
    ids.push((reply.body as unknown as { received: { id: string } }).received.id)
  }
  const found: (string | undefined)[] = []
  let next: string | undefined = '/message/received?count=8'
  while (next !== undefined && found.length < ids.length) {
    const page: Page = await readPage(at.api, next, 'received')
    expect(page.bytes).toBeLessThanOrEqual(maxBytes)
    found.push(...page.items.map(item => item.received?.id))
    next = page.next
  }
  expect(found.slice(0, ids.length)).toEqual(ids.reverse())
})
