import { expect, test } from 'vitest'
import type { Delivery } from '../../../../src/domain/webhook/delivery.js'
import type { DeliveryLogQuery } from '../../../../src/server/store/delivery-log-store.js'
import type { Store } from '../../../../src/server/store/store.js'
import { createUuidGenerator } from '../../../../src/util/crypto/uuid-v7.js'
import { accountWith, deliveryWith, draftWith, start } from '../rig.js'
import type { CreateDatabase } from './test-database.js'

const day = 24 * 60 * 60 * 1000
const all: DeliveryLogQuery = { count: 100, failed: false }

export function testDeliveryLog(createDatabase: CreateDatabase): void {
  async function open() {
    const database = await createDatabase()
    const store = await database.open()
    await store.accounts.create(accountWith('a'))
    for (const id of ['s1', 's2']) await store.subscriptions.create(draftWith(id))
    let time = start
    const createId = createUuidGenerator(() => time)
    const record = (seq: number, at = start, changes: Partial<Delivery> = {}): Delivery => {
      time = at
      const delivery = deliveryWith({ id: createId(), seq, at, ...changes })
      store.deliveryLog.record(delivery)
      return delivery
    }
    return { database, store, record }
  }

  const listSeqs = async (store: Store, query: Partial<DeliveryLogQuery> = {}, id = 's1') =>
    (await store.deliveryLog.list(id, { ...all, ...query })).map(each => each.seq)

  test('deliveries are listed by subscription, the newest first, after a restart', async () => {
    const { database, store, record } = await open()
    const first = record(1)
    const failure = { ok: false, status: 500, error: 'no', reply: '"\u0000é\n' }
    const second = record(2, start + 1, failure)
    const other = record(3, start, { subscription: 's2' })
    await store.close()
    const again = await database.open()
    expect(await again.deliveryLog.list('s1', all)).toEqual([second, first])
    expect(await again.deliveryLog.list('s2', all)).toEqual([other])
    expect(await again.deliveryLog.list('s3', all)).toEqual([])
  })

  test('pages go back over days and have each delivery once', async () => {
    const { store, record } = await open()
    const recorded = Array.from({ length: 25 }, (_, n) => record(n + 1, start + n * 0.3 * day))
    const found: number[] = []
    let before: string | undefined
    for (;;) {
      const page = await store.deliveryLog.list('s1', { count: 4, failed: false, before })
      found.push(...page.map(each => each.seq))
      before = page.at(-1)?.id
      if (page.length < 4) break
    }
    expect(found).toEqual(recorded.map(each => each.seq).reverse())
  })

  test('failed deliveries are found among the others', async () => {
    const { store, record } = await open()
    for (let seq = 1; seq <= 30; seq += 1) record(seq, start + seq, { ok: seq % 10 !== 0 })
    expect(await listSeqs(store, { count: 2, failed: true })).toEqual([30, 20])
  })

  test('deliveries before the day of a time are deleted', async () => {
    const { store, record } = await open()
    record(1, start - 3 * day)
    record(2, start - 2 * day)
    record(3)
    expect(await listSeqs(store)).toEqual([3, 2, 1])
    await store.deliveryLog.purge(start - 2 * day)
    expect(await listSeqs(store)).toEqual([3, 2])
  })

  test('deliveries are deleted with their subscription and their account', async () => {
    const { store, record } = await open()
    record(1)
    record(1, start, { subscription: 's2' })
    expect(await listSeqs(store)).toEqual([1])
    await store.subscriptions.remove('s1')
    record(2)
    expect(await listSeqs(store)).toEqual([])
    expect(await listSeqs(store, {}, 's2')).toEqual([1])
    await store.accounts.remove('a')
    expect(await listSeqs(store, {}, 's2')).toEqual([])
  })
}
