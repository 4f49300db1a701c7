import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { BulkJob } from '../../../src/cli/bulk/bulk-job.js'
import { RequestRate } from '../../../src/cli/bulk/request-rate.js'
import { keyLifetime } from '../../../src/cli/bulk/send-row.js'
import { type RowResult, type RowsSendOptions, sendRows } from '../../../src/cli/bulk/send-rows.js'
import type { MessageFields } from '../../../src/contract/message-schema.js'
import type { BulkRow } from '../../../src/domain/bulk/bulk-table.js'
import { RelayError } from '../../../src/errors.js'
import { temporaryFolder } from '../../temporary-folder.js'

const head = { digest: 'd', began: '2026-11-21T00:00:00.000Z' }

function row(at: number): BulkRow {
  const draft = { destination: '5551212', message: `text ${at}` }
  return { row: at, line: at + 1, draft, identity: `row ${at}`, problems: [] }
}

/** Rows of a job whose first row was tried at time 0. */
async function desk(now: number, more: Partial<RowsSendOptions> = {}) {
  const folder = join(await temporaryFolder(), 'job')
  const before = await BulkJob.open(folder, 'name')
  await before.start(head)
  await before.recordTry('row 1', 0)
  await before.close()
  const job = await BulkJob.open(folder, 'name')
  onTestFinished(async () => await job.close())
  await job.resume(head.digest)
  const keys: (string | undefined)[] = []
  const results: RowResult[] = []
  const options: RowsSendOptions = {
    client: {
      messages: {
        async create(_, call) {
          keys.push(call?.idempotencyKey)
          return { id: `m${keys.length}`, status: 'N' } as MessageFields
        },
      },
    },
    ...{ job, concurrency: 3, resendUnknown: false, random: () => 0 },
    ...{ clock: () => now, pause: async () => {}, onOutage: () => {} },
    requestRate: new RequestRate({ rate: undefined, now: () => 0, pause: async () => {} }),
    ...{ signal: new AbortController().signal, force: new AbortController().signal },
    onRow: result => results.push(result),
    ...more,
  }
  return { options, keys, results, job }
}

async function* table(count: number): AsyncGenerator<BulkRow> {
  for (let at = 1; at <= count; at += 1) yield row(at)
}

test('a row that was tried is tried again with its key for as long as that surely lasts', async () => {
  const { options, keys, results, job } = await desk(keyLifetime)
  await sendRows(table(1), options)
  expect([keys, results[0]?.status]).toEqual([[job.getIdempotencyKey('row 1')], 'accepted'])
})

test('after that it is listed as unknown, and sent on request', async () => {
  const { options, keys, results } = await desk(keyLifetime + 1)
  await sendRows(table(2), options)
  expect(results.map(each => [each.row, each.status]).sort()).toEqual([
    [1, 'unknown'],
    [2, 'accepted'],
  ])
  await sendRows(table(1), { ...options, resendUnknown: true })
  expect(keys.length).toBe(2)
})

test('what ends all rows is thrown after the rows in hand are settled', async () => {
  const { options, results } = await desk(1)
  const settled: string[] = []
  const create = async (draft: { message: string }): Promise<MessageFields> => {
    await new Promise(resolve => setImmediate(resolve))
    if (draft.message === 'text 2') throw new RelayError('invalid_token', 'ended')
    settled.push(draft.message)
    return { id: draft.message, status: 'N' } as MessageFields
  }
  const failing = { messages: { create } }
  const sent = sendRows(table(1000), { ...options, client: failing })
  await expect(sent).rejects.toMatchObject({ code: 'invalid_token' })
  expect(results.length).toBe(settled.length)
  expect(settled.length).toBeLessThan(20)
})

test('as many rows are in hand at once as asked for, and none is begun after the end', async () => {
  const end = new AbortController()
  const { options, results } = await desk(1, { signal: end.signal })
  let waiting: (() => void)[] = []
  const create = async (draft: { message: string }): Promise<MessageFields> => {
    await new Promise<void>(resolve => {
      waiting.push(resolve)
      if (waiting.length < 3) return
      if (results.length >= 9) end.abort()
      for (const go of waiting) go()
      waiting = []
    })
    return { id: draft.message, status: 'N' } as MessageFields
  }
  const slow = { messages: { create } }
  await sendRows(table(1000), { ...options, client: slow })
  expect(results.length).toBe(12)
})
