import { expect, test } from 'vitest'
import {
  createMessage,
  freshText,
  listedIds,
  listenFor,
  messageIn,
  read,
  succeed,
} from '../acts.js'
import { expectError, useCallers } from '../calls.js'
import { messageOf } from '../receiver.js'

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

test.each(['N', 'E'])('extension: unlock brings a message back to %s', async letter => {
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

test.each(['N', 'E'])('extension: undelete brings a deleted message back to %s', async letter => {
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

test('extension: a message that came back can be edited and sent', async () => {
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
  'extension: %s of no message is not_a_message',
  async verb => {
    expectError(await act(missing, verb), 404, 'not_a_message')
  },
)

test.each(['S', 'F', 'B'])('extension: undelete does not bring back what was %s', async letter => {
  const id = await messageIn(at.api, letter)
  await at.api.delete(`/message/${id}`)
  expectError(await act(id, 'undelete'), 404, 'not_a_message')
})

test('extension: lock, unlock and undelete fire no event', async () => {
  const ear = await listenFor(at.api, 'message.create')
  const id = await messageIn(at.api, 'L')
  expect(messageOf(await ear.next())).toBe(id)
  await act(id, 'unlock')
  await at.api.delete(`/message/${id}`)
  await act(id, 'undelete')
  const { id: later } = await createMessage(at.api)
  expect(messageOf(await ear.next())).toBe(later)
})
