import { describe, expect, test } from 'vitest'
import { DeliveryLogService } from '../../../src/server/services/webhooks/delivery-log-service.js'
import { SubscriptionService } from '../../../src/server/services/webhooks/subscription-service.js'
import { createUuidGenerator } from '../../../src/util/crypto/uuid-v7.js'
import { accountWith } from '../store/rig.js'
import { ok, openSink, type Reaction, reply } from './sink.js'
import { names, World } from './world.js'

const second = 1000
const hour = 3600 * second
const all = { count: 100, failed: false }

/** A subscription with a running lane, and its user's hands on it. */
async function open(
  react: (nth: number) => Reaction = () => ok,
  changes: { onExhausted?: 'pause' | 'skip' } = {},
) {
  const world = await World.open()
  const owner = accountWith('a')
  const sink = await openSink(react)
  const { store } = world
  const context = { store, clock: world.clock, newId: createUuidGenerator(world.clock.now) }
  const hooks = new SubscriptionService(context)
  const dispatcher = await world.dispatch()
  const log = new DeliveryLogService(context, hooks, dispatcher.resend)
  const draft = { event: 'message.create', url: sink.url, method: 'POST', post: false } as const
  const { id } = await hooks.create(owner, { ...draft, ...changes })
  const read = () => hooks.get(owner, id)
  const record = async (...messages: string[]): Promise<void> => {
    await world.record(messages)
    await dispatcher.idle()
  }
  /** Lets so much time pass, and what is due be done. */
  const pass = async (milliseconds: number): Promise<void> => {
    world.clock.advance(milliseconds)
    await dispatcher.idle()
  }
  return { world, owner, sink, hooks, dispatcher, log, id, read, record, pass }
}

describe('a verdict', () => {
  test('of 410 pauses before the event, and a resumed lane goes on with it', async () => {
    const lane = await open(nth => (nth === 1 ? reply(410) : ok))
    await lane.record('m1', 'm2')
    expect(await lane.read()).toMatchObject({ cursor: 0, triggered: 1, paused: { reason: 'gone' } })
    expect(lane.world.clock.pending).toBe(0)
    await lane.hooks.resume(lane.owner, lane.id)
    await lane.dispatcher.idle()
    expect(lane.sink.messages()).toEqual(['m1', 'm1', 'm2'])
    expect(await lane.read()).toMatchObject({ cursor: 2, triggered: 2 })
    expect(await lane.read()).not.toHaveProperty('paused')
  })

  test.each([429, 503])('of %i waits as long as the receiver asks', async status => {
    const lane = await open(nth => (nth === 1 ? reply(status, 'Retry-After: 20\r\n') : ok))
    await lane.record('m1')
    await lane.pass(20 * second - 1)
    expect(lane.sink.requests).toHaveLength(1)
    await lane.pass(1)
    expect(lane.sink.messages()).toEqual(['m1', 'm1'])
  })

  test('of 429 waits an hour at most, and no shorter than the schedule says', async () => {
    const lane = await open(nth =>
      nth <= 2 ? reply(429, `Retry-After: ${nth === 1 ? 999_999 : 0}\r\n`) : ok,
    )
    await lane.record('m1')
    await lane.pass(hour)
    expect(lane.sink.requests).toHaveLength(2)
    await lane.pass(5 * second - 1)
    expect(lane.sink.requests).toHaveLength(2)
    await lane.pass(1)
    expect(lane.sink.requests).toHaveLength(3)
  })

  test('that stays bad for 72 hours pauses the lane with nothing dropped', async () => {
    let isUp = false
    const lane = await open(() => (isUp ? ok : reply(500)))
    await lane.record('m1', 'm2')
    while (lane.world.clock.pending > 0) {
      lane.world.clock.next()
      await lane.dispatcher.idle()
    }
    expect(await lane.read()).toMatchObject({ cursor: 0, paused: { reason: 'exhausted' } })
    expect(new Set(lane.sink.messages())).toEqual(new Set(['m1']))
    isUp = true
    await lane.hooks.resume(lane.owner, lane.id)
    await lane.dispatcher.idle()
    expect(lane.sink.messages().slice(-2)).toEqual(['m1', 'm2'])
    expect(await lane.read()).toMatchObject({ triggered: 2 })
  })
})

