import { expect, test } from 'vitest'
import { triggerEvents } from '../../../src/cli/hook/trigger-events.js'
import { createClient, startRelay } from '../../commands/harness.js'

test('messages keep to the rate, and a slow one does not delay the later ones', async () => {
  const client = createClient(await startRelay())
  const starts: number[] = []
  let now = 0
  const result = await triggerEvents({
    client,
    event: 'message.create',
    ...{ count: 5, rate: 2, blocked: '+999000005551212', signal: new AbortController().signal },
    clock: {
      monotonic: () => now,
      sleep: async milliseconds => {
        now += milliseconds
      },
    },
    onEvent: () => {
      starts.push(now)
      // The second message takes 0.7 s.
      if (starts.length === 2) now += 700
    },
  })
  expect(starts).toEqual([0, 500, 1200, 1500, 2000])
  expect(result).toEqual({ reason: 'count', messages: 5, events: 5 })
})

test.each(['message.sent', 'message.failed'] as const)(
  '%s is caused although a phone reports the message first, and fails if its report is another',
  async event => {
    const client = createClient(await startRelay())
    const { messages } = client
    const create = messages.create.bind(messages)
    messages.create = async (...args) => {
      const message = await create(...args)
      await messages.reportSuccess(message.id, { parts: 2 })
      return message
    }
    const result = await triggerEvents({
      ...{ client, event, count: 1, blocked: '+999000005551212' },
      ...{
        signal: new AbortController().signal,
        clock: { monotonic: () => 0, sleep: async () => {} },
      },
      onEvent: () => {},
    })
    const error = expect.objectContaining({ code: 'invalid_state' })
    const expected = event === 'message.sent' ? { reason: 'count' } : { reason: 'failed', error }
    expect(result).toMatchObject(expected)
  },
)
