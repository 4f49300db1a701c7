import { expect, test } from 'vitest'
import {
  block,
  createMessage,
  freshNumber,
  freshText,
  listenFor,
  read,
  subscribe,
} from '../acts.js'
import { type Caller, expectError, form, json, type Reply, useCallers } from '../calls.js'
import { openReceiver } from '../receiver.js'

const at = useCallers()

interface Received {
  id: string
  from: string
  number: string | null
  message: string
  received_on: string
  phone: string | null
  word: string | null
}

const path = '/message/received'
const getBody = (reply: Reply) => reply.body as unknown as { received: Received }

async function reportText(
  fields: Record<string, unknown>,
  caller: Caller = at.phone,
): Promise<Received> {
  const reply = await caller.call('POST', path, json({ message: freshText(), ...fields }))
  expect(reply.status, reply.text).toBe(200)
  return getBody(reply).received
}

async function listed(query = ''): Promise<Received[]> {
  const reply = await at.api.get(`${path}${query}`)
  expect(reply.status, reply.text).toBe(200)
  const { received } = reply.body as unknown as { received: { received: Received }[] }
  return received.map(each => each.received)
}

async function findEntry(number: string) {
  const { entries } = (await at.api.get('/do-not-text')).body
  return entries.find(({ entry }) => entry.number === number)?.entry
}

test.each([
  ['the application key', () => at.phone],
  ['the API key', () => at.api],
  ['a login', () => at.person],
])('extension: POST /message/received with a token of %s returns the text', async (_, caller) => {
  const from = freshNumber()
  const message = freshText()
  const receiver = { phone: 'pixel', to: '40404', driver: 'modem', line: 'SIM 1' }
  const fields = { from, message, received_on: '2030-01-02 03:04:05', ...receiver }
  const reply = await caller().call('POST', path, json(fields))
  expect(reply.status, reply.text).toBe(200)
  const { received } = getBody(reply)
  expect(received).toEqual({
    id: expect.any(String),
    ...{ ...fields, number: from, word: null, kind: 'text' },
  })
  const all = `${at.baseUrl}/api/1${path}`
  expect(reply.body.links).toEqual({
    list: { method: 'GET', url: all },
    new: { method: 'POST', url: all },
    get: { method: 'GET', url: `${all}/${received.id}` },
  })
})

test('extension: POST /message/received accepts a form without time and phone', async () => {
  const fields = { from: freshNumber(), message: freshText() }
  const reply = await at.phone.call('POST', path, { body: form(fields) })
  const { received } = getBody(reply)
  expect(received).toMatchObject({ ...fields, phone: null })
  const age = Date.now() - Date.parse(`${received.received_on.replace(' ', 'T')}Z`)
  expect(Math.abs(age)).toBeLessThan(60_000)
})

test('extension: an MMS has its pictures; one that waits is listed with kind=all', async () => {
  const from = freshNumber()
  const media = ['https://pictures.example.com/1']
  const read = await reportText({ from, kind: 'mms', subject: 'Holiday', media })
  expect(read).toMatchObject({ kind: 'mms', subject: 'Holiday', media })
  const waiting = await reportText({ from, kind: 'mms', message: '', size: 96_857 })
  expect(waiting).toMatchObject({ kind: 'mms', size: 96_857, message: '' })
  const after = await reportText({ from, message: 'Did you get it?' })
  const ids = async (query: string) =>
    (await listed(query)).filter(each => each.from === from).map(each => each.id)
  expect(await ids('?count=2')).toEqual([after.id, read.id])
  expect(await ids('?count=2&kind=all')).toEqual([after.id, waiting.id])
  expect(await ids(`?count=1&before=${after.id}`)).toEqual([read.id])
  expect(getBody(await at.api.get(`${path}/${waiting.id}`)).received).toEqual(waiting)
})

test.each(['VODAFONE', 'x', 'ann@example.com', '+'])(
  'extension: a text from %s is stored without a number',
  async from => {
    expect(await reportText({ from })).toMatchObject({ from, number: null })
  },
)

test.each([
  ['no characters', ''],
  ['40,000 characters', 'a'.repeat(40_000)],
  ['40,000 characters of two units', '🙂'.repeat(40_000)],
  ['control characters', 'Grüße\n\ttab\u0007'],
])('extension: a received text of %s is stored unchanged', async (_, message) => {
  const { id } = await reportText({ from: freshNumber(), message })
  const reply = await at.api.get(`${path}/${id}`)
  expect(getBody(reply).received.message === message).toBe(true)
})

test('extension: invalid characters of a received text become U+FFFD', async () => {
  const from = freshNumber()
  expect(await reportText({ from, message: 'a\0b\ud83d' })).toMatchObject({
    message: 'a\ufffdb\ufffd',
  })
})

test.each([
  ['from', {}, 'invalid_request'],
  ['message', { message: undefined }, 'invalid_request'],
  ['from', { from: '' }, 'invalid_parameter'],
  ['from', { from: 'x'.repeat(256) }, 'invalid_parameter'],
  ['message', { message: 'x'.repeat(40_001) }, 'invalid_parameter'],
  ['message', { message: 5 }, 'invalid_parameter'],
  ['received_on', { received_on: 'yesterday' }, 'invalid_parameter'],
  ['phone', { phone: 'x'.repeat(65) }, 'invalid_parameter'],
  ['kind', { kind: 'fax' }, 'invalid_parameter'],
  ['size', { size: -1 }, 'invalid_parameter'],
  ['media', { media: 'https://example.com' }, 'invalid_parameter'],
  ['media', { media: ['javascript:alert(1)'] }, 'invalid_parameter'],
])(
  'extension: POST /message/received with an invalid %s (%j) is %s',
  async (field, wrong, code) => {
    const isMissing = field === 'from' && code === 'invalid_request'
    const from = isMissing ? {} : { from: freshNumber() }
    const reply = await at.phone.call('POST', path, json({ message: 'x', ...from, ...wrong }))
    expectError(reply, 400, code, field)
  },
)