describe('a paused lane', () => {
  test('is not hit, whatever is recorded, and reads nothing', async () => {
    const lane = await open()
    await lane.record('m1')
    await lane.hooks.pause(lane.owner, lane.id)
    await lane.dispatcher.idle()
    let reads = 0
    const { subscriptions } = lane.world.store
    const get = subscriptions.get.bind(subscriptions)
    subscriptions.get = async id => {
      reads += 1
      return await get(id)
    }
    await lane.record('m2', 'm3')
    expect([lane.sink.messages(), reads]).toEqual([['m1'], 0])
    await lane.hooks.resume(lane.owner, lane.id)
    await lane.dispatcher.idle()
    expect(lane.sink.messages()).toEqual(['m1', 'm2', 'm3'])
  })

  test('has no timer, and its hit in flight counts', async () => {
    const lane = await open(() => 'silence')
    await lane.world.record(['m1', 'm2'])
    await lane.sink.arrived(1)
    await lane.hooks.pause(lane.owner, lane.id)
    lane.sink.answer(ok)
    await lane.dispatcher.idle()
    expect(await lane.read()).toMatchObject({ cursor: 1, paused: { reason: 'request' } })
    expect([lane.sink.messages(), lane.world.clock.pending]).toEqual([['m1'], 0])
  })

  test('stays paused over a restart', async () => {
    const lane = await open()
    await lane.hooks.pause(lane.owner, lane.id)
    await lane.record('m1')
    await lane.dispatcher.stop()
    await lane.world.reopen()
    await (await lane.world.dispatch()).idle()
    expect(lane.sink.requests).toEqual([])
  })
})

describe('a waiting retry', () => {
  test.each(['an edit', 'resuming'])(
    'is made at once after %s, with its retry times anew',
    async what => {
      const lane = await open(nth => (nth <= 4 ? reply(500) : ok))
      await lane.record('m1')
      await lane.pass(second)
      await lane.pass(5 * second)
      expect(lane.sink.requests).toHaveLength(3)
      if (what === 'an edit') {
        await lane.hooks.edit(lane.owner, lane.id, 'message.create', {
          url: `${lane.sink.url}/new`,
        })
      } else await lane.hooks.resume(lane.owner, lane.id)
      await lane.dispatcher.idle()
      expect(lane.sink.requests).toHaveLength(4)
      await lane.pass(second)
      expect(lane.sink.requests).toHaveLength(5)
      expect(await lane.read()).toMatchObject({ cursor: 1, triggered: 1 })
    },
  )

  test('is moved by up to a tenth, so that many do not come together', async () => {
    const world = await World.open()
    const sink = await openSink(() => reply(500))
    await world.subscribe(sink.url)
    const dispatcher = await world.dispatch({ random: () => 0 })
    await world.record(['m1'])
    await dispatcher.idle()
    world.clock.advance(900)
    await dispatcher.idle()
    expect(sink.requests).toHaveLength(2)
  })
})

describe('skipping', () => {
  test('passes the event that fails, logs it as dead, and goes on', async () => {
    const lane = await open(nth => (nth === 1 ? reply(500) : ok))
    await lane.record('m1', 'm2')
    await lane.hooks.skip(lane.owner, lane.id)
    await lane.dispatcher.idle()
    expect(lane.sink.messages()).toEqual(['m1', 'm2'])
    expect(lane.world.clock.pending).toBe(0)
    const logged = await lane.log.list(lane.owner, lane.id, all)
    expect(logged).toMatchObject([{ seq: 1, dead: true, ok: false, attempt: 1 }])
  })

  test('is refused when nothing has failed, or something else', async () => {
    const lane = await open(() => 'silence')
    const skip = (sequence?: number) => lane.hooks.skip(lane.owner, lane.id, sequence)
    await expect(skip()).rejects.toMatchObject({ code: 'invalid_state' })
    await lane.world.record(['m1', 'm2'])
    await lane.sink.arrived(1)
    await expect(skip()).rejects.toMatchObject({ code: 'invalid_state' })
    await lane.hooks.pause(lane.owner, lane.id)
    await expect(skip(2)).rejects.toThrow(/event 1/)
    expect(await skip(1)).toMatchObject({ cursor: 1 })
    lane.sink.answer(ok)
    await lane.dispatcher.idle()
    expect(await lane.read()).toMatchObject({ cursor: 1 })
  })
})

describe('a replay', () => {
  test('delivers again from there, in order', async () => {
    const lane = await open()
    await lane.record('m1', 'm2')
    await lane.world.record(['x'], 'message.sent')
    await lane.record('m3', 'm4')
    await lane.hooks.replay(lane.owner, lane.id, 4)
    await lane.dispatcher.idle()
    expect(lane.sink.messages()).toEqual(['m1', 'm2', 'm3', 'm4', 'm3', 'm4'])
    expect(lane.sink.requests[4]).toMatch(/^webhook-previous: 2\r$/m)
  })

  test('is not undone by the verdict on a hit in flight', async () => {
    const lane = await open(nth => (nth === 3 ? 'silence' : ok))
    await lane.world.record(names('m', 3))
    await lane.sink.arrived(3)
    await lane.hooks.replay(lane.owner, lane.id, 1)
    lane.sink.answer(ok)
    await lane.dispatcher.idle()
    expect(lane.sink.messages()).toEqual(['m1', 'm2', 'm3', 'm1', 'm2', 'm3'])
  })

  test('reaches back before the subscription was made', async () => {
    const lane = await open()
    await lane.record('m1')
    const late = await lane.world.subscribe(lane.sink.url)
    await lane.hooks.replay(lane.owner, late.id, 1)
    await lane.dispatcher.idle()
    expect(lane.sink.messages()).toEqual(['m1', 'm1'])
  })

  test.each([
    ['before what is kept', 1, /1.* 3\./],
    ['after what was delivered', 5, 'at most 4'],
  ])('from %s is refused', async (_, from, why) => {
    const lane = await open()
    await lane.world.record(['x', 'y'], 'message.sent')
    await lane.record('m1', 'm2')
    const replay = lane.hooks.replay(lane.owner, lane.id, from)
    await expect(replay).rejects.toMatchObject({ code: 'invalid_parameter' })
    await expect(replay).rejects.toThrow(why)
    expect(await lane.read()).toMatchObject({ cursor: 4 })
  })

  test('is refused where nothing is kept', async () => {
    const lane = await open()
    await expect(lane.hooks.replay(lane.owner, lane.id, 1)).rejects.toMatchObject({
      code: 'invalid_parameter',
    })
  })
})

