import { expect, test } from 'vitest'
import {
  block,
  claim,
  createDue,
  createMessage,
  drain,
  freshText,
  listedIds,
  listenFor,
  messageIn,
  read,
  succeed,
} from '../acts.js'
import { expectError, form, useCallers } from '../calls.js'
import { getMessageId } from '../receiver.js'

const at = useCallers()

const missing = '01890000-0000-7000-8000-000000000000'

const act = (id: string, verb: string) => at.api.put(`/message/${id}/${verb}`, {})

test.each(['N', 'E'])('extension: lock takes a message from %s to L', async letter => {
  const id = await messageIn(at.api, letter)
  const before = await read(at.api, id)
  const reply = await act(id, 'lock')
  expect(reply.status, reply.text).toBe(200)
  expect(reply.body.message).toMatchObject({ id, status: 'L', failure_count: before.failure_count })
  expect(reply.body.links).toHaveProperty('get')
  expect(await read(at.api, id)).toEqual(reply.body.message)
})

test.each(['N', 'E'])('extension: unlock returns a message to %s', async letter => {
  const id = await messageIn(at.api, letter)
  const before = await read(at.api, id)
  await act(id, 'lock')
  const reply = await act(id, 'unlock')
  expect(reply.status, reply.text).toBe(200)
  expect(reply.body.message).toMatchObject({
    id,
    status: letter,
    failure_count: before.failure_count,
  })
  expect(reply.body.links).toHaveProperty('edit')
  expect(await read(at.api, id)).toEqual(reply.body.message)
})

test.each(['N', 'E'])('extension: undelete returns a deleted message to %s', async letter => {
  const id = await messageIn(at.api, letter)
  const before = await read(at.api, id)
  await at.api.delete(`/message/${id}`)
  const reply = await act(id, 'undelete')
  expect(reply.status, reply.text).toBe(200)
  expect(reply.body.message).toMatchObject({
    id,
    status: letter,
    failure_count: before.failure_count,
  })
  expect(reply.body.links).toHaveProperty('edit')
  expect(await read(at.api, id)).toEqual(reply.body.message)
  expect(await listedIds(at.api, { filter: 'deleted', count: 100 })).not.toContain(id)
})

test('extension: an undeleted message can be edited and sent', async () => {
  const id = await messageIn(at.api, 'D')
  await act(id, 'undelete')
  await act(id, 'lock')
  await act(id, 'unlock')
  const text = freshText()
  await at.api.patch(`/message/${id}`, { message: { message: text } })
  await succeed(at.api, id)
  expect(await read(at.api, id)).toMatchObject({ status: 'S', message: text })
})

test.each([
  ['lock', 'S'],
  ['lock', 'F'],
  ['lock', 'B'],
  ['unlock', 'N'],
  ['unlock', 'E'],
  ['unlock', 'S'],
  ['unlock', 'F'],
  ['unlock', 'B'],
  ['undelete', 'N'],
  ['undelete', 'E'],
  ['undelete', 'S'],
  ['undelete', 'F'],
  ['undelete', 'L'],
  ['undelete', 'B'],
])('extension: %s of a message in %s is invalid_state', async (verb, letter) => {
  const id = await messageIn(at.api, letter)
  const before = await read(at.api, id)
  expectError(await act(id, verb), 409, 'invalid_state')
  expect(await read(at.api, id)).toEqual(before)
})

test.each(['lock', 'unlock'])('extension: %s of a deleted message is not_a_message', async verb => {
  expectError(await act(await messageIn(at.api, 'D'), verb), 404, 'not_a_message')
})

test.each(['lock', 'unlock', 'undelete'])(
  'extension: %s of an unknown message is not_a_message',
  async verb => {
    expectError(await act(missing, verb), 404, 'not_a_message')
  },
)

test.each(['S', 'F', 'B'])(
  'extension: undelete does not restore a message that was %s',
  async letter => {
    const id = await messageIn(at.api, letter)
    await at.api.delete(`/message/${id}`)
    expectError(await act(id, 'undelete'), 404, 'not_a_message')
  },
)

test('extension: lock, unlock and undelete fire no event', async () => {
  const listener = await listenFor(at.api, 'message.create')
  const id = await messageIn(at.api, 'L')
  expect(getMessageId(await listener.next())).toBe(id)
  await act(id, 'unlock')
  await at.api.delete(`/message/${id}`)
  await act(id, 'undelete')
  const { id: later } = await createMessage(at.api)
  expect(getMessageId(await listener.next())).toBe(later)
})

