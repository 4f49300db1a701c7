import { describe, expect, test } from 'vitest'
import { ok } from './sink.js'
import { openSubscription } from './subscription-rig.js'

describe('a skip', () => {
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
