import { expect, it } from 'vitest'
import { HeldMessage } from '../../../src/phone/dispatch/held-message.js'
import { LeaseKeeper } from '../../../src/phone/dispatch/lease-keeper.js'
import { MessageQueue } from '../../../src/phone/dispatch/message-queue.js'
import type { PhoneClient } from '../../../src/phone/relay/phone-client.js'
import { type PhoneReport, RelaySteps } from '../../../src/phone/relay/relay-steps.js'
import { FakeClock } from '../../util/async/fake-clock.js'
import { unreachable } from '../phone-rig.js'
import { message, ScriptedClient } from '../scripted-client.js'

/** Holds a message of a relay that says how long its leases are, in seconds. */
async function hold(lease: number | undefined) {
  const clock = new FakeClock()
  const renewedAt: number[] = []
  const relayState = { isReachable: true }
  const messages: PhoneClient['messages'] = {
    ...new ScriptedClient([]).messages,
    nextBatch: async () => ({ messages: [message('a')], claim: 1, lease }),
    report: async outcomes => {
      if (!relayState.isReachable) throw unreachable
      renewedAt.push(clock.monotonic() / 1000)
      return (outcomes as readonly PhoneReport[]).map(({ id }) => ({
        id,
        status: 200,
        message: message(id),
      }))
    },
  }
  const relay = new RelaySteps({ ...new ScriptedClient([]), messages })
  const { signal } = new AbortController()
  const [claimed = message('a')] = await relay.claim({ count: 1, wait: 0, signal })
  const held = new HeldMessage(claimed, clock)
  const queue = new MessageQueue()
  queue.add(held)
  const leases = new LeaseKeeper({ relay, clock, force: signal }, queue)
  leases.watch()
  return { clock, renewedAt, relayState, held, leases }
}

it.each([
  ['of 8 s', 8, [2, 4, 6, 8]],
  ['of 10 min', 600, []],
  ['that the relay does not name', undefined, [30]],
])('a lease %s is renewed before half of it is over', async (_, lease, renewals) => {
  const { clock, renewedAt } = await hold(lease)
  await clock.pass(lease === 8 ? 9000 : 40_000)
  expect(renewedAt).toEqual(renewals)
})

it('a message may not be sent after its lease if the relay does not answer', async () => {
  const { clock, relayState, held, leases } = await hold(8)
  relayState.isReachable = false
  await clock.pass(7000)
  await leases.refresh(held)
  expect(held.canSend).toBe(true)
  await clock.pass(1000)
  await leases.refresh(held)
  expect(held.canSend).toBe(false)
})
