import { describe, expect, test } from 'vitest'
import { RelayError } from '../../../src/errors.js'
import type { DeliveryStore } from '../../../src/server/services/webhooks/next-delivery.js'
import type { SendWebhook } from '../../../src/server/webhooks/webhook-sender.js'
import { ok, openSink, reply } from './sink.js'
import { names, World } from './world.js'

describe('a stop', () => {
  test('waits for the webhook in progress and counts it', async () => {
    const world = await World.open()
    const sink = await openSink(() => 'silence')
    const subscription = await world.subscribe(sink.url)
    const dispatcher = await world.dispatch()
    await world.record(['m1', 'm2'])
    await sink.arrived(1)
    const stopped = dispatcher.stop()
    world.clock.advance(4999)
    sink.answer(ok)
    await stopped
    expect(sink.messages()).toEqual(['m1'])
    expect(await world.read(subscription)).toMatchObject({ triggered: 1, cursor: 1 })
    expect(world.clock.pending).toBe(0)
  })

  test('aborts a webhook that takes longer, and the next start sends it again', async () => {
    const world = await World.open()
    const sink = await openSink(nth => (nth === 3 ? 'silence' : ok))
    const subscription = await world.subscribe(sink.url)
    const dispatcher = await world.dispatch()
    await world.record(names('m', 5))
    await sink.arrived(3)
    const stopped = dispatcher.stop()
    world.clock.advance(5000)
    await stopped
    expect(await world.read(subscription)).toMatchObject({ triggered: 2 })
    expect(await world.read(subscription)).not.toHaveProperty('trying')
    await world.reopen()
    await (await world.dispatch()).idle()
    expect(sink.messages()).toEqual(['m1', 'm2', 'm3', 'm3', 'm4', 'm5'])
    expect(await world.read(subscription)).toMatchObject({ triggered: 5 })
  })

  test('cancels the timer of a retry, and the next start sets it again', async () => {
    const world = await World.open()
    const sink = await openSink(nth => (nth <= 2 ? reply(500) : ok))
    const subscription = await world.subscribe(sink.url)
    const first = await world.dispatch()
    await world.record(['m1', 'm2'])
    await first.idle()
    world.clock.next()
    await first.idle()
    await first.stop()
    expect(world.clock.pending).toBe(0)
    await world.reopen()
    const second = await world.dispatch()
    await second.idle()
    world.clock.advance(4999)
    await second.idle()
    expect(sink.messages()).toEqual(['m1', 'm1'])
    world.clock.advance(1)
    await second.idle()
    expect(sink.messages()).toEqual(['m1', 'm1', 'm1', 'm2'])
    expect(await world.read(subscription)).toMatchObject({ triggered: 2 })
  })

  test('ends the watch on the store', async () => {
    const world = await World.open()
    const { accounts, subscriptions, events, workerLeases, watch } = world.store
    let watching = 0
    const store = {
      accounts,
      subscriptions,
      events,
      workerLeases,
      watch: (listener: Parameters<typeof watch>[0]) => {
        watching += 1
        const unwatch = watch(listener)
        return () => {
          watching -= 1
          unwatch()
        }
      },
    }
    const dispatcher = await world.dispatch({ store })
    expect(watching).toBe(1)
    await dispatcher.stop()
    expect(watching).toBe(0)
  })
})

describe('a store that cannot record', () => {
  async function openFailing(failures: number) {
    const world = await World.open()
    const { subscriptions } = world.store
    const errors: string[] = []
    let left = failures
    const store: DeliveryStore = {
      accounts: world.store.accounts,
      workerLeases: world.store.workerLeases,
      events: world.store.events,
      watch: listener => world.store.watch(listener),
      subscriptions: {
        get: id => subscriptions.get(id),
        list: account => subscriptions.list(account),
        create: draft => subscriptions.create(draft),
        remove: id => subscriptions.remove(id),
        listAbandoned: before => subscriptions.listAbandoned(before),
        listBacklogs: () => subscriptions.listBacklogs(),
        change: async (id, decide) => {
          if (left === 0) return await subscriptions.change(id, decide)
          left -= 1
          throw new RelayError('unavailable', 'The disk is full.')
        },
      },
    }
    const sent: string[] = []
    const send: SendWebhook = async request => {
      sent.push(request.target)
      return { ok: true, status: 200 }
    }
    const failed = createSignal()
    const onError = (error: unknown): void => {
      errors.push(String(error))
      failed.notify()
    }
    const dispatcher = await world.dispatch({ store, send, onError: onError })
    return { world, sent, errors, failed, dispatcher }
  }

  test('is tried again, and no other webhook is sent in the meantime', async () => {
    const { world, sent, errors, failed, dispatcher } = await openFailing(4)
    const subscription = await world.subscribe('http://h/')
    await world.record(['m1', 'm2'])
    for (const wait of [250, 500, 1000, 2000]) {
      await failed.next()
      expect(sent).toEqual(['/?message%5Bid%5D=m1'])
      expect(world.clock.pending).toBe(1)
      world.clock.advance(wait)
    }
    await dispatcher.idle()
    expect(sent).toEqual(['/?message%5Bid%5D=m1', '/?message%5Bid%5D=m2'])
    expect(errors).toHaveLength(4)
    expect(await world.read(subscription)).toMatchObject({ triggered: 2 })
  })

  test('does not prevent a stop', async () => {
    const { world, sent, failed, dispatcher } = await openFailing(Number.POSITIVE_INFINITY)
    await world.subscribe('http://h/')
    await world.record(['m1', 'm2'])
    await failed.next()
    await dispatcher.stop()
    expect(sent).toHaveLength(1)
    expect(world.clock.pending).toBe(0)
  })
})

/** Waits for something that may have happened already. */
function createSignal() {
  let count = 0
  let waiting: (() => void) | undefined
  return {
    notify(): void {
      count += 1
      waiting?.()
    },
    async next(): Promise<void> {
      if (count === 0) await new Promise<void>(resolve => (waiting = resolve))
      waiting = undefined
      count -= 1
      // The delay after it starts in the same turn.
      await new Promise(resolve => setImmediate(resolve))
    },
  }
}
