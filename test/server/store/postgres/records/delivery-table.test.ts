import { expect, test } from 'vitest'
import { createUuidGenerator } from '../../../../../src/util/crypto/uuid-v7.js'
import { deliveryWith, draftWith, start } from '../../rig.js'
import { connectToDatabase, openMigratedDatabase, runSql } from '../test-postgres.js'
import { openRecords } from './records-rig.js'

const hour = 60 * 60 * 1000
const all = { count: 1000, failed: false }

async function openLog(deliveryLogBytes: number) {
  const url = await openMigratedDatabase()
  const { stores } = openRecords(url, { deliveryLogBytes })
  await stores.subscriptions.create(draftWith('s1'))
  let time = start
  const createId = createUuidGenerator(() => time)
  const record = (seq: number, at: number): void => {
    time = at
    stores.deliveryLog.record(deliveryWith({ id: createId(), seq, at, reply: 'x'.repeat(800) }))
  }
  return { url, log: stores.deliveryLog, record }
}

test('a log above its size loses its oldest deliveries', async () => {
  const { log, record } = await openLog(20_000)
  for (let seq = 1; seq <= 50; seq += 1) {
    record(seq, start + seq * hour)
    if (seq % 10 === 0) await log.getState()
  }
  const { bytes, maxBytes, oldestAt = 0 } = await log.getState()
  expect(maxBytes).toBe(20_000)
  expect(bytes).toBeLessThanOrEqual(20_000)
  const left = await log.list('s1', all)
  expect(left.length).toBeGreaterThan(12)
  expect(left[0]?.seq).toBe(50)
  expect(left.at(-1)?.at).toBe(oldestAt)
  const size = left.reduce((sum, each) => sum + Buffer.byteLength(JSON.stringify(each)), 0)
  expect(bytes).toBe(size)
})

test('a database that refuses deliveries is a warning, and the log works again later', async () => {
  const url = await openMigratedDatabase()
  const warnings: string[] = []
  const { stores } = openRecords(url, { warn: sentence => warnings.push(sentence) })
  const { deliveryLog: log, subscriptions } = stores
  await subscriptions.create(draftWith('s1'))
  await runSql(url, 'alter table delivery rename to hidden')
  for (const id of ['1', '2']) {
    log.record(deliveryWith({ id }))
    await log.list('s1', all).catch(() => {})
  }
  expect(warnings).toHaveLength(1)
  expect(warnings[0]).toMatch('Deliveries cannot be logged')
  await runSql(url, 'alter table hidden rename to delivery')
  log.record(deliveryWith({ id: '3' }))
  expect((await log.list('s1', all)).map(({ id }) => id)).toEqual(['3'])
})

test('deliveries that are recorded faster than they are stored are dropped', async () => {
  const url = await openMigratedDatabase()
  const warnings: string[] = []
  const database = connectToDatabase(url)
  const { stores } = openRecords(url, { database, warn: sentence => warnings.push(sentence) })
  const reply = 'x'.repeat(1 << 20)
  for (let seq = 0; seq < 40; seq += 1) stores.deliveryLog.record(deliveryWith({ reply }))
  expect(warnings).toHaveLength(1)
})
