import { expect, test } from 'vitest'
import { subscribe } from '../acts.js'
import { expectError, useCallers } from '../calls.js'

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

test('8 the limits of url and method apply to PATCH', async () => {
  const { id } = await subscribe(at.api, { event, url: address(30) })
  const patch = (fields: object) => at.api.patch(`/subscription/${id}`, { event, ...fields })
  expect((await patch({ url: address(1024), method: 'M'.repeat(16) })).status).toBe(200)
  expectError(await patch({ url: address(1025) }), 400, 'invalid_parameter', 'url')
  expectError(await patch({ method: 'M'.repeat(17) }), 400, 'invalid_parameter', 'method')
})
