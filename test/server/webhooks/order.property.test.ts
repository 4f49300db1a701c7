import { array, assert, asyncProperty, constantFrom, integer, record } from 'fast-check'
import { expect, test } from 'vitest'
import type { Subscription } from '../../../src/domain/webhook/subscription.js'
import { SubscriptionService } from '../../../src/server/services/webhooks/subscription-service.js'
import type { DeliveryResult, SendWebhook } from '../../../src/server/webhooks/webhook-sender.js'
import { createSeededRandom } from '../../../src/util/crypto/seeded-random.js'
import { createUuidGenerator } from '../../../src/util/crypto/uuid-v7.js'
import { scale } from '../../tier.js'
import { createObservers } from '../observers.js'
import { accountWith } from '../store/rig.js'
import { names, World } from './world.js'

const owner = accountWith('a')

const answer = constantFrom<('yes' | 'no' | 'later' | 'gone')[]>(
  'yes',
  'yes',
  'no',
  'later',
  'gone',
)

const step = constantFrom<
  ('record' | 'restart' | 'wait' | 'pass' | 'pause' | 'resume' | 'skip' | 'edit')[]
>('record', 'record', 'restart', 'wait', 'pass', 'pause', 'resume', 'skip', 'edit')

const scenario = record({
  /** The replies of each receiver in order; after that it accepts. */
  scripts: array(array(answer, { maxLength: 12 }), { minLength: 1, maxLength: 4 }),
  /** `at` picks a receiver, for the steps that need one. */
  steps: array(record({ kind: step, at: integer({ min: 0, max: 3 }) }), { maxLength: 40 }),
  kept: integer({ min: 1, max: 5 }),
})

interface Receiver {
  readonly subscription: Subscription
  readonly script: ('yes' | 'no' | 'later' | 'gone')[]
  readonly accepted: string[]
  readonly requested: Set<string>
  readonly skipped: Set<string>
  /** Skipped events, accepted or not: a skip during the webhook of its event prevents the count. */
  readonly passed: Set<string>
}

const results: Readonly<Record<'yes' | 'no' | 'later' | 'gone', DeliveryResult>> = {
  yes: { ok: true, status: 200 },
  no: { ok: false, status: 500 },
  later: { ok: false, status: 429, retryAfter: 90_000 },
  gone: { ok: false, status: 410 },
}

test('in any run each receiver accepts its events once and in order', async () => {
  await assert(
    asyncProperty(scenario, async ({ scripts, steps, kept }) => {
      const world = await World.open()
      const newId = createUuidGenerator(world.clock.now)
      const service = () =>
        new SubscriptionService({
          ...createObservers(),
          store: world.store,
          clock: world.clock,
          newId,
        })
      const receivers: Receiver[] = []
      for (const [nth, script] of scripts.entries()) {
        const subscription = await world.subscribe(`http://h${nth}/`)
        receivers.push({
          subscription,
          script: [...script],
          accepted: [],
          requested: new Set<string>(),
          skipped: new Set<string>(),
          passed: new Set<string>(),
        })
      }
      const send = receive(receivers)
      const random = createSeededRandom(1)
      let dispatcher = await world.dispatch({ send, random })
      const recorded: string[] = []
      for (const { kind, at } of steps) {
        const receiver = receivers[at % receivers.length] as Receiver
        const { id } = receiver.subscription
        if (kind === 'record') {
          const ids = names(`m${recorded.length}-`, kept)
          recorded.push(...ids)
          await world.record(ids)
        } else if (kind === 'wait') await dispatcher.idle()
        else if (kind === 'pass') {
          if (world.clock.pending > 0) world.clock.next()
        } else if (kind === 'pause') await service().pause(owner, id)
        else if (kind === 'resume') await service().resume(owner, id)
        else if (kind === 'edit') await service().edit(owner, id, 'message.create', { post: false })
        else if (kind === 'skip') {
          const before = (await world.read(receiver.subscription))?.cursor
          const after = await service()
            .skip(owner, id)
            .catch(() => undefined)
          if (after === undefined) continue
          expect(after.cursor).toBeGreaterThan(before ?? 0)
          const message = recorded[after.cursor - 1] ?? ''
          receiver.passed.add(message)
          if (!receiver.accepted.includes(message)) receiver.skipped.add(message)
        } else {
          await dispatcher.stop()
          await world.reopen()
          dispatcher = await world.dispatch({ send, random })
        }
      }
      for (let round = 0; round < 20; round += 1) {
        for (const { subscription } of receivers) await service().resume(owner, subscription.id)
        await dispatcher.idle()
        while (world.clock.pending > 0) {
          world.clock.next()
          await dispatcher.idle()
        }
      }
      for (const { subscription, accepted, requested, skipped, passed } of receivers) {
        // An event that was skipped during its webhook may have been accepted.
        const left = recorded.filter(message => accepted.includes(message) || !skipped.has(message))
        expect(accepted).toEqual(left)
        const after = await world.read(subscription)
        expect(after).toMatchObject({ cursor: recorded.length })
        expect(after).not.toHaveProperty('trying')
        expect(after?.triggered).toBeLessThanOrEqual(requested.size)
        expect(after?.triggered).toBeGreaterThanOrEqual(requested.size - passed.size)
      }
    }),
    { numRuns: scale(60) },
  )
})

/** Receivers that reply after a turn of the event loop. */
function receive(receivers: readonly Receiver[]): SendWebhook {
  return async request => {
    const receiver = receivers[Number(new URL(request.url).hostname.slice(1))]
    if (receiver === undefined) throw new Error(`There is no receiver at ${request.url}.`)
    const message = request.target.slice(request.target.indexOf('=') + 1)
    receiver.requested.add(message)
    await new Promise(resolve => setImmediate(resolve))
    const result = results[receiver.script.shift() ?? 'yes']
    if (result.ok) receiver.accepted.push(message)
    return result
  }
}
