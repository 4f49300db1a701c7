import { expect, test } from 'vitest'
import { createDue, createMessage, drain, messageIn, succeed } from '../../acts.js'
import { type Caller, expectError, signInCaller, useCallers } from '../../calls.js'
import { openStream } from '../../event-reader.js'

const at = useCallers()

interface RecordedEvent {
  sequence: number
  event: string
  message: { id: string }
  at: string
}

interface Page {
  events: { event: RecordedEvent }[]
  last: number
  missing?: boolean
}

async function page(caller: Caller, query = ''): Promise<Page> {
  const { status, text } = await caller.get(`/event${query}`)
  expect(status, text).toBe(200)
  return JSON.parse(text) as Page
}

const last = async (caller: Caller) => (await page(caller, '?count=1')).last

/** Lists the events after a sequence as name and message. */
async function after(sequence: number, more = ''): Promise<string[][]> {
  const { events } = await page(at.api, `?after=${sequence}${more}`)
  return events.map(({ event }) => [event.event, event.message.id])
}

const stream = (query = '', headers: Record<string, string> = {}) =>
  openStream(at.baseUrl, at.api.token, query, headers)

test('extension: GET /event returns the events of the account with sequence and time', async () => {
  const from = await last(at.api)
  const { id, created_on } = await createMessage(at.api)
  const { events, last: newest } = await page(at.api, `?after=${from}`)
  expect(events).toHaveLength(1)
  const [{ event } = { event: {} as RecordedEvent }] = events
  expect(event.at).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)
  expect(event.at >= created_on).toBe(true)
  expect(event).toEqual({
    sequence: newest,
    event: 'message.create',
    message: { id },
    at: event.at,
  })
  expect(newest).toBeGreaterThan(from)
})

test('extension: a page of events has events of all names in one order', async () => {
  const from = await last(at.api)
  const sent = await messageIn(at.api, 'S')
  const failed = await messageIn(at.api, 'F')
  const expected = [
    ['message.create', sent],
    ['message.sent', sent],
    ['message.create', failed],
    ['message.failed', failed],
  ]
  expect(await after(from)).toEqual(expected)
  const { events } = await page(at.api, `?after=${from}`)
  const numbers = events.map(({ event }) => event.sequence)
  expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b))
})

test('extension: the pages together have all events', async () => {
  const from = await last(at.api)
  for (let n = 0; n < 5; n += 1) await createMessage(at.api)
  const all = await after(from)
  const read: string[][] = []
  for (let place = from; ; ) {
    const { events } = await page(at.api, `?after=${place}&count=2`)
    expect(events.length).toBeLessThanOrEqual(2)
    if (events.length === 0) break
    read.push(...events.map(({ event }) => [event.event, event.message.id]))
    place = events.at(-1)?.event.sequence ?? 0
  }
  expect(all).toHaveLength(5)
  expect(read).toEqual(all)
})

test('extension: after=-N begins at the last N events', async () => {
  const from = await last(at.api)
  for (let n = 0; n < 3; n += 1) await createMessage(at.api)
  const all = await after(from)
  expect(await after(-2)).toEqual(all.slice(-2))
  expect(await after(-3, '&count=1')).toEqual(all.slice(0, 1))
})

test('extension: events filters a page by name', async () => {
  const from = await last(at.api)
  const id = await messageIn(at.api, 'S')
  expect(await after(from, '&events=message.sent')).toEqual([['message.sent', id]])
  expect(await after(from, '&events=message.failed,message.create')).toEqual([
    ['message.create', id],
  ])
})

test('extension: a page of events defaults to the first 50', async () => {
  for (let n = 0; n < 51; n += 1) await createMessage(at.stranger)
  const first = await page(at.stranger)
  expect(first.events).toHaveLength(50)
  expect((await page(at.stranger, '?count=100')).events.slice(0, 50)).toEqual(first.events)
})

test.each([
  ['after=x', 'after'],
  ['after=', 'after'],
  ['after=1.5', 'after'],
  ['after=-1001', 'after'],
  ['count=0', 'count'],
  ['count=101', 'count'],
  ['count=-1', 'count'],
  ['events=', 'events'],
  ['events=message.nope', 'events'],
  ['events=message.sent,', 'events'],
])('extension: GET /event?%s is invalid_parameter', async (query, name) => {
  expectError(await at.api.get(`/event?${query}`), 400, 'invalid_parameter', `\`${name}`)
})