test('extension: received texts are listed in pages, the newest first', async () => {
  const made: string[] = []
  for (let n = 0; n < 5; n += 1) made.unshift((await reportText({ from: freshNumber() })).id)
  expect((await listed('?count=5')).map(({ id }) => id)).toEqual(made)
  const rest = await listed(`?count=3&before=${made[1]}`)
  expect(rest.map(({ id }) => id)).toEqual(made.slice(2))
  expect((await listed()).length).toBeGreaterThanOrEqual(5)
})

test.each(['count=0', 'count=101', 'count=x', 'before=%20', 'before='])(
  'extension: GET /message/received?%s is invalid_parameter',
  async query => {
    const [field = ''] = query.split('=')
    expectError(await at.api.get(`${path}?${query}`), 400, 'invalid_parameter', field)
  },
)

test('extension: a token of the application key cannot read received texts', async () => {
  const { id } = await reportText({ from: freshNumber() })
  for (const where of [path, `${path}/${id}`]) {
    expectError(await at.phone.get(where), 403, 'insufficient_scope')
  }
})

test('extension: a received text of another account is not_found', async () => {
  const { id } = await reportText({ from: freshNumber() })
  const reply = await at.stranger.get(`${path}/${id}`)
  expectError(reply, 404, reply.body.error)
  const theirs = await at.stranger.get(`${path}?before=${id}&count=100`)
  expect(theirs.text).not.toContain(id)
})

test('extension: the same Idempotency-Key stores a received text and its event once', async () => {
  const listener = await listenFor(at.api, 'message.received')
  const fields = { from: freshNumber(), message: freshText() }
  const headers = { 'idempotency-key': freshText() }
  const send = async (body: object) => {
    const given = json(body)
    const all = { ...given, headers: { ...given.headers, ...headers } }
    return await at.phone.call('POST', path, all)
  }
  const replies = await Promise.all([send(fields), send(fields)])
  const { id } = getBody(await send(fields)).received
  expect(replies.map(reply => getBody(reply).received.id)).toEqual([id, id])
  expectError(await send({ ...fields, message: 'other' }), 400, 'invalid_request')
  const later = await reportText({ from: freshNumber() })
  const webhooks = [await listener.next(), await listener.next()]
  expect(webhooks.map(webhook => webhook.body)).toEqual([id, later.id].map(idIn))
})

const idIn = (id: string) => JSON.stringify({ received: { id } })

test('extension: message.received has the id of the text in the body', async () => {
  const listener = await listenFor(at.api, 'message.received')
  const { id } = await reportText({ from: freshNumber() })
  const webhook = await listener.next()
  expect(JSON.parse(webhook.body)).toEqual({ received: { id } })
  expect((await at.api.get(`${path}/${id}`)).status).toBe(200)
})

test('extension: without post, message.received has the id in the query', async () => {
  const receiver = await openReceiver()
  const event = 'message.received'
  await subscribe(at.api, { event, url: `${receiver.url}/in?a=1`, method: 'PUT' })
  const { id } = await reportText({ from: freshNumber() })
  const webhook = await receiver.next()
  expect([webhook.method, webhook.target, webhook.body]).toEqual([
    'PUT',
    `/in?a=1&received%5Bid%5D=${id}`,
    '',
  ])
})

test('extension: GET /event has received texts under received', async () => {
  const { id } = await reportText({ from: freshNumber() })
  const { body } = await at.api.get('/event?events=message.received&after=-1')
  const [event] = body.events as unknown as { event: Record<string, unknown> }[]
  expect(event?.event).toEqual({
    sequence: expect.any(Number),
    event: 'message.received',
    received: { id },
    at: expect.any(String),
  })
})

test.each(['STOP', ' stop. ', '"Unsubscribe!"', 'Quit'])(
  'extension: the received text %j adds its sender to the Do Not Text list',
  async message => {
    const listener = await listenFor(at.api, 'message.received')
    const from = freshNumber()
    const { id } = await createMessage(at.api, { destination: from })
    expect(await reportText({ from, message })).toMatchObject({ word: 'stop' })
    expect(await findEntry(from)).toMatchObject({ reason: 'stop', by: from, note: message })
    expect((await read(at.api, id)).status).toBe('B')
    const later = await reportText({ from: freshNumber() })
    expect((await listener.next()).body).toBe(idIn(later.id))
  },
)

test('extension: START removes a sender that STOP added', async () => {
  const from = freshNumber()
  await reportText({ from, message: 'STOP' })
  expect(await reportText({ from, message: 'Start' })).toMatchObject({ word: 'start' })
  expect(await findEntry(from)).toBeUndefined()
})

test('extension: START does not remove an entry that a request added', async () => {
  const listener = await listenFor(at.api, 'message.received')
  const from = freshNumber()
  await block(at.api, from)
  const { id } = await reportText({ from, message: 'START' })
  expect(await findEntry(from)).toMatchObject({ number: from, reason: 'api' })
  expect((await listener.next()).body).toBe(idIn(id))
})

test.each(['please stop', 'stop it', 'STOP and START'])(
  'extension: the received text %j adds no entry',
  async message => {
    const from = freshNumber()
    expect(await reportText({ from, message })).toMatchObject({ word: null })
    expect(await findEntry(from)).toBeUndefined()
  },
)
