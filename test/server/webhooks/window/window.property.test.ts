import { array, assert, asyncProperty, constantFrom, integer, record } from 'fast-check'
import { expect, test } from 'vitest'
import type { Subscription } from '../../../../src/domain/webhook/subscription.js'
import {
  type SubscriptionDraft,
  SubscriptionService,
} from '../../../../src/server/services/webhooks/subscription-service.js'
import type { DeliveryResult, SendWebhook } from '../../../../src/server/webhooks/webhook-sender.js'
import { createSeededRandom } from '../../../../src/util/crypto/seeded-random.js'
import { createUuidGenerator } from '../../../../src/util/crypto/uuid-v7.js'
import { scale } from '../../../tier.js'
import { createObservers } from '../../observers.js'
import { accountWith } from '../../store/rig.js'
import { names, World } from '../world.js'

const owner = accountWith('a')

const answer = constantFrom<('yes' | 'no' | 'later' | 'gone')[]>(
  ...(['yes', 'yes', 'yes', 'no', 'later', 'gone'] as const),
)

const step = constantFrom<
  (
    | 'record'
    | 'turn'
    | 'kill'
    | 'restart'
    | 'wait'
    | 'pass'
    | 'pause'
    | 'resume'
    | 'skip'
    | 'edit'
    | 'replay'
  )[]
>(
  ...(['record', 'record', 'turn', 'turn', 'kill', 'kill', 'restart', 'wait', 'pass'] as const),
  ...(['pause', 'resume', 'skip', 'edit', 'replay'] as const),
)

const scenario = record({
  window: integer({ min: 1, max: 6 }),
  exhausted: constantFrom<('pause' | 'skip')[]>('pause', 'skip'),
  script: array(answer, { maxLength: 30 }),
  steps: array(record({ kind: step, turns: integer({ min: 1, max: 9 }) }), { maxLength: 40 }),
  seed: integer(),
})

const results: Readonly<Record<'yes' | 'no' | 'later' | 'gone', DeliveryResult>> = {
  yes: { ok: true, status: 200 },
  no: { ok: false, status: 500 },
  later: { ok: false, status: 429, retryAfter: 90_000 },
  gone: { ok: false, status: 410 },
}

/** A receiver that replies after some turns of the event loop, in any order. */
class Receiver {
  readonly accepted = new Set<string>()
  readonly attempts = new Map<string, number>()
  /** Messages in the order of their first webhooks. */
  readonly first: string[] = []
  mostInFlight = 0
  readonly #script: ('yes' | 'no' | 'later' | 'gone')[]
  readonly #random: () => number

  constructor(script: readonly ('yes' | 'no' | 'later' | 'gone')[], seed: number) {
    this.#script = [...script]
    this.#random = createSeededRandom(seed)
  }

  /** Sends webhooks of one run of the relay; those of a killed run do not count as in flight. */
  connect(): SendWebhook {
    let inFlight = 0
    return async request => {
      const message = request.target.slice(request.target.indexOf('=') + 1)
      if (!this.first.includes(message)) this.first.push(message)
      this.attempts.set(message, (this.attempts.get(message) ?? 0) + 1)
      inFlight += 1
      this.mostInFlight = Math.max(this.mostInFlight, inFlight)
      const result = results[this.#script.shift() ?? 'yes']
      await turn(Math.floor(this.#random() * 8))
      if (result.ok) this.accepted.add(message)
      inFlight -= 1
      return result
    }
  }
}

async function turn(times: number): Promise<void> {
  for (let left = times; left >= 0; left -= 1) await new Promise(resolve => setImmediate(resolve))
}

test('with any window, webhooks start in order and no event is lost by a kill', async () => {
  await assert(
    asyncProperty(scenario, async ({ window, exhausted, script, steps, seed }) => {
      const world = await World.open()
      const schedule = [1000, 1000]
      const rules: Partial<SubscriptionDraft> = { window, onExhausted: exhausted, schedule }
      const subscription = await world.subscribe('http://h/', rules)
      const { id } = subscription
      const receiver = new Receiver(script, seed)
      const recorded: string[] = []
      const skipped = new Set<string>()
      const run = async () => await world.dispatch({ send: receiver.connect() })
      let dispatcher = await run()
      let [wasKilled, wasReplayed] = [false, false]
      const service = () =>
        new SubscriptionService({
          ...createObservers(),
          ...{ store: world.store, clock: world.clock },
          newId: createUuidGenerator(world.clock.now),
        })
      const read = async () => (await world.read(subscription)) as Subscription
      const checkCursor = async (): Promise<void> => {
        const { cursor } = await read()
        for (const message of recorded.slice(0, cursor)) {
          const attempts = receiver.attempts.get(message) ?? 0
          const isGivenUp = skipped.has(message) || (exhausted === 'skip' && attempts > 2)
          expect([message, receiver.accepted.has(message) || isGivenUp]).toEqual([message, true])
        }
      }
      for (const { kind, turns } of steps) {
        if (kind === 'record') {
          const ids = names(`m${recorded.length}-`, turns)
          recorded.push(...ids)
          await world.record(ids)
        } else if (kind === 'turn') await turn(turns)
        else if (kind === 'wait') await dispatcher.idle()
        else if (kind === 'pass') {
          if (world.clock.pending > 0) world.clock.next()
        } else if (kind === 'pause') await service().pause(owner, id)
        else if (kind === 'resume') await service().resume(owner, id)
        else if (kind === 'edit') {
          await service().edit(owner, id, 'message.create', { method: `M${turns}` })
        } else if (kind === 'skip') {
          const first = (await read()).cursor
          const after = await service()
            .skip(owner, id)
            .catch(() => undefined)
          const settled = [...(after?.ahead ?? []).map(({ seq }) => seq), after?.cursor ?? 0]
          for (const seq of after === undefined ? [] : [first + 1, ...settled]) {
            const message = recorded[seq - 1] ?? ''
            if (!receiver.accepted.has(message)) skipped.add(message)
          }
        } else if (kind === 'replay') {
          const { cursor } = await read()
          if (cursor === 0) continue
          await service().replay(owner, id, Math.max(cursor - turns, 1))
          wasReplayed = true
        } else if (kind === 'restart') {
          await dispatcher.stop()
          await world.reopen()
          dispatcher = await run()
        } else {
          const close = await world.kill()
          const stopped = dispatcher.stop()
          dispatcher = await run()
          wasKilled = true
          world.clock.advance(0)
          await stopped
          await close()
        }
        await checkCursor()
      }
      for (let round = 0; round < 20; round += 1) {
        await service().resume(owner, id)
        await dispatcher.idle()
        while (world.clock.pending > 0) {
          world.clock.next()
          await dispatcher.idle()
        }
      }
      await checkCursor()
      expect(await read()).toMatchObject({ cursor: recorded.length })
      expect(await read()).not.toHaveProperty('trying')
      expect(await read()).not.toHaveProperty('ahead')
      expect(receiver.mostInFlight).toBeLessThanOrEqual(window)
      const order = receiver.first.map(message => recorded.indexOf(message))
      if (!wasReplayed) expect(order).toEqual(order.toSorted((a, b) => a - b))
      const isExact = !wasKilled && !wasReplayed && script.length === 0
      if (isExact)
        expect([...receiver.attempts.values()]).toEqual([...receiver.attempts.keys()].map(() => 1))
    }),
    { numRuns: scale(40) },
  )
})
