import { array, assert, asyncProperty, boolean, constantFrom, integer, record } from 'fast-check'
import { expect, test } from 'vitest'
import type { Send } from '../../src/delivery/sender.js'
import type { Subscription } from '../../src/domain/subscription.js'
import { names, World } from './world.js'

const step = constantFrom<('record' | 'restart' | 'wait' | 'pass')[]>(
  'record',
  'restart',
  'wait',
  'pass',
)

const scenario = record({
  /** What each receiver does with its hits one after the other; after that it accepts. */
  scripts: array(array(boolean(), { maxLength: 12 }), { minLength: 1, maxLength: 4 }),
  steps: array(step, { maxLength: 25 }),
  kept: integer({ min: 1, max: 5 }),
})

interface Receiver {
  readonly subscription: Subscription
  readonly script: boolean[]
  readonly accepted: string[]
  readonly hit: Set<string>
}

test('whatever receivers refuse and whenever the service restarts, each accepts its events once and in order', async () => {
  await assert(
    asyncProperty(scenario, async ({ scripts, steps, kept }) => {
      const world = await World.open()
      const receivers = new Map<string, Receiver>()
      for (const [nth, script] of scripts.entries()) {
        const subscription = await world.subscribe(`http://h${nth}/`)
        receivers.set(`h${nth}`, {
          subscription,
          script: [...script],
          accepted: [],
          hit: new Set<string>(),
        })
      }
      const send = receive(receivers)
      let dispatcher = await world.dispatch({ send })
      const recorded: string[] = []
      for (const each of steps) {
        if (each === 'record') {
          const ids = names(`m${recorded.length}-`, kept)
          recorded.push(...ids)
          await world.record(ids)
        } else if (each === 'wait') {
          await dispatcher.idle()
        } else if (each === 'pass') {
          if (world.clock.pending > 0) world.clock.next()
        } else {
          await dispatcher.stop()
          dispatcher = await world.dispatch({ send })
        }
      }
      await dispatcher.idle()
      while (world.clock.pending > 0) {
        world.clock.next()
        await dispatcher.idle()
      }
      for (const { subscription, accepted, hit } of receivers.values()) {
        expect(accepted).toEqual(recorded)
        expect(await world.read(subscription)).toMatchObject({ triggered: hit.size })
      }
    }),
    { numRuns: 60 },
  )
}, 60_000)

/** Receivers that take a turn of the event loop to answer. */
function receive(receivers: ReadonlyMap<string, Receiver>): Send {
  return async hit => {
    const receiver = receivers.get(new URL(hit.url).hostname)
    if (receiver === undefined) throw new Error(`There is no receiver at ${hit.url}.`)
    const message = hit.target.slice(hit.target.indexOf('=') + 1)
    receiver.hit.add(message)
    await new Promise(resolve => setImmediate(resolve))
    const accepts = receiver.script.shift() ?? true
    if (accepts) receiver.accepted.push(message)
    return { ok: accepts, status: accepts ? 200 : 500 }
  }
}
