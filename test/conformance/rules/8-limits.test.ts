import { expect, test } from 'vitest'
import { createMessage, failTimes, listMessages, read, subscribe } from '../acts.js'
import { expectError, signIn, useCallers } from '../calls.js'

const at = useCallers()

const event = 'message.failed'
const address = (length: number) => 'http://127.0.0.1:9/'.padEnd(length, 'x')

test.each([
  [1024, 200],
  [1025, 400],
])('8 a subscription url of %i characters is answered %i', async (length, status) => {
  const reply = await at.api.post('/subscription', { event, url: address(length) })
  expect(reply.status, reply.text).toBe(status)
  await at.api.delete(`/subscription/${reply.body.subscription?.id}`)
})

test.each([
  [1, 200],
  [16, 200],
  [17, 400],
])('8 a subscription method of %i characters is answered %i', async (length, status) => {
  const fields = { event, url: address(20), method: 'M'.repeat(length) }
  const reply = await at.api.post('/subscription', fields)
  expect(reply.status, reply.text).toBe(status)
  await at.api.delete(`/subscription/${reply.body.subscription?.id}`)
})

test('8 the limits of url and method apply to PATCH', async () => {
  const { id } = await subscribe(at.api, { event, url: address(30) })
  const patch = (fields: object) => at.api.patch(`/subscription/${id}`, { event, ...fields })
  expect((await patch({ url: address(1024), method: 'M'.repeat(16) })).status).toBe(200)
  expectError(await patch({ url: address(1025) }), 400, 'invalid_parameter', 'url')
  expectError(await patch({ method: 'M'.repeat(17) }), 400, 'invalid_parameter', 'method')
})

test('8 a subscription has one event', async () => {
  const made = await subscribe(at.api, { event, url: address(30) })
  expect(made.event).toBe(event)
  const both = { event: `${event},message.sent`, url: address(30) }
  expectError(await at.api.post('/subscription', both), 400, 'invalid_parameter', 'event')
})

test.each([
  [0, 400],
  [1, 200],
  [100, 200],
  [101, 400],
])('8 a list count of %i is answered %i', async (count, status) => {
  expect((await listMessages(at.api, { count })).status).toBe(status)
})

test.each([
  [-1, 400],
  [0, 200],
])('8 a list start of %i is answered %i', async (start, status) => {
  expect((await listMessages(at.api, { start })).status).toBe(status)
})

test('8 five failed attempts end in F with failure_count 5', async () => {
  const { id } = await createMessage(at.api)
  await failTimes(at.api, id, 4)
  expect(await read(at.api, id)).toMatchObject({ status: 'E', failure_count: 4 })
  await failTimes(at.api, id, 1)
  expect(await read(at.api, id)).toMatchObject({ status: 'F', failure_count: 5 })
  const again = await at.api.put(`/message/${id}/failure`, { error_message: 'no carrier' })
  expectError(again, 409, 'invalid_state')
  expect((await read(at.api, id)).failure_count).toBe(5)
})

test('8 a token lives for expires_in seconds', async () => {
  const { body } = await signIn(at.baseUrl, at.owner.secret_key, at.owner.api_key)
  expect(body.expires_in).toBe(28800)
})