describe('resending', () => {
  test('makes one hit and moves nothing, on a paused lane, too', async () => {
    const lane = await open(nth => (nth === 3 ? reply(500) : ok))
    await lane.record('m1')
    await lane.world.record(['x'], 'message.sent')
    await lane.record('m2')
    await lane.hooks.pause(lane.owner, lane.id)
    const delivery = await lane.log.resend(lane.owner, lane.id, 1)
    expect(delivery).toMatchObject({ seq: 1, status: 500, ok: false, dead: false, resend: true })
    expect(await lane.log.resend(lane.owner, lane.id, 3)).toMatchObject({ ok: true })
    expect(lane.sink.messages()).toEqual(['m1', 'm2', 'm1', 'm2'])
    expect(lane.sink.requests[3]).toMatch(/^webhook-previous: 1\r$/m)
    expect(await lane.read()).toMatchObject({ cursor: 3, triggered: 2 })
    expect(lane.world.clock.pending).toBe(0)
  })

  test('waits for the hit in flight, and takes turns with the lane', async () => {
    const lane = await open(nth => (nth === 2 ? 'silence' : ok))
    await lane.world.record(names('m', 4))
    await lane.sink.arrived(2)
    const both = [1, 1].map(seq => lane.log.resend(lane.owner, lane.id, seq))
    await lane.world.store.subscriptions.list()
    expect(lane.sink.requests).toHaveLength(2)
    lane.sink.answer(ok)
    await Promise.all(both)
    await lane.dispatcher.idle()
    expect(lane.sink.messages()).toEqual(['m1', 'm2', 'm1', 'm3', 'm1', 'm4'])
  })

  test('leaves a retry where it is', async () => {
    const lane = await open(() => reply(500))
    await lane.record('m1')
    const before = await lane.read()
    await lane.log.resend(lane.owner, lane.id, 1)
    expect(await lane.read()).toEqual(before)
    expect(lane.world.clock.pending).toBe(1)
  })

  test('of what has not been tried, or is no event of it, is refused', async () => {
    const lane = await open()
    await lane.hooks.pause(lane.owner, lane.id)
    await lane.record('m1')
    await lane.world.record(['x'], 'message.sent')
    const resend = (seq: number) => lane.log.resend(lane.owner, lane.id, seq)
    await expect(resend(1)).rejects.toMatchObject({ code: 'invalid_state' })
    await expect(resend(2)).rejects.toMatchObject({ code: 'not_found' })
    await expect(resend(3)).rejects.toMatchObject({ code: 'not_found' })
    expect(lane.sink.requests).toEqual([])
  })

  test('that a stop cuts off, or comes after it, is unavailable', async () => {
    const lane = await open(nth => (nth === 1 ? ok : 'silence'))
    await lane.record('m1')
    const resent = [1, 1].map(seq => lane.log.resend(lane.owner, lane.id, seq))
    const refused = resent.map(each => expect(each).rejects.toMatchObject({ code: 'unavailable' }))
    await lane.sink.arrived(2)
    const stopped = lane.dispatcher.stop()
    lane.world.clock.advance(5000)
    await stopped
    await Promise.all(refused)
    const late = lane.log.resend(lane.owner, lane.id, 1)
    await expect(late).rejects.toMatchObject({ code: 'unavailable' })
    expect(lane.sink.requests).toHaveLength(2)
  })

  test('for a subscription that is removed meanwhile is refused', async () => {
    const lane = await open(nth => (nth === 2 ? 'silence' : ok))
    await lane.world.record(['m1', 'm2'])
    await lane.sink.arrived(2)
    const resent = lane.log.resend(lane.owner, lane.id, 1)
    const refused = expect(resent).rejects.toMatchObject({ code: 'not_a_subscription' })
    await lane.hooks.remove(lane.owner, lane.id)
    lane.sink.answer(ok)
    await refused
  })
})
