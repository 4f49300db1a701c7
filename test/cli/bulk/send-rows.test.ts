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
import { FakeClock } from '../../util/async/fake-clock.js'

const head = { digest: 'd', began: '2026-11-21T00:00:00.000Z' }

/** Creates a job whose first row was tried at time 0, and options that send at this time. */
async function createSending(now: number, more: Partial<RowsSendOptions> = {}) {
  const folder = join(await temporaryFolder(), 'job')
  const before = await BulkJob.open(folder, 'name')
  await before.start(head)
  await before.recordTry('row 1', 0)
  await before.close()
  const job = await BulkJob.open(folder, 'name')
  onTestFinished(async () => await job.close())
  await job.resume(head.digest)
  const clock = new FakeClock({ start: now })
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
    job,
    clock,
    random: () => 0,
    concurrency: 3,
    resendUnknown: false,
    requestRate: new RequestRate(undefined, clock),
    signal: new AbortController().signal,
    forceSignal: new AbortController().signal,
    onOutage: () => {},
    onRow: result => results.push(result),
    ...more,
  }
  return { options, keys, results, job }
}

async function* createRows(count: number): AsyncGenerator<BulkRow> {
  for (let row = 1; row <= count; row += 1) {
    const draft = { destination: '5551212', message: `text ${row}` }
    yield { row, line: row + 1, draft, identity: `row ${row}`, problems: [] }
  }
}

test('a row that was tried before is retried with its key while that is valid', async () => {
  const { options, keys, results, job } = await createSending(keyLifetime)
  await sendRows(createRows(1), options)
  expect([keys, results[0]?.status]).toEqual([[job.getIdempotencyKey('row 1')], 'accepted'])
})

test('after its key has expired, the row is unknown and is sent only on request', async () => {
  const { options, keys, results } = await createSending(keyLifetime + 1)
  await sendRows(createRows(2), options)
  expect(results.map(each => [each.row, each.status]).sort()).toEqual([
    [1, 'unknown'],
    [2, 'accepted'],
  ])
  await sendRows(createRows(1), { ...options, resendUnknown: true })
  expect(keys.length).toBe(2)
})

test('an error that concerns all rows is thrown after the rows in progress', async () => {
  const { options, results } = await createSending(1)
  const sent: string[] = []
  const create = async (draft: { message: string }): Promise<MessageFields> => {
    await new Promise(resolve => setImmediate(resolve))
    if (draft.message === 'text 2') throw new RelayError('invalid_token', 'ended')
    sent.push(draft.message)
    return { id: draft.message, status: 'N' } as MessageFields
  }
  const sending = sendRows(createRows(1000), { ...options, client: { messages: { create } } })
  await expect(sending).rejects.toMatchObject({ code: 'invalid_token' })
  expect(results.length).toBe(sent.length)
  expect(sent.length).toBeLessThan(20)
})

test('as many rows as requested are in progress, and none starts after a stop', async () => {
  const stop = new AbortController()
  const { options, results } = await createSending(1, { signal: stop.signal })
  let waiting: (() => void)[] = []
  const create = async (draft: { message: string }): Promise<MessageFields> => {
    await new Promise<void>(resolve => {
      waiting.push(resolve)
      if (waiting.length < 3) return
      if (results.length >= 9) stop.abort()
      for (const finish of waiting) finish()
      waiting = []
    })
    return { id: draft.message, status: 'N' } as MessageFields
  }
  await sendRows(createRows(1000), { ...options, client: { messages: { create } } })
  expect(results.length).toBe(12)
})