test('extension: a Last-Event-ID that is not a number is invalid_parameter', async () => {
  const headers = { accept: 'text/event-stream', 'last-event-id': '12x' }
  const reply = await at.api.call('GET', '/event', { headers })
  expectError(reply, 400, 'invalid_parameter', 'Last-Event-ID')
})

test('extension: GET /event requires a token with full scope', async () => {
  expectError(await at.phone.get('/event'), 403, 'insufficient_scope')
  const headers = { accept: 'text/event-stream' }
  expectError(await at.phone.call('GET', '/event', { headers }), 403, 'insufficient_scope')
})

test('extension: GET /event has only events of the own account', async () => {
  const from = await last(at.api)
  const listener = await stream(`?after=${from}`)
  const other = await messageIn(at.stranger, 'S')
  expect(await page(at.api, `?after=${from}`)).toEqual({ events: [], last: from })
  const { id } = await createMessage(at.api)
  expect(JSON.parse((await listener.event())?.data ?? '').message).toEqual({ id })
  const { events } = await page(at.stranger, '?after=-1')
  expect(events[0]?.event.message.id).toBe(other)
})

test('extension: an event stream begins with a comment and a retry time', async () => {
  const listener = await stream()
  expect(listener.response.headers.get('content-type')).toMatch(/^text\/event-stream\b/)
  expect(listener.response.headers.get('cache-control')).toBe('no-store')
  const first = await listener.next()
  expect(Object.keys(first ?? {})[0]).toBe('')
  expect(first).toMatchObject({ retry: '1000' })
})

test('extension: an event stream sends recorded events, then new ones', async () => {
  const from = await last(at.api)
  const early = await createMessage(at.api)
  const listener = await stream(`?after=${from}`)
  const first = await listener.event()
  const fields = (await page(at.api, `?after=${from}`)).events[0]?.event
  expect(first).toMatchObject({ id: String(fields?.sequence), event: 'message.create' })
  expect(JSON.parse(first?.data ?? '')).toEqual(fields)
  await succeed(at.api, early.id)
  expect(await listener.event()).toMatchObject({ event: 'message.sent' })
})

test('extension: a stream begins after Last-Event-ID, which overrides after', async () => {
  const from = await last(at.api)
  const [first, second] = [await createMessage(at.api), await createMessage(at.api)]
  const listener = await stream(`?after=${from}`)
  const event = await listener.event()
  expect(JSON.parse(event?.data ?? '').message.id).toBe(first.id)
  listener.close()
  const again = await stream(`?after=${from}`, { 'last-event-id': event?.id ?? '' })
  expect(JSON.parse((await again.event())?.data ?? '').message.id).toBe(second.id)
})

test('extension: a stream is filtered by events and begins with after=-N', async () => {
  const id = await messageIn(at.api, 'S')
  await createMessage(at.api)
  const listener = await stream('?after=-1&events=message.sent')
  const event = await listener.event()
  expect(event).toMatchObject({ event: 'message.sent' })
  expect(JSON.parse(event?.data ?? '').message.id).toBe(id)
  await createMessage(at.api)
  const later = await createDue(at.api)
  await drain(at.phone)
  expect(JSON.parse((await listener.event())?.data ?? '')).toMatchObject({
    event: 'message.sent',
    message: { id: later.id },
  })
})

test('extension: an event stream ends when its token is revoked', async () => {
  const { owner, baseUrl } = at
  const caller = await signInCaller(baseUrl, owner.secret_key, owner.api_key)
  const listener = await openStream(baseUrl, caller.token, `?after=${await last(at.api)}`)
  await listener.next()
  await fetch(`${baseUrl}/oauth/revoke?token=${caller.token}`)
  expect(await listener.rest()).toEqual([])
})

test('extension: Accept: */* gets a page of events, and HEAD of a stream ends', async () => {
  const any = await at.api.call('GET', '/event?count=1', { headers: { accept: '*/*' } })
  expect(any.headers.get('content-type')).toMatch(/^application\/json\b/)
  for (const accept of ['application/json, text/event-stream;q=0.5', 'text/event-stream;q=0']) {
    const page = await at.api.call('GET', '/event?count=1', { headers: { accept } })
    expect(page.headers.get('content-type')).toMatch(/^application\/json\b/)
  }
  const headers = { accept: 'text/event-stream' }
  const head = await at.api.call('HEAD', '/event', { headers })
  expect(head).toMatchObject({ status: 200, text: '' })
})
