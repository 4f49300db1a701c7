import { expect, test } from 'vitest'
import { openLowdbStore } from '../../src/server/store/lowdb/lowdb-store.js'
import type { Store } from '../../src/server/store/store.js'
import { signInCaller } from '../conformance/calls.js'
import { FakeClock } from '../util/async/fake-clock.js'
import { newDirectory, openRelay } from './admin/rig.js'
import { draft, runRelay } from './running-relay.js'

const hour = 3_600_000

test('leases that ended are settled each second', async () => {
  const clock = new FakeClock()
  const { relay, api, phone } = await runRelay({ lease: 60 }, { clock })
  await relay.administration.changeAccount('ann@example.com', { mode: 'at-most-once' })
  const made = await api.post('/message', { message: draft })
  await phone.next()
  const path = `/message/${made.body.message.id}`
  await clock.pass(59_999)
  expect((await api.get(path)).body.message.status).toBe('N')
  await clock.pass(1001)
  await expect.poll(async () => (await api.get(path)).body.message.status).toBe('L')
})

test('the longest turn of the event loop is a metric', async () => {
  const { relay } = await runRelay()
  const getMetric = (name: string): number => relay.metrics()[name] ?? 0
  const { user, system } = process.cpuUsage()
  for (let used = 0; used < 150_000; ) {
    const now = process.cpuUsage({ user, system })
    used = now.user + now.system
  }
  await expect.poll(() => getMetric('event_loop_longest_turn_seconds')).toBeGreaterThan(0.08)
  // Under load an earlier turn can be long without computing.
  await expect.poll(() => getMetric('event_loop_longest_turn_cpu_seconds')).toBeGreaterThan(0.08)
})

test('messages and texts are deleted after the retention, and waiting messages stay', async () => {
  const clock = new FakeClock()
  const dataDir = await newDirectory()
  const relay = await openRelay(dataDir, { clock }, { retain: '1h' })
  await relay.start()
  const keys = await relay.administration.createAccount({ email: 'ann@example.com' })
  const api = await signInCaller(relay.url, keys.secret_key, keys.api_key)
  const phone = await signInCaller(relay.url, keys.secret_key, keys.app_key)
  const create = async (): Promise<string> =>
    (await api.post('/message', { message: draft })).body.message.id
  const sent = await create()
  await phone.next()
  await phone.put(`/message/${sent}/success`, { parts: 1 })
  const waiting = await create()
  const text = { from: '+12025550144', message: 'hello' }
  const received = await phone.post('/message/received', text)
  const { id: textId } = (received.body as unknown as { received: { id: string } }).received
  await clock.pass(hour - 1)
  expect((await api.get(`/message/${sent}`)).status).toBe(200)
  expect((await api.get(`/message/received/${textId}`)).status).toBe(200)
  const getStatus = async (path: string) => (await api.get(path)).status
  // A removal that is still running when the clock moves sets its next timer only afterwards.
  const getStatusAfterMinute = async (path: string) => {
    await clock.pass(60_000)
    return await getStatus(path)
  }
  await expect.poll(() => getStatusAfterMinute(`/message/${sent}`)).toBe(404)
  await expect.poll(() => getStatus(`/message/received/${textId}`)).toBe(404)
  await relay.stop()
  const again = await openRelay(dataDir, { clock })
  await again.start()
  const later = await signInCaller(again.url, keys.secret_key, keys.api_key)
  expect((await later.get(`/message/${sent}`)).body.error).toBe('not_a_message')
  expect((await later.get(`/message/${waiting}`)).status).toBe(200)
})

test('a subscription is removed when its listener made no contact for an hour', async () => {
  const clock = new FakeClock()
  const { api } = await runRelay({}, { clock })
  const fields = { event: 'message.create', url: 'http://127.0.0.1:9/', listener: 'laptop' }
  const { body } = await api.post('/subscription', fields)
  const path = `/subscription/${body.subscription.id}`
  await clock.pass(hour)
  expect((await api.get(path)).status).toBe(200)
  await clock.pass(60_000)
  await expect.poll(async () => (await api.get(path)).status).toBe(404)
})

test('phones are saved at once and each minute, and old counts are deleted each hour', async () => {
  const clock = new FakeClock()
  const { phones, deletions, openStore } = createRecordingStore()
  const { phone } = await runRelay({}, { openStore, clock })
  await phone.next({ headers: { 'x-phone-name': 'pixel' } })
  await expect.poll(() => phones).toEqual([expect.stringMatching(/ pixel$/)])
  expect(deletions).toHaveLength(1)
  await clock.pass(1000)
  await phone.next({ headers: { 'x-phone-name': 'pixel' } })
  await clock.pass(58_999)
  expect(phones).toHaveLength(1)
  await clock.pass(1)
  await expect.poll(() => phones).toHaveLength(2)
  await clock.pass(59 * 60_000)
  expect(phones).toHaveLength(2)
  expect(deletions).toHaveLength(2)
})

test('phones are saved each ten seconds in a store that other nodes share', async () => {
  const clock = new FakeClock()
  const { phones, openStore } = createRecordingStore({ isShared: true })
  const { phone } = await runRelay({}, { openStore, clock })
  await phone.next({ headers: { 'x-phone-name': 'pixel' } })
  await expect.poll(() => phones).toHaveLength(1)
  await clock.pass(1000)
  await phone.next({ headers: { 'x-phone-name': 'pixel' } })
  await clock.pass(8999)
  expect(phones).toHaveLength(1)
  await clock.pass(1)
  await expect.poll(() => phones).toHaveLength(2)
})

/** A store that records which phones are written and when counts are deleted. */
function createRecordingStore(changes: Partial<Pick<Store, 'isShared'>> = {}) {
  const phones: string[] = []
  const deletions: number[] = []
  const openStore = async (directory: string): Promise<Store> => {
    const store = await openLowdbStore(directory)
    const change: typeof store.phones.change = async (id, decide) => {
      phones.push(id)
      return await store.phones.change(id, decide)
    }
    const forget = async (before: number): Promise<void> => {
      deletions.push(before)
      await store.statistics.deleteBefore(before)
    }
    return {
      ...store,
      ...changes,
      phones: {
        change,
        get: async id => await store.phones.get(id),
        list: async account => await store.phones.list(account),
        count: async account => await store.phones.count(account),
      },
      statistics: {
        deleteBefore: forget,
        countGroups: async query => await store.statistics.countGroups(query),
        getCounts: async (account, spans) => await store.statistics.getCounts(account, spans),
      },
    }
  }
  return { phones, deletions, openStore }
}
