import { appendFile, mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { Delivery } from '../../../../src/domain/webhook/delivery.js'
import type { DeliveryLogQuery } from '../../../../src/server/store/delivery-log-store.js'
import { createUuidGenerator } from '../../../../src/util/crypto/uuid-v7.js'
import { accountWith, draftWith, newFolder, openStore, start } from '../rig.js'

const day = 24 * 60 * 60 * 1000
const all: DeliveryLogQuery = { count: 100, failed: false }

async function open() {
  const folder = await newFolder()
  const told: string[] = []
  const store = await openStore(folder, { warn: sentence => told.push(sentence) })
  await store.subscriptions.create(draftWith('s1'))
  await store.subscriptions.create(draftWith('s2'))
  let time = start
  const newId = createUuidGenerator(() => time)
  const record = (seq: number, at = start, changes: Partial<Delivery> = {}): Delivery => {
    time = at
    const delivery = deliveryWith({ id: newId(), seq, at, ...changes })
    store.deliveryLog.record(delivery)
    return delivery
  }
  return { folder, store, told, record }
}

function deliveryWith(changes: Partial<Delivery>): Delivery {
  return {
    ...{ id: 'd', subscription: 's1', seq: 1, event: 'message.create', message: 'm' },
    ...{ attempt: 1, at: start, ms: 3, ok: true, dead: false, resend: false, reply: 'fine\n' },
    ...changes,
  }
}

test('attempts are listed as they were recorded, the newest first, for each subscription', async () => {
  const { store, record } = await open()
  const first = record(1)
  const second = record(2, start + 1, { ok: false, status: 500, error: 'no', reply: '"\u0000é\n' })
  const other = record(3, start, { subscription: 's2' })
  expect(await store.deliveryLog.list('s1', all)).toEqual([second, first])
  expect(await store.deliveryLog.list('s2', all)).toEqual([other])
  expect(await store.deliveryLog.list('s3', all)).toEqual([])
})

test('pages go back over days, each attempt once', async () => {
  const { store, record } = await open()
  const made = Array.from({ length: 25 }, (_, n) => record(n + 1, start + n * 0.3 * day))
  const found: number[] = []
  let before: string | undefined
  for (;;) {
    const page = await store.deliveryLog.list('s1', { count: 4, failed: false, before })
    found.push(...page.map(each => each.seq))
    before = page.at(-1)?.id
    if (page.length < 4) break
  }
  expect(found).toEqual(made.map(each => each.seq).reverse())
})

test('the failed ones are found among the others', async () => {
  const { store, record } = await open()
  for (let seq = 1; seq <= 30; seq += 1) record(seq, start + seq, { ok: seq % 10 !== 0 })
  const found = await store.deliveryLog.list('s1', { count: 2, failed: true })
  expect(found.map(each => each.seq)).toEqual([30, 20])
})

test('they outlive a restart, and a line that was cut short spoils no other', async () => {
  const { folder, store, record } = await open()
  const first = record(1)
  await store.close()
  const file = join(folder, 'deliveries', 's1', '2023-11-14.ndjson')
  await appendFile(file, '{"id":"torn","se')
  const again = await openStore(folder)
  const second = deliveryWith({ id: 'later', seq: 2 })
  again.deliveryLog.record(second)
  expect(await again.deliveryLog.list('s1', all)).toEqual([second, first])
})

test('days before the given one are removed, and what belongs to no subscription', async () => {
  const { folder, store, record } = await open()
  record(1, start - 3 * day)
  record(2, start - 2 * day)
  record(3)
  await mkdir(join(folder, 'deliveries', 'gone'), { recursive: true })
  await store.deliveryLog.list('s1', all)
  await store.deliveryLog.purge(start - 2 * day)
  const left = await store.deliveryLog.list('s1', all)
  expect(left.map(each => each.seq)).toEqual([3, 2])
  expect(await readdir(join(folder, 'deliveries'))).toEqual(['s1'])
})

test('they go with their subscription, and with its account', async () => {
  const { folder, store, record } = await open()
  record(1)
  record(1, start, { subscription: 's2' })
  await store.deliveryLog.list('s1', all)
  expect((await readdir(join(folder, 'deliveries'))).sort()).toEqual(['s1', 's2'])
  await store.subscriptions.remove('s1')
  record(2)
  expect(await store.deliveryLog.list('s1', all)).toEqual([])
  expect(await readdir(join(folder, 'deliveries'))).toEqual(['s2'])
  await store.accounts.create(accountWith('a'))
  await store.accounts.remove('a')
  await store.deliveryLog.list('s2', all)
  expect(await readdir(join(folder, 'deliveries'))).toEqual([])
})

test('what cannot be written is left out and said once, until it can be again', async () => {
  const { folder, store, told, record } = await open()
  await writeFile(join(folder, 'deliveries'), 'in the way')
  for (const seq of [1, 2]) {
    record(seq)
    await expect(store.deliveryLog.list('s1', all)).rejects.toThrow('ENOTDIR')
  }
  expect(told).toEqual([expect.stringContaining('cannot be logged')])
  await rm(join(folder, 'deliveries'))
  const third = record(3)
  expect(await store.deliveryLog.list('s1', all)).toEqual([third])
})

test('they are written without anybody asking', async () => {
  const { folder, record } = await open()
  record(1)
  const file = join(folder, 'deliveries', 's1', '2023-11-14.ndjson')
  await expect.poll(async () => (await stat(file)).size, { timeout: 5000 }).toBeGreaterThan(10)
})

test.skipIf(process.platform === 'win32')('only the owner may read them', async () => {
  const mask = process.umask(0)
  onTestFinished(() => void process.umask(mask))
  const { folder, store, record } = await open()
  record(1)
  await store.deliveryLog.list('s1', all)
  const modes = ['deliveries', 'deliveries/s1', 'deliveries/s1/2023-11-14.ndjson'].map(
    async name => (await stat(join(folder, name))).mode & 0o777,
  )
  expect(await Promise.all(modes)).toEqual([0o700, 0o700, 0o600])
})

test('an identifier that is no name of a file has no log', async () => {
  const { folder, store } = await open()
  await store.subscriptions.create(draftWith('../up'))
  store.deliveryLog.record(deliveryWith({ subscription: '../up' }))
  expect(await store.deliveryLog.list('../up', all)).toEqual([])
  expect(await readdir(join(folder, '..'))).not.toContain('up')
})
