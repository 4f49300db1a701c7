import { expect, test } from 'vitest'
import type { SubscriptionEvents } from '../../../../../src/server/store/subscription-store.js'
import { draftWith } from '../../rig.js'
import { openMigratedDatabase, runSql } from '../test-postgres.js'
import { openRecords } from './records-rig.js'

/** Two accounts with 40 events each, every second one a `message.create`. */
async function openWithEvents() {
  const url = await openMigratedDatabase()
  const { stores } = openRecords(url)
  await stores.subscriptions.create(draftWith('s1'))
  await runSql(
    url,
    `insert into event (account, name, seq, object, at)
      select account, 1 + n % 2, n, account || n, n
      from generate_series(1, 40) n, unnest('{a,b}'::text[]) account`,
  )
  return stores.subscriptions
}

test('a decision finds any event of its subscription, however far it is', async () => {
  const subscriptions = await openWithEvents()
  const seen: (number | undefined)[] = []
  let runs = 0
  const look = ({ next, previous }: SubscriptionEvents): void => {
    runs += 1
    seen.splice(0)
    for (const seq of [0, 2, 19, 39]) seen.push(next(seq)?.seq)
    for (const seq of [1, 2, 31, 99]) seen.push(previous(seq)?.seq)
  }
  await subscriptions.change('s1', (found, events) => {
    look({ next: seq => events.next(seq), previous: seq => events.previous(seq) })
    return { ...found, cursor: 20 }
  })
  expect(seen).toEqual([2, 4, 20, 40, undefined, undefined, 30, 40])
  expect(runs).toBeGreaterThan(1)
  await subscriptions.change('s1', (found, events) => {
    expect(events.next(20)).toEqual({
      ...{ seq: 22, account: 'a', event: 'message.create', message: 'a22', at: 22 },
    })
    expect(events.next(40)).toBeUndefined()
    return found
  })
  expect((await subscriptions.get('s1'))?.cursor).toBe(20)
})

test('the usual decision of a worker reads its events with the subscription', async () => {
  const subscriptions = await openWithEvents()
  let runs = 0
  await subscriptions.change('s1', (found, events) => {
    runs += 1
    return { ...found, cursor: events.next(found.cursor)?.seq ?? 0 }
  })
  expect(runs).toBe(1)
  expect((await subscriptions.get('s1'))?.cursor).toBe(2)
})
