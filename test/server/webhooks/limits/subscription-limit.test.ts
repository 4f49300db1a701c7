import { expect, test } from 'vitest'
import { subscribe } from '../../../conformance/acts.js'
import { expectError } from '../../../conformance/calls.js'
import { runRelay } from '../../running-relay.js'

test('POST of a subscription beyond the limit is invalid_state and names the setting', async () => {
  const { api } = await runRelay({ maxSubscriptions: 2 })
  const draft = { event: 'message.create', url: 'http://127.0.0.1:9/' }
  const { id } = await subscribe(api, draft)
  await subscribe(api, draft)
  expectError(await api.post('/subscription', draft), 409, 'invalid_state', '--max-subscriptions')
  expect((await api.delete(`/subscription/${id}`)).status).toBe(200)
  expect((await api.post('/subscription', draft)).status).toBe(200)
})
