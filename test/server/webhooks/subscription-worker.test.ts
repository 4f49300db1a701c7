import { describe, expect, test } from 'vitest'
import { ok, openSink, reply } from './sink.js'
import { openSubscription } from './subscription-rig.js'
import { World } from './world.js'

const second = 1000
const hour = 3600 * second

describe('a result', () => {
  test.each([429, 503])('of %i waits as long as the receiver asks', async status => {
    const hook = await openSubscription(nth =>
      nth === 1 ? reply(status, 'Retry-After: 20\r\n') : ok,
    )
    await hook.record('m1')
    await hook.pass(20 * second - 1)
    expect(hook.sink.requests).toHaveLength(1)
    await hook.pass(1)
    expect(hook.sink.messages()).toEqual(['m1', 'm1'])
  })

  test('of 429 waits at most an hour, and at least the scheduled time', async () => {
    const hook = await openSubscription(nth =>
      nth <= 2 ? reply(429, `Retry-After: ${nth === 1 ? 999_999 : 0}\r\n`) : ok,
    )
    await hook.record('m1')
    await hook.pass(hour)
    expect(hook.sink.requests).toHaveLength(2)
    await hook.pass(5 * second - 1)
    expect(hook.sink.requests).toHaveLength(2)
    await hook.pass(1)
    expect(hook.sink.requests).toHaveLength(3)
  })

  test('that is a failure for 72 hours pauses the subscription, and no event is lost', async () => {
    let isUp = false
    const hook = await openSubscription(() => (isUp ? ok : reply(500)))
    await hook.record('m1', 'm2')
    while (hook.world.clock.pending > 0) {
      hook.world.clock.next()
      await hook.dispatcher.idle()
    }
    expect(await hook.read()).toMatchObject({ cursor: 0, paused: { reason: 'exhausted' } })
    expect(new Set(hook.sink.messages())).toEqual(new Set(['m1']))
    isUp = true
    await hook.service.resume(hook.owner, hook.id)
    await hook.dispatcher.idle()
    expect(hook.sink.messages().slice(-2)).toEqual(['m1', 'm2'])
    expect(await hook.read()).toMatchObject({ triggered: 2 })
  })
})

describe('a paused subscription', () => {
  test('sends nothing and reads nothing when events are recorded', async () => {
    const hook = await openSubscription()
    await hook.record('m1')
    await hook.service.pause(hook.owner, hook.id)
    await hook.dispatcher.idle()
    let reads = 0
    const { subscriptions } = hook.world.store
    const get = subscriptions.get.bind(subscriptions)
    subscriptions.get = async id => {
      reads += 1
      return await get(id)
    }
    await hook.record('m2', 'm3')
    expect([hook.sink.messages(), reads]).toEqual([['m1'], 0])
    await hook.service.resume(hook.owner, hook.id)
    await hook.dispatcher.idle()
    expect(hook.sink.messages()).toEqual(['m1', 'm2', 'm3'])
  })

  test('has no timer, and the webhook in progress counts', async () => {
    const hook = await openSubscription(() => 'silence')
    await hook.world.record(['m1', 'm2'])
    await hook.sink.arrived(1)
    await hook.service.pause(hook.owner, hook.id)
    hook.sink.answer(ok)
    await hook.dispatcher.idle()
    expect(await hook.read()).toMatchObject({ cursor: 1, paused: { reason: 'request' } })
    expect([hook.sink.messages(), hook.world.clock.pending]).toEqual([['m1'], 0])
  })
})

describe('a waiting retry', () => {
  test.each(['an edit', 'resuming'])(
    'is sent at once after %s, and its retries count from the start',
    async action => {
      const hook = await openSubscription(nth => (nth <= 4 ? reply(500) : ok))
      await hook.record('m1')
      await hook.pass(second)
      await hook.pass(5 * second)
      expect(hook.sink.requests).toHaveLength(3)
      if (action === 'an edit') {
        await hook.service.edit(hook.owner, hook.id, 'message.create', {
          url: `${hook.sink.url}/new`,
        })
      } else await hook.service.resume(hook.owner, hook.id)
      await hook.dispatcher.idle()
      expect(hook.sink.requests).toHaveLength(4)
      await hook.pass(second)
      expect(hook.sink.requests).toHaveLength(5)
      expect(await hook.read()).toMatchObject({ cursor: 1, triggered: 1 })
    },
  )

  test('varies by up to a tenth of its delay', async () => {
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
