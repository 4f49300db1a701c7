import { expect, test } from 'vitest'
import { createDue, createMessage, drain, fail, messageIn, read, succeed } from '../acts.js'
import { expectError, json, useCallers } from '../calls.js'

const at = useCallers()
const time = expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)
const later = '2090-01-01 00:00:00'

const readExtended = (id: string, caller = at.api) => read(caller, `${id}?extended=true`)
const retry = (id: string, caller = at.api) => caller.post(`/message/${id}/retry`, {})

test('extension: an extended reply has each attempt with time, phone and error', async () => {
  const { id } = await createMessage(at.api)
  expect(await readExtended(id)).toMatchObject({ attempts: [] })
  await at.phone.call('PUT', `/message/${id}/failure`, {
    ...json({ error_message: 'no carrier' }),
    headers: { ...json({}).headers, 'x-phone-name': 'attic' },
  })
  await fail(at.phone, id, 'busy')
  await succeed(at.phone, id)
  const attempts = [
    { at: time, outcome: 'failed', phone: 'attic', error: 'no carrier' },
    { at: time, outcome: 'failed', error: 'busy' },
    { at: time, outcome: 'sent' },
  ]
  for (const caller of [at.api, at.phone]) {
    expect(await readExtended(id, caller)).toEqual({ ...(await read(caller, id)), attempts })
  }
})

test('extension: the reply without `extended` has no attempts', async () => {
  const id = await messageIn(at.api, 'F')
  expect(await read(at.api, id)).not.toHaveProperty('attempts')
  expect(await read(at.api, `${id}?extended=false`)).toEqual(await read(at.api, id))
  expectError(await at.api.get(`/message/${id}?extended=x`), 400, 'invalid_parameter')
})

test('extension: retry hands a message in E out at once', async () => {
  await drain(at.phone)
  const { id } = await createDue(at.api)
  await fail(at.phone, id)
  expectError(await at.phone.next(), 404, 'not_a_message')
  const reply = await retry(id)
  expect(reply.status, reply.text).toBe(200)
  expect(reply.body.message).toMatchObject({ id, status: 'E', failure_count: 1, retry_on: time })
  expect((await at.phone.next()).body.message.id).toBe(id)
  await succeed(at.phone, id)
})

test('extension: retry does not send a message before its send_on', async () => {
  await drain(at.phone)
  const { id } = await createDue(at.api)
  await fail(at.phone, id)
  await at.api.patch(`/message/${id}`, { message: { send_on: later } })
  expect((await retry(id)).status).toBe(200)
  expectError(await at.phone.next(), 404, 'not_a_message')
})

test.each(['N', 'S', 'F', 'L', 'B'])(
  'extension: retry of a message in %s is invalid_state',
  async letter => {
    const id = await messageIn(at.api, letter)
    const before = await read(at.api, id)
    expectError(await retry(id), 409, 'invalid_state')
    expect(await read(at.api, id)).toEqual(before)
  },
)

test('extension: retry of a deleted message is not_a_message', async () => {
  expectError(await retry(await messageIn(at.api, 'D')), 404, 'not_a_message')
})

test('extension: an application-key token on retry is insufficient_scope', async () => {
  const id = await messageIn(at.api, 'E')
  expectError(await retry(id, at.phone), 403, 'insufficient_scope')
})

test('extension: retry of a message of another account is not_a_message', async () => {
  expectError(await retry(await messageIn(at.api, 'E'), at.stranger), 404, 'not_a_message')
})

test('extension: an attempt of a phone that claimed the message has its begin', async () => {
  await drain(at.phone)
  const { id } = await createDue(at.api)
  const headers = { 'x-phone-name': 'attic' }
  expect((await at.phone.next({ headers })).body.message.id).toBe(id)
  const before = await readExtended(id)
  await at.phone.call('PUT', `/message/${id}/success`, {
    ...json({ parts: 1 }),
    headers: { ...json({}).headers, ...headers },
  })
  const attempt = { at: time, began_on: time, outcome: 'sent', phone: 'attic' }
  expect(before).toMatchObject({ lease: { phone: 'attic', began_on: time } })
  expect(await readExtended(id)).toMatchObject({ attempts: [attempt] })
})

test('extension: giving a message back is no attempt', async () => {
  await drain(at.phone)
  const { id } = await createDue(at.api)
  expect((await at.phone.next()).body.message.id).toBe(id)
  expect((await at.phone.call('PUT', `/message/${id}/release`, json({}))).status).toBe(200)
  expect(await readExtended(id)).toMatchObject({ attempts: [], failure_count: 0 })
})

test('extension: an extended reply names the phone that has the message', async () => {
  await drain(at.phone)
  const { id } = await createDue(at.api)
  const headers = { 'x-phone-name': 'attic' }
  expect((await at.phone.next({ headers })).body.message.id).toBe(id)
  const lease = { phone: 'attic', began_on: time, ends_on: time }
  for (const caller of [at.api, at.phone])
    expect(await readExtended(id, caller)).toMatchObject({ lease })
  expect(await read(at.api, id)).not.toHaveProperty('lease')
  await succeed(at.phone, id)
  expect(await readExtended(id)).not.toHaveProperty('lease')
})
