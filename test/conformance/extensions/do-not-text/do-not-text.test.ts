import { expect, test } from 'vitest'
import {
  block,
  claim,
  createDue,
  createMessage,
  drain,
  freshNumber,
  freshText,
  listenFor,
  messageIn,
  read,
  subscribe,
} from '../../acts.js'
import { type DoNotTextEntry, expectError, json, useCallers } from '../../calls.js'
import { getMessageId, openReceiver } from '../../receiver.js'

const at = useCallers()

const formatPath = (number: string) => `/do-not-text/${encodeURIComponent(number)}`

async function listEntries(): Promise<DoNotTextEntry[]> {
  const reply = await at.api.get('/do-not-text')
  expect(reply.status, reply.text).toBe(200)
  return reply.body.entries.map(({ entry }) => entry)
}

const getStatus = async (id: string) => (await read(at.api, id)).status

test.each([
  ['a form', (number: string) => ({ body: new URLSearchParams({ number }) })],
  ['JSON', (number: string) => json({ number })],
])('extension: POST /do-not-text as %s returns the entry and lists it', async (_, encode) => {
  const number = freshNumber()
  const reply = await at.api.call('POST', '/do-not-text', encode(number))
  expect(reply.status, reply.text).toBe(200)
  const { entry } = reply.body
  expect(entry.number).toBe(number)
  expect(entry.added_on).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)
  expect(entry.scope).toMatch(/./)
  expect(await listEntries()).toContainEqual(entry)
  await at.api.delete(formatPath(number))
})

test('extension: a number that is added twice is one entry', async () => {
  const number = freshNumber()
  await block(at.api, number)
  await block(at.api, number)
  expect((await listEntries()).filter(entry => entry.number === number)).toHaveLength(1)
})

test('extension: POST /do-not-text without number is invalid_request', async () => {
  const before = await listEntries()
  expectError(await at.api.post('/do-not-text', {}), 400, 'invalid_request', 'number')
  expect(await listEntries()).toEqual(before)
})

test.each(['', 'abc', '+12', '+1646234567890123456'])(
  'extension: POST /do-not-text with number %j is invalid_parameter',
  async number => {
    const before = await listEntries()
    expectError(await at.api.post('/do-not-text', { number }), 400, 'invalid_parameter', 'number')
    expect(await listEntries()).toEqual(before)
  },
)

test('extension: DELETE /do-not-text/<number> removes the number', async () => {
  const destination = freshNumber()
  await block(at.api, destination)
  expect((await createMessage(at.api, { destination })).status).toBe('B')
  expect((await at.api.delete(formatPath(destination))).status).toBe(200)
  expect((await listEntries()).map(entry => entry.number)).not.toContain(destination)
  expect((await createMessage(at.api, { destination })).status).toBe('N')
})

test('extension: DELETE /do-not-text/<number> of an unlisted number is 404', async () => {
  const reply = await at.api.delete(formatPath(freshNumber()))
  expectError(reply, 404, reply.body.error)
})

test('extension: a message to a listed number is B from the start', async () => {
  const destination = freshNumber()
  await block(at.api, destination)
  const made = await createMessage(at.api, { destination })
  expect(made).toMatchObject({ destination, status: 'B', failure_count: 0 })
})

test('extension: a message stays B when its number is removed', async () => {
  const id = await messageIn(at.api, 'B')
  const { destination } = await read(at.api, id)
  expect((await at.api.delete(formatPath(destination))).status).toBe(200)
  expect(await getStatus(id)).toBe('B')
})

test.each([
  ['+1 ', ' '],
  ['+1 (', ') '],
  ['1', ''],
])('extension: a listed number is recognized as %s646%s…', async (lead, gap) => {
  const number = freshNumber()
  await block(at.api, number)
  const destination = `${lead}646${gap}${number.slice(5, 8)}-${number.slice(8)}`
  const made = await createMessage(at.api, { destination })
  expect(made).toMatchObject({ destination, status: 'B' })
})

test('extension: message.create and then message.blocked fire for a blocked message', async () => {
  const receiver = await openReceiver()
  for (const event of ['message.create', 'message.blocked']) {
    await subscribe(at.api, { event, url: `${receiver.url}/${event}`, post: true })
  }
  const id = await messageIn(at.api, 'B')
  const webhooks = [await receiver.next(), await receiver.next()]
  expect(webhooks.map(webhook => [webhook.target, getMessageId(webhook)])).toEqual([
    ['/message.create', id],
    ['/message.blocked', id],
  ])
})

test.each(['N', 'E'])('extension: adding a number blocks a message waiting in %s', async letter => {
  const listener = await listenFor(at.api, 'message.blocked')
  const id = await messageIn(at.api, letter)
  await block(at.api, (await read(at.api, id)).destination)
  expect(await getStatus(id)).toBe('B')
  expect(getMessageId(await listener.next())).toBe(id)
})

test.each(['S', 'F'])(
  'extension: adding a number does not change a message in %s',
  async letter => {
    const id = await messageIn(at.api, letter)
    const before = await read(at.api, id)
    await block(at.api, before.destination)
    expect(await read(at.api, id)).toEqual(before)
  },
)

