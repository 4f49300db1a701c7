import { expect, test } from 'vitest'
import { block, claim, createDue, drain, read } from '../acts.js'
import { expectError, useCallers } from '../calls.js'

const at = useCallers()

const give = (id: string, fields: object = {}, phone = at.phone) =>
  phone.put(`/message/${id}/release`, { ...fields })

test('extension: a message that is given back goes to another phone at once, as it was', async () => {
  await drain(at.phone)
  const first = await createDue(at.api)
  await createDue(at.api)
  expect((await claim(at.phone)).id).toBe(first.id)
  const before = await read(at.api, first.id)
  const reply = await give(first.id, { reason: 'no network' })
  expect(reply.status, reply.text).toBe(200)
  expect(reply.body.message).toEqual(before)
  expect((await claim(at.secondPhone)).id).toBe(first.id)
  await drain(at.phone)
  await drain(at.secondPhone)
})

test('extension: a message that is given back with retry_after waits so many seconds', async () => {
  await drain(at.phone)
  const { id } = await createDue(at.api)
  await claim(at.phone)
  expect((await give(id, { retry_after: 3600 })).status).toBe(200)
  expect((await at.secondPhone.next()).body.error).toBe('not_a_message')
  expect((await read(at.api, id)).status).toBe('N')
  await at.api.delete(`/message/${id}`)
})

test('extension: a phone that has a message in hand is told when its number was listed, and giving it back blocks it', async () => {
  await drain(at.phone)
  const { id, destination } = await createDue(at.api)
  await claim(at.phone)
  await block(at.api, destination)
  expect((await read(at.api, id)).status).toBe('N')
  expect((await read(at.phone, id)).status).toBe('B')
  expect((await give(id)).body.message.status).toBe('B')
  expect((await read(at.api, id)).status).toBe('B')
})

test('extension: a message that another phone holds cannot be given back', async () => {
  await drain(at.phone)
  const { id } = await createDue(at.api)
  await claim(at.phone)
  expectError(await give(id, {}, at.secondPhone), 409, 'invalid_state')
  expect((await claim(at.phone)).id).toBe(id)
  expect((await give(id)).status).toBe(200)
  expect((await give(id)).status).toBe(200)
  await drain(at.phone)
  expectError(await give(id), 409, 'invalid_state')
})

test.each([{ retry_after: -1 }, { retry_after: 'soon' }, { retry_after: 1e9 }, { reason: 7 }])(
  'extension: giving back with %j is invalid_parameter, and it stays with the phone',
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
