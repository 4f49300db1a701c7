import { appendFile, mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { DeliveryLogQuery } from '../../../../src/server/store/delivery-log-store.js'
import { monitorTurns } from '../../../../src/util/async/turn-monitor.js'
import { temporaryFolder } from '../../../temporary-folder.js'
import { deliveryWith, draftWith, start } from '../rig.js'
import { openStore } from './lowdb-rig.js'

const day = 24 * 60 * 60 * 1000
const all: DeliveryLogQuery = { count: 100, failed: false }
const fileOfDay = 'deliveries/s1/2023-11-14.ndjson'

async function open() {
  const folder = await temporaryFolder()
  const warnings: string[] = []
  const store = await openStore(folder, { warn: sentence => warnings.push(sentence) })
  for (const id of ['s1', 's2']) await store.subscriptions.create(draftWith(id))
  return { folder, store, warnings, log: store.deliveryLog }
}

test('a torn line is skipped, and the next delivery is on a line of its own', async () => {
  const { folder, store, log } = await open()
  const first = deliveryWith({ id: 'd1', seq: 1 })
  log.record(first)
  await store.close()
  await appendFile(join(folder, fileOfDay), '{"id":"torn","se')
  const { deliveryLog } = await openStore(folder)
  const second = deliveryWith({ id: 'd2', seq: 2 })
  deliveryLog.record(second)
  expect(await deliveryLog.list('s1', all)).toEqual([second, first])
})

test('a purge also deletes logs without a subscription', async () => {
  const { folder, log } = await open()
  log.record(deliveryWith({}))
  await mkdir(join(folder, 'deliveries', 'unknown'), { recursive: true })
  await log.list('s1', all)
  await log.purge(start - 2 * day)
  expect(await readdir(join(folder, 'deliveries'))).toEqual(['s1'])
})

test('the files of a removed subscription are deleted', async () => {
  const { folder, store, log } = await open()
  for (const subscription of ['s1', 's2']) log.record(deliveryWith({ subscription }))
  await log.list('s1', all)
  expect((await readdir(join(folder, 'deliveries'))).sort()).toEqual(['s1', 's2'])
  await store.subscriptions.remove('s1')
  await log.list('s1', all)
  expect(await readdir(join(folder, 'deliveries'))).toEqual(['s2'])
})

test('one warning reports that the log cannot be written; it works again afterwards', async () => {
  const { folder, log, warnings } = await open()
  await writeFile(join(folder, 'deliveries'), 'not a directory')
  for (const seq of [1, 2]) {
    log.record(deliveryWith({ seq }))
    await expect(log.list('s1', all)).rejects.toMatchObject({ code: 'ENOTDIR' })
  }
  expect(warnings).toEqual([expect.stringContaining(join(folder, 'deliveries'))])
  await rm(join(folder, 'deliveries'))
  const third = deliveryWith({ seq: 3 })
  log.record(third)
  expect(await log.list('s1', all)).toEqual([third])
})

test('deliveries are written without a call of list', async () => {
  const { folder, log } = await open()
  log.record(deliveryWith({}))
  const file = join(folder, fileOfDay)
  await expect.poll(async () => (await stat(file)).size).toBeGreaterThan(10)
})

test.skipIf(process.platform === 'win32')('only the owner may read the files', async () => {
  const mask = process.umask(0)
  onTestFinished(() => void process.umask(mask))
  const { folder, log } = await open()
  log.record(deliveryWith({}))
  await log.list('s1', all)
  const modes = ['deliveries', 'deliveries/s1', fileOfDay].map(
    async name => (await stat(join(folder, name))).mode & 0o777,
  )
  expect(await Promise.all(modes)).toEqual([0o700, 0o700, 0o600])
})

test('a subscription whose identifier is not a file name has no log', async () => {
  const { folder, store, log } = await open()
  await store.subscriptions.create(draftWith('../up'))
  log.record(deliveryWith({ subscription: '../up' }))
  expect(await log.list('../up', all)).toEqual([])
  expect(await readdir(join(folder, '..'))).not.toContain('up')
})

describe('a log above its size', () => {
  const maxBytes = 64 * 1024
  const reply = 'x'.repeat(1000)

  async function openSmall() {
    const folder = await temporaryFolder()
    const store = await openStore(folder, { deliveryLogBytes: maxBytes })
    for (const id of ['s1', 's2']) await store.subscriptions.create(draftWith(id))
    const record = (subscription: string, seq: number, at: number): void => {
      const id = `d${String(seq).padStart(6, '0')}`
      store.deliveryLog.record(deliveryWith({ id, subscription, seq, at, reply }))
    }
    return { folder, store, record, log: store.deliveryLog }
  }

  test('loses the oldest entries of all subscriptions, and reports its oldest one', async () => {
    const { record, log } = await openSmall()
    for (let seq = 1; seq <= 30; seq += 1) record('s1', seq, start - day + seq)
    for (let seq = 31; seq <= 90; seq += 1) record('s2', seq, start + seq)
    const [old, recent] = [await log.list('s1', all), await log.list('s2', all)]
    expect(old).toEqual([])
    expect(recent[0]?.seq).toBe(90)
    const oldest = recent.at(-1)
    expect(oldest?.seq).toBeGreaterThan(31)
    const { bytes, oldestAt } = await log.getState()
    expect(oldestAt).toBe(oldest?.at)
    expect(bytes).toBeGreaterThan(maxBytes / 2)
    expect(bytes).toBeLessThanOrEqual(maxBytes)
  })

  test('deletes after a restart what it had before, and counts the same', async () => {
    const { folder, store, record } = await openSmall()
    for (let seq = 1; seq <= 40; seq += 1) record('s1', seq, start + seq)
    const before = await store.deliveryLog.getState()
    await store.close()
    const again = await openStore(folder, { deliveryLogBytes: maxBytes })
    expect(await again.deliveryLog.getState()).toEqual(before)
    for (let seq = 41; seq <= 100; seq += 1) {
      again.deliveryLog.record(deliveryWith({ id: `d${seq}`, seq, at: start + day + seq, reply }))
    }
    const seqs = (await again.deliveryLog.list('s1', all)).map(({ seq }) => seq)
    expect(seqs.slice(0, 2)).toEqual([100, 99])
    expect(Math.min(...seqs)).toBeGreaterThan(40)
  })

  test('without entries has no oldest one', async () => {
    const { log } = await openSmall()
    expect(await log.getState()).toEqual({ bytes: 0, maxBytes })
  })

  test('is deleted without a turn of the event loop of more than 20 ms', async () => {
    const folder = await temporaryFolder()
    for (let nth = 0; nth < 20; nth += 1) {
      await mkdir(join(folder, 'deliveries', `s${nth}`), { recursive: true })
      for (let file = 1; file <= 100; file += 1) {
        const name = `2023-11-14.${String(file).padStart(4, '0')}.ndjson`
        await writeFile(join(folder, 'deliveries', `s${nth}`, name), reply)
      }
    }
    const store = await openStore(folder, { deliveryLogBytes: maxBytes })
    for (let nth = 0; nth < 20; nth += 1) await store.subscriptions.create(draftWith(`s${nth}`))
    const turns: number[] = []
    const monitor = monitorTurns(({ computed }) => turns.push(computed), 1)
    monitor.start()
    store.deliveryLog.record(deliveryWith({ subscription: 's1', at: start }))
    expect((await store.deliveryLog.getState()).bytes).toBeLessThanOrEqual(maxBytes)
    await monitor.stop()
    expect(turns.length).toBeGreaterThan(0)
    expect(turns.toSorted((a, b) => a - b).at(-2)).toBeLessThanOrEqual(20)
  })
})