test('extension: adding a number does not change messages to other numbers', async () => {
  const { id } = await createMessage(at.api)
  await block(at.api, freshNumber())
  expect(await getStatus(id)).toBe('N')
})

test('extension: editing the destination to a listed number blocks the message', async () => {
  const listener = await listenFor(at.api, 'message.blocked')
  const destination = freshNumber()
  await block(at.api, destination)
  const { id } = await createMessage(at.api)
  const reply = await at.api.patch(`/message/${id}`, { message: { destination } })
  expect(reply.status, reply.text).toBe(200)
  expect(reply.body.message).toEqual({ id })
  expect(await read(at.api, id)).toMatchObject({ destination, status: 'B' })
  expect(getMessageId(await listener.next())).toBe(id)
})

test('extension: editing the text of a message to a listed number is invalid_state', async () => {
  const id = await messageIn(at.api, 'B')
  const edit = { message: { message: freshText() } }
  expectError(await at.api.patch(`/message/${id}`, edit), 409, 'invalid_state')
})

test.each([
  ['L', 'unlock'],
  ['D', 'undelete'],
])('extension: a message in %s to a listed number becomes B by %s', async (letter, verb) => {
  const destination = freshNumber()
  const { id } = await createMessage(at.api, { destination })
  await (letter === 'L' ? at.api.put(`/message/${id}/lock`, {}) : at.api.delete(`/message/${id}`))
  await block(at.api, destination)
  await at.api.put(`/message/${id}/${verb}`, {})
  expect(await getStatus(id)).toBe('B')
})

test('extension: a leased message is not claimed again after its number is added', async () => {
  await drain(at.phone)
  const { id, destination } = await createDue(at.api)
  expect((await claim(at.phone)).id).toBe(id)
  await block(at.api, destination)
  expectError(await at.phone.next(), 404, 'not_a_message')
  expect(await getStatus(id)).toBe('B')
})

test.each([
  ['the API key', () => at.api, () => ({ reason: 'api', by: 'api key' })],
  ['a login', () => at.person, () => ({ reason: 'person', by: at.owner.email })],
])('extension: an entry of a token of %s has that origin and its note', async (_, caller, why) => {
  const number = freshNumber()
  await block(caller(), number)
  const plain = (await listEntries()).find(entry => entry.number === number)
  expect(plain).toMatchObject({ ...why(), note: null })
  const noted = freshNumber()
  const reply = await caller().post('/do-not-text', { number: noted, note: 'asked by mail' })
  expect(reply.body.entry).toMatchObject({ number: noted, note: 'asked by mail' })
  expect((await at.api.delete(formatPath(noted))).status).toBe(200)
})

test('extension: a note of more than 200 characters is invalid_parameter', async () => {
  const fields = { number: freshNumber(), note: '🙂'.repeat(201) }
  expectError(await at.api.post('/do-not-text', fields), 400, 'invalid_parameter', 'note')
})

test('extension: POST /do-not-text/import adds numbers and blocks their messages', async () => {
  const [first, second] = [freshNumber(), freshNumber()]
  const { id } = await createMessage(at.api, { destination: second })
  const list = [
    { number: first, note: 'a note', added_on: '2020-01-02 03:04:05', reason: 'stop' },
    { number: second },
    { number: second },
  ]
  const trial = await at.api.call(
    'POST',
    '/do-not-text/import',
    json({ entries: list, dry_run: true }),
  )
  expect(trial.body).toEqual({ added: 2, listed: 1, invalid: [] })
  expect(await getStatus(id)).toBe('N')
  const reply = await at.api.call('POST', '/do-not-text/import', json({ entries: list }))
  expect(reply.body).toEqual({ added: 2, listed: 1, invalid: [] })
  expect(await getStatus(id)).toBe('B')
  const found = (await listEntries()).filter(({ number }) => [first, second].includes(number))
  expect(found).toMatchObject([list[0] ?? {}, { number: second, reason: 'import', note: null }])
})

test('extension: POST /do-not-text/import with invalid entries adds none by default', async () => {
  const number = freshNumber()
  const list = [{ number }, { number: 'abc' }, { number: '+1', note: 5 }, { note: 'x' }, 'no']
  const send = async (more: object) =>
    await at.api.call('POST', '/do-not-text/import', json({ entries: list, ...more }))
  const { invalid } = (await send({})).body as unknown as { invalid: { index: number }[] }
  expect(invalid.map(each => each.index)).toEqual([1, 2, 3, 4])
  expect((await listEntries()).map(entry => entry.number)).not.toContain(number)
  expect((await send({ skip_invalid: true })).body).toMatchObject({ added: 1, listed: 0 })
  expect((await listEntries()).map(entry => entry.number)).toContain(number)
})

test.each([undefined, 'x', [], Array(501).fill({ number: '+1' })])(
  'extension: POST /do-not-text/import accepts only 1 to 500 entries',
  async list => {
    const reply = await at.api.call('POST', '/do-not-text/import', json({ entries: list }))
    expectError(reply, 400, reply.body.error, 'entries')
  },
)
