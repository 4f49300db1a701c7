import { describe, expect, test } from 'vitest'
import { ok, reply } from './sink.js'
import { openSubscription } from './subscription-rig.js'
import { names } from './world.js'

describe('a resend', () => {
  test('waits for the webhook in progress, and takes turns with the next events', async () => {
    const hook = await openSubscription(nth => (nth === 2 ? 'silence' : ok))
    await hook.world.record(names('m', 4))
    await hook.sink.arrived(2)
    const both = [1, 1].map(seq => hook.deliveryLog.resend(hook.owner, hook.id, seq))
    await hook.world.store.subscriptions.list()
    expect(hook.sink.requests).toHaveLength(2)
    hook.sink.answer(ok)
    await Promise.all(both)
    await hook.dispatcher.idle()
    expect(hook.sink.messages()).toEqual(['m1', 'm2', 'm1', 'm3', 'm1', 'm4'])
  })

  test('does not change a retry', async () => {
    const hook = await openSubscription(() => reply(500))
    await hook.record('m1')
    const before = await hook.read()
    await hook.deliveryLog.resend(hook.owner, hook.id, 1)
    expect(await hook.read()).toEqual(before)
    expect(hook.world.clock.pending).toBe(1)
  })

  test('during or after a stop is unavailable', async () => {
    const hook = await openSubscription(nth => (nth === 1 ? ok : 'silence'))
    await hook.record('m1')
    const resent = [1, 1].map(seq => hook.deliveryLog.resend(hook.owner, hook.id, seq))
    const refused = resent.map(each => expect(each).rejects.toMatchObject({ code: 'unavailable' }))
    await hook.sink.arrived(2)
    const stopped = hook.dispatcher.stop()
    hook.world.clock.advance(5000)
    await stopped
    await Promise.all(refused)
    const late = hook.deliveryLog.resend(hook.owner, hook.id, 1)
    await expect(late).rejects.toMatchObject({ code: 'unavailable' })
    expect(hook.sink.requests).toHaveLength(2)
  })

  test('of a subscription that is removed in the meantime is an error', async () => {
    const hook = await openSubscription(nth => (nth === 2 ? 'silence' : ok))
    await hook.world.record(['m1', 'm2'])
    await hook.sink.arrived(2)
    const resent = hook.deliveryLog.resend(hook.owner, hook.id, 1)
    const refused = expect(resent).rejects.toMatchObject({ code: 'not_a_subscription' })
    await hook.service.remove(hook.owner, hook.id)
    hook.sink.answer(ok)
    await refused
  })
})