const release = (id: string, fields: object = {}, phone = at.phone) =>
  phone.put(`/message/${id}/release`, { ...fields })

test('extension: a released message goes unchanged to another phone at once', async () => {
  await drain(at.phone)
  const first = await createDue(at.api)
  await createDue(at.api)
  expect((await claim(at.phone)).id).toBe(first.id)
  const before = await read(at.api, first.id)
  const reply = await release(first.id, { reason: 'no network' })
  expect(reply.status, reply.text).toBe(200)
  expect(reply.body.message).toEqual(before)
  expect((await claim(at.secondPhone)).id).toBe(first.id)
  await drain(at.phone)
  await drain(at.secondPhone)
})

test('extension: a message released with retry_after waits that many seconds', async () => {
  await drain(at.phone)
  const { id } = await createDue(at.api)
  await claim(at.phone)
  expect((await release(id, { retry_after: 3600 })).status).toBe(200)
  expect((await at.secondPhone.next()).body.error).toBe('not_a_message')
  expect((await read(at.api, id)).status).toBe('N')
  await at.api.delete(`/message/${id}`)
})

test('extension: a released message to a number added meanwhile is blocked', async () => {
  await drain(at.phone)
  const { id, destination } = await createDue(at.api)
  await claim(at.phone)
  await block(at.api, destination)
  expect((await read(at.api, id)).status).toBe('N')
  expect((await read(at.phone, id)).status).toBe('B')
  expect((await release(id)).body.message.status).toBe('B')
  expect((await read(at.api, id)).status).toBe('B')
})

test('extension: a message that another phone leased cannot be released', async () => {
  await drain(at.phone)
  const { id } = await createDue(at.api)
  await claim(at.phone)
  expectError(await release(id, {}, at.secondPhone), 409, 'invalid_state')
  expect((await claim(at.phone)).id).toBe(id)
  expect((await release(id)).status).toBe(200)
  expect((await release(id)).status).toBe(200)
  await drain(at.phone)
  expectError(await release(id), 409, 'invalid_state')
})

test.each([{ retry_after: -1 }, { retry_after: 'soon' }, { retry_after: 1e9 }, { reason: 7 }])(
  'extension: a release with %j is invalid_parameter and keeps the lease',
  async fields => {
    await drain(at.phone)
    const { id } = await createDue(at.api)
    await claim(at.phone)
    const body = JSON.stringify(fields)
    const headers = { 'content-type': 'application/json' }
    const reply = await at.phone.call('PUT', `/message/${id}/release`, { body, headers })
    expectError(reply, 400, 'invalid_parameter')
    expect((await at.secondPhone.next()).body.error).toBe('not_a_message')
    await drain(at.phone)
  },
)

test('extension: a message can be a flash text, and an edit changes that', async () => {
  await drain(at.phone)
  const { id } = await createDue(at.api, { flash: true })
  expect(await read(at.api, id)).toMatchObject({ flash: true })
  expect((await at.api.patch(`/message/${id}`, { message: { flash: false } })).status).toBe(200)
  expect(await read(at.api, id)).not.toHaveProperty('flash')
  expect((await at.api.patch(`/message/${id}`, { message: { flash: true } })).status).toBe(200)
  expect(await claim(at.phone)).toMatchObject({ id, flash: true })
  const fields = { destination: '+12025550123', message: freshText(), flash: 'maybe' }
  expectError(await at.api.post('/message', { message: fields }), 400, 'invalid_parameter')
})

test('extension: with fewer_parts, typographic characters become letters of GSM', async () => {
  const set = async (on: boolean) => {
    const body = form({ fewer_parts: on })
    const reply = await at.api.call('PATCH', '/user/settings', { body })
    expect(reply.body).toMatchObject({ settings: { fewer_parts: on } })
  }
  const texts = async (text: string) => {
    const { id } = await createMessage(at.api, { message: text })
    const created = (await read(at.api, id)).message
    await at.api.patch(`/message/${id}`, { message: { message: `${text}!` } })
    return [created, (await read(at.api, id)).message]
  }
  await set(true)
  expect(await texts('“It’s on…”')).toEqual(['"It\'s on..."', '"It\'s on..."!'])
  expect(await texts('“你”')).toEqual(['“你”', '“你”!'])
  await set(false)
  expect(await texts('“It’s on…”')).toEqual(['“It’s on…”', '“It’s on…”!'])
})
