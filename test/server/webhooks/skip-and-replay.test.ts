import { describe, expect, test } from 'vitest'
import { ok, reply } from './sink.js'
import { openSubscription } from './subscription-rig.js'
import { names } from './world.js'

const all = { count: 100, failed: false }

describe('a skip', () => {
  test('moves past the failed event, logs it as dead, and continues', async () => {
    const hook = await openSubscription(nth => (nth === 1 ? reply(500) : ok))
    await hook.record('m1', 'm2')
    await hook.service.skip(hook.owner, hook.id)
    await hook.dispatcher.idle()
    expect(hook.sink.messages()).toEqual(['m1', 'm2'])
    expect(hook.world.clock.pending).toBe(0)
    const logged = await hook.deliveryLog.list(hook.owner, hook.id, all)
    expect(logged).toMatchObject([{ seq: 1, dead: true, ok: false, attempt: 1 }])
  })

  test('is an error if no event failed, or another one', async () => {
    const hook = await openSubscription(() => 'silence')
    const skip = (sequence?: number) => hook.service.skip(hook.owner, hook.id, sequence)
    await expect(skip()).rejects.toMatchObject({ code: 'invalid_state' })
    await hook.world.record(['m1', 'm2'])
    await hook.sink.arrived(1)
    await expect(skip()).rejects.toMatchObject({ code: 'invalid_state' })
    await hook.service.pause(hook.owner, hook.id)
    await expect(skip(2)).rejects.toThrow(/event 1/)
    expect(await skip(1)).toMatchObject({ cursor: 1 })
    hook.sink.answer(ok)
    await hook.dispatcher.idle()
    expect(await hook.read()).toMatchObject({ cursor: 1 })
  })
})

describe('a replay', () => {
  test('delivers again from an event on, in order', async () => {
    const hook = await openSubscription()
    await hook.record('m1', 'm2')
    await hook.world.record(['x'], 'message.sent')
    await hook.record('m3', 'm4')
    await hook.service.replay(hook.owner, hook.id, 4)
    await hook.dispatcher.idle()
    expect(hook.sink.messages()).toEqual(['m1', 'm2', 'm3', 'm4', 'm3', 'm4'])
    expect(hook.sink.requests[4]).toMatch(/^webhook-previous: 2\r$/m)
  })

  test('is not undone by the result of a webhook in progress', async () => {
    const hook = await openSubscription(nth => (nth === 3 ? 'silence' : ok))
    await hook.world.record(names('m', 3))
    await hook.sink.arrived(3)
    await hook.service.replay(hook.owner, hook.id, 1)
    hook.sink.answer(ok)
    await hook.dispatcher.idle()
    expect(hook.sink.messages()).toEqual(['m1', 'm2', 'm3', 'm1', 'm2', 'm3'])
  })

  test('can start before the creation of the subscription', async () => {
    const hook = await openSubscription()
    await hook.record('m1')
    const late = await hook.world.subscribe(hook.sink.url)
    await hook.service.replay(hook.owner, late.id, 1)
    await hook.dispatcher.idle()
    expect(hook.sink.messages()).toEqual(['m1', 'm1'])
  })

  test.each([
    ['before the retained events', 1, /1.* 3\./],
    ['after the delivered events', 5, 'at most 4'],
  ])('from %s is an error', async (_, from, named) => {
    const hook = await openSubscription()
    await hook.world.record(['x', 'y'], 'message.sent')
    await hook.record('m1', 'm2')
    const replay = hook.service.replay(hook.owner, hook.id, from)
    await expect(replay).rejects.toMatchObject({ code: 'invalid_parameter' })
    await expect(replay).rejects.toThrow(named)
    expect(await hook.read()).toMatchObject({ cursor: 4 })
  })

  test('is an error if no events are retained', async () => {
    const hook = await openSubscription()
    await expect(hook.service.replay(hook.owner, hook.id, 1)).rejects.toMatchObject({
      code: 'invalid_parameter',
    })
  })
})
