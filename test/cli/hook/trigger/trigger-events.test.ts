import { expect, test } from 'vitest'
import { triggerEvents } from '../../../../src/cli/hook/trigger/trigger-events.js'
import { generateSteps } from '../../../../src/cli/hook/trigger/trigger-plan.js'
import { RelayClient } from '../../../../src/index.js'
import { startService } from '../../../commands/harness.js'

test('messages keep to the rate, and what takes longer is made up for', async () => {
  const { relay, account } = await startService()
  const credentials = { user: account.secret_key, password: account.api_key }
  const begun: number[] = []
  let now = 0
  const result = await triggerEvents({
    client: new RelayClient({ url: relay.url, credentials }),
    plan: generateSteps(7, 'created'),
    ...{ count: 5, rate: 2, blocked: '+999000005551212', signal: new AbortController().signal },
    now: () => now,
    pause: async milliseconds => {
      now += milliseconds
    },
    onEvent: () => {
      begun.push(now)
      // The second message takes 0.7 s.
      if (begun.length === 2) now += 700
    },
  })
  expect(begun).toEqual([0, 500, 1200, 1500, 2000])
  expect(result).toEqual({ reason: 'count', messages: 5, events: 5 })
})
