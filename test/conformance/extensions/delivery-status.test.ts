import { expect, test } from 'vitest'
import { createMessage, messageIn, read } from '../acts.js'
import { type Caller, expectError, json, useCallers } from '../calls.js'

const at = useCallers()
const missing = '01890000-0000-7000-8000-000000000000'

const post = (caller: Caller, body: unknown) => caller.call('POST', '/message/delivery', json(body))

interface Result {
  id: string
  status: number
  error?: string
  error_description?: string
  retry_after?: number
}

async function report(receipts: unknown[], caller: Caller = at.phone): Promise<Result[]> {
  const reply = await post(caller, { receipts })
  expect(reply.status, reply.text).toBe(200)
  return (JSON.parse(reply.text) as { results: Result[] }).results
}

/** The names of an account's events about a message. */
async function eventsOf(id: string, query: string): Promise<string[]> {
  const { text } = await at.api.get(`/event?after=-1000&count=100${query}`)
  const { events } = JSON.parse(text) as {
    events: { event: { event: string; message?: { id: string } } }[]
  }
  return events.filter(each => each.event.message?.id === id).map(each => each.event.event)
}

const named = '&events=message.sent,message.delivered,message.undelivered'

test('extension: a receipt gives a sent message its delivery status', async () => {
  const id = await messageIn(at.api, 'S')
  const before = await read(at.api, id)
  expect(before).not.toHaveProperty('delivery')
  const on = '2026-01-02 03:04:05'
  expect(await report([{ id, part: 1, state: 'delivered', at: on }])).toEqual([{ id, status: 200 }])
  const delivery = { state: 'delivered', at: on, parts: 1, delivered: 1 }
  expect(await read(at.api, id)).toEqual({ ...before, delivery })
})

test('extension: a receipt that is repeated or late changes nothing', async () => {
  const id = await messageIn(at.api, 'S')
  const settled = { id, part: 1, state: 'undelivered', reason: 'absent subscriber' }
  await report([settled])
  const first = await read(at.api, id)
  expect(first).toMatchObject({ delivery: { state: 'undelivered', reason: 'absent subscriber' } })
  const [again, late] = await report([settled, { id, state: 'pending' }])
  expect([again?.status, late?.status]).toEqual([200, 200])
  expect(await read(at.api, id)).toEqual(first)
  expect(await eventsOf(id, named)).toEqual(['message.sent', 'message.undelivered'])
})

test('extension: message.delivered is recorded once, and shown only by its name', async () => {
  const id = await messageIn(at.api, 'S')
  await report([
    { id, state: 'pending' },
    { id, state: 'delivered' },
  ])
  expect(await eventsOf(id, named)).toEqual(['message.sent', 'message.delivered'])
  expect(await eventsOf(id, '')).not.toContain('message.delivered')
})

test('extension: each receipt of a request has its own result', async () => {
  const sent = await messageIn(at.api, 'S')
  const { id: waiting } = await createMessage(at.api)
  const failed = await messageIn(at.api, 'F')
  const results = await report([
    { id: missing, state: 'delivered' },
    { id: waiting, state: 'delivered' },
    { id: failed, state: 'delivered' },
    { id: sent, state: 'lost' },
    { id: sent, part: 2, state: 'delivered' },
    { state: 'delivered' },
    'receipt',
    { id: sent, state: 'expired' },
  ])
  expect(results.map(({ status, error }) => [status, error])).toEqual([
    [404, 'not_a_message'],
    [409, 'invalid_state'],
    [409, 'invalid_state'],
    [400, 'invalid_parameter'],
    [400, 'invalid_parameter'],
    [400, 'invalid_request'],
    [400, 'invalid_request'],
    [200, undefined],
  ])
  expect(results.map(each => each.retry_after !== undefined)).toEqual(
    results.map((_, index) => index === 1),
  )
  expect(await read(at.api, waiting)).toMatchObject({ status: 'N' })
  expect(await read(at.api, sent)).toMatchObject({ status: 'S', delivery: { state: 'expired' } })
})

test('extension: a receipt for a message of another account is not_a_message', async () => {
  const id = await messageIn(at.api, 'S')
  const [result] = await report([{ id, state: 'delivered' }], at.stranger)
  expect(result).toMatchObject({ id, status: 404, error: 'not_a_message' })
  expect(await read(at.api, id)).not.toHaveProperty('delivery')
})

test.each([
  ['no list', {}],
  ['a text', { receipts: 'all' }],
  ['more than 1,000 receipts', { receipts: Array(1001).fill({}) }],
])('extension: a delivery report with %s is invalid_request', async (_name, body) => {
  expectError(await post(at.phone, body), 400, 'invalid_request', 'receipts')
})

test('extension: a delivery report of 1,000 receipts is accepted', async () => {
  const id = await messageIn(at.api, 'S')
  const reason = 'x'.repeat(300)
  const results = await report(Array(1000).fill({ id, state: 'undelivered', part: 1, reason }))
  expect(results).toHaveLength(1000)
  const { delivery } = (await read(at.api, id)) as { delivery?: { reason: string } }
  expect(delivery?.reason).toBe('x'.repeat(200))
})

test('extension: a message shows why it failed, and when it is due again', async () => {
  const id = await messageIn(at.api, 'E')
  const shown = await read(at.api, id)
  expect(shown).toHaveProperty('last_error')
  expect(shown).toHaveProperty('retry_on')
  const { text } = await at.api.get('/message')
  const { messages } = JSON.parse(text) as { messages: { message: { id: string } }[] }
  expect(messages.find(each => each.message.id === id)?.message).toEqual(shown)
})

test('extension: statistics count the delivery status of sent messages', async () => {
  const count = async () => {
    const { text } = await at.api.get('/statistics')
    return (JSON.parse(text) as { statistics: { today: Record<string, number> } }).statistics.today
  }
  const before = await count()
  for (const state of ['pending', 'delivered', 'undelivered', 'expired', 'expired'])
    await report([{ id: await messageIn(at.api, 'S'), state }])
  const after = await count()
  const names = ['sent', 'pending', 'delivered', 'undelivered', 'expired']
  const grown = names.map(name => (after[name] as number) - (before[name] as number))
  expect(grown).toEqual([5, 1, 1, 1, 2])
})
