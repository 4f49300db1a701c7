import { expect, test } from 'vitest'
import { DueMessageWaiters } from '../../../src/server/services/phones/due-message-waiters.js'
import {
  AccountListeners,
  hasEventsOrEnd,
} from '../../../src/server/services/webhooks/account-listeners.js'
import type { StoreChange } from '../../../src/server/store/store.js'
import { minute, second, World } from './world.js'

/** A store that reports nothing by itself, as for the changes of other nodes. */
async function openDeafStore() {
  const world = await World.open()
  const account = await world.account()
  const calls: { onChange: (change: StoreChange) => void; onGap: () => void }[] = []
  const watch: World['store']['watch'] = (onChange, onGap = () => {}) => {
    calls.push({ onChange, onGap })
    return () => {}
  }
  const change = (changed: Partial<StoreChange>): void => {
    const nothing = { messages: [], holders: [], events: [], subscriptions: [] }
    for (const { onChange } of calls) onChange({ ...nothing, account: account.id, ...changed })
  }
  const reportGap = (): void => {
    for (const { onGap } of calls) onGap()
  }
  return { world, account, store: { ...world.store, watch }, change, reportGap }
}

test.each(['hint', 'gap'])('a waiting NEXT asks again after a %s of another node', async kind => {
  const { world, account, store, change, reportGap } = await openDeafStore()
  const waiters = new DueMessageWaiters({ store, clock: world.clock })
  const waiting = waiters.wait(account.id, { holder: 't' }, world.clock.monotonic() + minute)
  await world.create(account)
  if (kind === 'gap') reportGap()
  else change({ foreign: { messages: true, subscriptions: false } })
  expect(await waiting).toBe(true)
})

test('a waiting NEXT asks again for messages of a node that died before its hint', async () => {
  const { world, account, store } = await openDeafStore()
  const waiters = new DueMessageWaiters({
    store: { ...store, isShared: true },
    clock: world.clock,
  })
  const waiting = waiters.wait(account.id, { holder: 't' }, world.clock.monotonic() + minute)
  await world.flush()
  await world.create(account)
  world.clock.advance(5 * second)
  expect(await Promise.race([waiting, world.flush().then(() => 'waits')])).toBe(true)
  waiters.close()
  expect(world.clock.pending).toBe(0)
})

test('an event stream looks again after an event or a gap of another node', async () => {
  const { world, account, store, change, reportGap } = await openDeafStore()
  const listener = new AccountListeners(store, world.clock, hasEventsOrEnd).add(account.id)
  const waitOnce = async (): Promise<boolean> => {
    listener.reset()
    const waiting = listener.wait(minute)
    change({ foreign: { messages: true, subscriptions: false } })
    await world.flush()
    if (world.clock.pending === 0) throw new Error('A change of messages ended the wait.')
    return await waiting
  }
  const after = async (report: () => void): Promise<boolean> => {
    const waiting = waitOnce()
    await world.flush()
    report()
    return await waiting
  }
  const foreign = { messages: true, subscriptions: false }
  expect(await after(() => change({ events: ['message.sent'], foreign }))).toBe(true)
  expect(await after(reportGap)).toBe(true)
})
