import { expect, test } from 'vitest'
import type { SendWebhook } from '../../../../src/server/webhooks/webhook-sender.js'
import { ok, reply } from '../sink.js'
import { openSubscription } from '../subscription-rig.js'
import { names, World } from '../world.js'

const second = 1000

test('as many webhooks as the window are in flight, and they start in order', async () => {
  const hook = await openSubscription(() => 'silence', { window: 3 })
  await hook.world.record(names('m', 5))
  await hook.sink.arrived(3)
  expect(hook.sink.messages().toSorted()).toEqual(['m1', 'm2', 'm3'])
  hook.sink.answer(ok)
  await hook.sink.arrived(4)
  expect(hook.sink.messages()[3]).toBe('m4')
  const headers = (name: string) => hook.sink.requests.map(request => getHeader(request, name))
  expect(headers('webhook-sequence').toSorted()).toEqual(['1', '2', '3', '4'])
  expect(headers('webhook-previous').toSorted()).toEqual(['0', '1', '2', '3'])
  for (let left = 0; left < 4; left += 1) hook.sink.answer(ok)
  await hook.sink.arrived(5)
  hook.sink.answer(ok)
  await hook.dispatcher.idle()
  expect(await hook.read()).toMatchObject({ cursor: 5, triggered: 5 })
})

test('an event that waits for a retry holds its slot, and the cursor stays before it', async () => {
  const isFirst = (request: string): boolean => request.includes('=m1 ')
  let failures = 1
  const react = (_: number, request: string) =>
    isFirst(request) && failures-- > 0 ? reply(500) : ok
  const hook = await openSubscription(react, { window: 3 })
  await hook.record(...names('m', 5))
  expect(hook.sink.messages().toSorted()).toEqual(['m1', 'm2', 'm3'])
  const waiting = { cursor: 0, trying: { seq: 1 }, ahead: [{ seq: 2 }, { seq: 3 }] }
  expect(await hook.read()).toMatchObject(waiting)
  await hook.pass(second)
  expect(hook.sink.messages().slice(3).toSorted()).toEqual(['m1', 'm4', 'm5'])
  const after = await hook.read()
  expect(after).toMatchObject({ cursor: 5, triggered: 5 })
  expect(after).not.toHaveProperty('ahead')
})

test('Retry-After holds back all webhooks of the subscription', async () => {
  let failures = 1
  const react = (_: number, request: string) =>
    request.includes('=m2 ') && failures-- > 0 ? 'silence' : ok
  const hook = await openSubscription(react, { window: 4 })
  await hook.world.record(names('m', 3))
  await hook.sink.arrived(3)
  hook.sink.answer(reply(503, 'Retry-After: 20\r\n'))
  await hook.dispatcher.idle()
  await hook.record('m4')
  await hook.pass(19 * second)
  expect(hook.sink.requests).toHaveLength(3)
  await hook.pass(second)
  expect(hook.sink.messages().slice(3).toSorted()).toEqual(['m2', 'm4'])
})

test('a skip gives up one waiting event of several', async () => {
  const react = (_: number, request: string) => (/=m[13] /.test(request) ? reply(500) : ok)
  const hook = await openSubscription(react, { window: 4 })
  await hook.record(...names('m', 4))
  const skip = (sequence?: number) => hook.service.skip(hook.owner, hook.id, sequence)
  await expect(skip(2)).rejects.toMatchObject({ code: 'invalid_state' })
  expect(await skip(3)).toMatchObject({ cursor: 0, trying: { seq: 1 } })
  expect(await skip()).toMatchObject({ cursor: 4 })
  const logged = await hook.deliveryLog.list(hook.owner, hook.id, { count: 100, failed: true })
  expect(logged.filter(({ dead }) => dead).map(({ seq }) => seq)).toEqual([1, 3])
})

test('a window that an edit widens is used at once', async () => {
  const hook = await openSubscription(() => 'silence')
  await hook.world.record(names('m', 3))
  await hook.sink.arrived(1)
  await hook.service.edit(hook.owner, hook.id, 'message.create', { window: 2 })
  await hook.sink.arrived(2)
  expect(hook.sink.messages()).toEqual(['m1', 'm2'])
})

test('an own retry schedule ends after its last delay', async () => {
  const hook = await openSubscription(() => reply(500), { schedule: [2000, 4000] })
  await hook.record('m1')
  await hook.pass(2 * second)
  expect(hook.sink.requests).toHaveLength(2)
  await hook.pass(3999)
  expect(hook.sink.requests).toHaveLength(2)
  await hook.pass(1)
  expect(hook.sink.requests).toHaveLength(3)
  expect(await hook.read()).toMatchObject({ cursor: 0, paused: { reason: 'exhausted' } })
})

test('with replies after 20 ms, window 16 delivers 16 times as many as window 1', async () => {
  const world = await World.open()
  const measure = async (window: number): Promise<number> => {
    const started = world.clock.now()
    const subscription = await world.subscribe('http://h/', { window })
    let inFlight = 0
    const send: SendWebhook = async () => {
      inFlight += 1
      await world.clock.sleep(20)
      inFlight -= 1
      return { ok: true, status: 200 }
    }
    const dispatcher = await world.dispatch({ send })
    await world.record(names(`w${window}-`, 64))
    for (let left = 64; left > 0; left -= window) {
      while (inFlight < window) await new Promise(resolve => setImmediate(resolve))
      world.clock.advance(20)
      while (inFlight > 0) await new Promise(resolve => setImmediate(resolve))
    }
    await dispatcher.idle()
    expect(await world.read(subscription)).toMatchObject({ triggered: 64 })
    await world.store.subscriptions.remove(subscription.id)
    await dispatcher.stop()
    return world.clock.now() - started
  }
  expect([await measure(1), await measure(16)]).toEqual([64 * 20, 4 * 20])
})

function getHeader(request: string, name: string): string | undefined {
  return new RegExp(`^${name}: (.*)\\r$`, 'm').exec(request)?.[1]
}
