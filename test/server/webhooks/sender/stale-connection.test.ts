import { expect, test } from 'vitest'
import { createWebhookRequest } from '../../../../src/contract/webhook/webhook-request.js'
import {
  type DeliveryAttempt,
  toDelivery,
} from '../../../../src/server/services/webhooks/next-delivery.js'
import { createWebhookSender } from '../../../../src/server/webhooks/webhook-sender.js'
import { createClock } from '../../../../src/util/async/clock.js'
import { ok, openSink, type Reaction, reply } from '../sink.js'
import { openSubscription } from '../subscription-rig.js'
import { World } from '../world.js'

/** A subscription to a receiver; `deliveries` are the log of its attempts. */
async function openHook(react: (nth: number) => Reaction) {
  const world = await World.open()
  const sink = await openSink(react)
  const attempts: DeliveryAttempt[] = []
  const subscription = await world.subscribe(sink.url)
  const dispatcher = await world.dispatch({ onAttempt: attempt => attempts.push(attempt) })
  const record = async (...messages: string[]): Promise<void> => {
    await world.record(messages)
    await dispatcher.idle()
  }
  const deliveries = () => attempts.map(attempt => toDelivery(attempt, 'id'))
  return { world, sink, subscription, dispatcher, record, deliveries }
}

test('a webhook on a connection that breaks is repeated at once, and both are logged', async () => {
  const hook = await openHook(nth => (nth === 2 ? 'hang up' : ok))
  await hook.record('m1', 'm2', 'm3')
  expect(hook.sink.messages()).toEqual(['m1', 'm2', 'm2', 'm3'])
  expect(hook.deliveries()).toMatchObject([
    { message: 'm1', attempt: 1, ok: true },
    {
      message: 'm2',
      attempt: 1,
      ok: false,
      dead: false,
      error: expect.stringMatching('kept-alive'),
    },
    { message: 'm2', attempt: 2, ok: true },
    { message: 'm3', attempt: 1, ok: true },
  ])
  expect(await hook.world.read(hook.subscription)).toMatchObject({ cursor: 3, triggered: 3 })
  expect(hook.world.clock.pending).toBe(0)
})

test('a receiver that breaks each second request of a connection gets all in order', async () => {
  const hook = await openHook(nth => (nth === 2 || nth === 5 ? 'hang up' : ok))
  await hook.record('m1', 'm2', 'm3', 'm4')
  const attempts = hook.deliveries().map(({ message, attempt }) => `${message} ${attempt}`)
  expect(attempts).toEqual(['m1 1', 'm2 1', 'm2 2', 'm3 1', 'm4 1', 'm4 2'])
  expect(hook.sink.messages()).toEqual(['m1', 'm2', 'm2', 'm3', 'm4', 'm4'])
  expect(hook.world.clock.pending).toBe(0)
})

test('the schedule of retries begins after the repetition', async () => {
  const hook = await openHook(nth => (nth === 2 ? 'hang up' : nth === 3 ? reply(500) : ok))
  await hook.record('m1', 'm2')
  const { trying } = (await hook.world.read(hook.subscription)) ?? {}
  expect(trying).toMatchObject({ attempts: 1, before: 1 })
  hook.world.clock.advance(1000)
  await hook.dispatcher.idle()
  expect(hook.deliveries().map(({ attempt }) => attempt)).toEqual([1, 1, 2, 3])
})

test('a resend opens its own connection', async () => {
  const hook = await openSubscription(nth => (nth === 3 ? 'hang up' : ok))
  await hook.record('m1')
  const delivery = await hook.deliveryLog.resend(hook.owner, hook.id, 1)
  expect(delivery).toMatchObject({ ok: true, resend: true })
  expect(hook.sink.requests[1]).toMatch(/^Connection: close\r$/m)
})

test('only a webhook that shares a connection can be stale', async () => {
  const sink = await openSink(nth => (nth % 2 === 0 ? 'hang up' : ok))
  const sender = createWebhookSender({ clock: createClock() })
  const details = { previous: 0, from: 'smsrelay', secrets: [], timestamp: 0 }
  const event = { seq: 1, event: 'message.create', message: 'm1' } as const
  const target = { url: sink.url, method: 'POST', post: true }
  const send = async (isAlone: boolean) => {
    const request = createWebhookRequest(event, target, details)
    return await sender.send(request, new AbortController().signal, { account: 'a', isAlone })
  }
  expect(await send(false)).toMatchObject({ ok: true })
  await new Promise(resolve => setImmediate(resolve))
  expect(await send(false)).toMatchObject({ ok: false, stale: true })
  expect(await send(true)).toMatchObject({ ok: true })
  const refused = await send(true)
  expect(refused.ok).toBe(false)
  expect(refused).not.toHaveProperty('stale')
  sender.close()
})
