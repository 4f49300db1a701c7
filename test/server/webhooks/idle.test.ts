import { expect, test } from 'vitest'
import type { SendWebhook } from '../../../src/server/webhooks/webhook-sender.js'
import { openSink } from './sink.js'
import { names, World } from './world.js'

test('idle subscriptions have no timer and read nothing; an event wakes only its own', async () => {
  const world = await World.open()
  const accounts = 50
  const count = 5000
  await Promise.all(
    Array.from({ length: count }, (_, n) =>
      world.subscribe('http://h/', {
        account: `account-${n % accounts}`,
        event: n % 2 === 0 ? 'message.create' : 'message.sent',
      }),
    ),
  )
  let reads = 0
  const counted = <T extends object>(part: T): T =>
    new Proxy(part, {
      get: (target, name) => {
        const value: unknown = Reflect.get(target, name)
        if (typeof value !== 'function') return value
        return (...given: unknown[]): unknown => {
          reads += 1
          return value.apply(target, given)
        }
      },
    })
  const { accounts: owners, subscriptions, events, workerLeases, watch } = world.store
  const store = {
    accounts: owners,
    workerLeases,
    watch,
    subscriptions: counted(subscriptions),
    events: counted(events),
  }
  let sent = 0
  const send: SendWebhook = async () => {
    sent += 1
    return { ok: true, status: 200 }
  }
  const dispatcher = await world.dispatch({ store, send })
  await dispatcher.idle()
  expect(world.clock.pending).toBe(0)
  reads = 0
  await world.record(['m1'], 'message.failed', 'account-0')
  await world.record(['m2'], 'message.create', 'nobody')
  await dispatcher.idle()
  expect(reads).toBe(0)
  await world.record(['m3'], 'message.create', 'account-0')
  await dispatcher.idle()
  const concerned = count / accounts
  expect(sent).toBe(concerned)
  // Each reads what is due (2), records the result, and reads again (2).
  expect(reads).toBe(concerned * 5)
  expect(world.clock.pending).toBe(0)
})

test('a receiver that does not reply delays no other', async () => {
  const world = await World.open()
  const dead = await openSink(() => 'silence')
  await world.subscribe(dead.url)
  const healthy = await Promise.all(Array.from({ length: 49 }, () => openSink()))
  for (const { url } of healthy) await world.subscribe(url)
  await world.dispatch()
  await world.record(names('m', 20))
  await Promise.all(healthy.map(sink => sink.arrived(20)))
  for (const sink of healthy) expect(sink.messages()).toEqual(names('m', 20))
  expect(dead.messages()).toEqual(['m1'])
})
