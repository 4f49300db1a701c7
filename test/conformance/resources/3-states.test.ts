import { expect, test } from 'vitest'
import { createMessage, fail, freshText, listedIds, messageIn, read, succeed } from '../acts.js'
import { expectError, useCallers } from '../calls.js'

const at = useCallers()

const listed = (filter: string) => listedIds(at.api, { filter, count: 100 })

test.each(['S', 'F', 'L', 'B'])('3 PATCH of a message in %s is invalid_state', async letter => {
  const id = await messageIn(at.api, letter)
  const before = await read(at.api, id)
  const edit = { message: { message: freshText() } }
  expectError(await at.api.patch(`/message/${id}`, edit), 409, 'invalid_state')
  expect(await read(at.api, id)).toEqual(before)
})

test.each(['F', 'L', 'B'])(
  '3 a success report on a message in %s is invalid_state',
  async letter => {
    const id = await messageIn(at.api, letter)
    const before = await read(at.api, id)
    expectError(await succeed(at.api, id), 409, 'invalid_state')
    expect(await read(at.api, id)).toEqual(before)
  },
)

test.each(['S', 'F', 'L', 'B'])(
  '3 a failure report on a message in %s is invalid_state',
  async letter => {
    const id = await messageIn(at.api, letter)
    const before = await read(at.api, id)
    expectError(await fail(at.api, id), 409, 'invalid_state')
    expect(await read(at.api, id)).toEqual(before)
  },
)

test('3 a repeated success report gets the same reply', async () => {
  const { id } = await createMessage(at.api)
  const first = await succeed(at.api, id, 2)
  const again = await succeed(at.api, id, 2)
  expect(first.status).toBe(200)
  expect(again.status).toBe(200)
  expect(again.body).toEqual(first.body)
})

test('3 another success report on a message in S is invalid_state', async () => {
  const { id } = await createMessage(at.api)
  await succeed(at.api, id, 1)
  expectError(await succeed(at.api, id, 2), 409, 'invalid_state')
})

test.each(['success', 'failure'])(
  '3 a %s report on a deleted message is not_a_message',
  async report => {
    const id = await messageIn(at.api, 'D')
    const body = { parts: 1, error_message: 'no carrier' }
    expectError(await at.api.put(`/message/${id}/${report}`, body), 404, 'not_a_message')
    expect(await listed('deleted')).toContain(id)
  },
)

test('3 PATCH of a deleted message is not_a_message', async () => {
  const id = await messageIn(at.api, 'D')
  const edit = { message: { message: freshText() } }
  expectError(await at.api.patch(`/message/${id}`, edit), 404, 'not_a_message')
})
