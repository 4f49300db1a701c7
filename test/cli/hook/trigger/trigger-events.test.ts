import { expect, test } from 'vitest'
import { triggerEvents } from '../../../../src/cli/hook/trigger/trigger-events.js'
import { generateSteps } from '../../../../src/cli/hook/trigger/trigger-plan.js'
import { createClient, startRelay } from '../../../commands/harness.js'

test('messages keep to the rate, and a slow one does not delay the later ones', async () => {
  const client = createClient(await startRelay())
  const starts: number[] = []
  let now = 0
  const result = await triggerEvents({
    client,
    plan: generateSteps(7, 'created'),
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
