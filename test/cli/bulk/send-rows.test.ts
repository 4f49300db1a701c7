import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { BulkJob } from '../../../src/cli/bulk/bulk-job.js'
import { RequestRate } from '../../../src/cli/bulk/request-rate.js'
import { keyLifetime } from '../../../src/cli/bulk/send-row.js'
import { type RowResult, type RowsSendOptions, sendRows } from '../../../src/cli/bulk/send-rows.js'
import type { BatchMessage, CreateResult } from '../../../src/contract/message-batch-schema.js'
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
  await before.recordTries(['row 1'], 0)
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
        async createBatch(batch) {
          keys.push(...batch.map(each => each.idempotency_key))
          return acceptBatch(batch)
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

type Draft = Pick<BatchMessage, 'message'>

function acceptBatch(batch: readonly Draft[]): CreateResult[] {
  return batch.map(({ message }) => ({
    status: 200,
    message: { id: message, status: 'N' } as MessageFields,
  }))
}

function createOptions(
  options: RowsSendOptions,
  messages: Partial<RowsSendOptions['client']['messages']>,
): RowsSendOptions {
  return { ...options, client: { messages: { ...options.client.messages, ...messages } } }
}

async function* createRows(count: number, padding = ''): AsyncGenerator<BulkRow> {
  for (let row = 1; row <= count; row += 1) {
    const draft = { destination: '5551212', message: `text ${row}${padding}` }
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

test('rows are sent in batches, and each result is recorded', async () => {
  const { options, keys, results, job } = await createSending(1)
  await sendRows(createRows(2500), options)
  expect(keys.length).toBe(2500)
  expect(new Set(keys).size).toBe(2500)
  expect(results.map(each => each.row)).toEqual(Array.from({ length: 2500 }, (_, at) => at + 1))
  await job.close()
})

test('an error that concerns all rows is thrown after the batches in progress', async () => {
  const { options, results } = await createSending(1)
  let sent = 0
  const createBatch = async (batch: readonly Draft[]): Promise<CreateResult[]> => {
    await new Promise(resolve => setImmediate(resolve))
    if (batch[0]?.message === 'text 1001') throw new RelayError('invalid_token', 'ended')
    sent += batch.length
    return acceptBatch(batch)
  }
  const sending = sendRows(createRows(10_000), createOptions(options, { createBatch }))
  await expect(sending).rejects.toMatchObject({ code: 'invalid_token' })
  expect(results.length).toBe(sent)
  expect(sent).toBeLessThan(5000)
})

test('as many batches as requested are in progress, and none starts after a stop', async () => {
  const stop = new AbortController()
  const { options, results } = await createSending(1, { signal: stop.signal })
  let waiting: (() => void)[] = []
  const createBatch = async (batch: readonly Draft[]): Promise<CreateResult[]> => {
    await new Promise<void>(resolve => {
      waiting.push(resolve)
      if (waiting.length < 3) return
      if (results.length >= 9000) stop.abort()
      for (const finish of waiting) finish()
      waiting = []
    })
    return acceptBatch(batch)
  }
  await sendRows(createRows(100_000), createOptions(options, { createBatch }))
  expect(results.length).toBe(12_000)
})

test('a rejected row of a batch does not stop the others', async () => {
  const { options, results, job } = await createSending(1)
  const createBatch = async (batch: readonly Draft[]): Promise<CreateResult[]> =>
    acceptBatch(batch).map((result, at) =>
      at === 1 ? { status: 400, error: 'invalid_parameter', error_description: 'No.' } : result,
    )
  await sendRows(createRows(3), createOptions(options, { createBatch }))
  expect(results.map(each => [each.status, each.reasons])).toEqual([
    ['accepted', undefined],
    ['refused', ['No.']],
    ['accepted', undefined],
  ])
  expect(job.getFirstTry('row 2')).toBeUndefined()
})

test('a batch beyond a limit of the account is repeated until all is accepted', async () => {
  const waits: string[] = []
  const onOutage = (error?: RelayError) => {
    if (error !== undefined) waits.push(error.message)
  }
  const { options, results } = await createSending(1, { onOutage })
  const sleep = async (): Promise<void> => {}
  const { now, monotonic, after } = options.clock
  const clock = { now, monotonic, after, sleep }
  let requests = 0
  const createBatch = async (batch: readonly Draft[]): Promise<CreateResult[]> => {
    requests += 1
    const refused = { status: 429, error: 'too_many_requests', error_description: 'Later.' }
    return acceptBatch(batch).map((each, at) => (at < requests ? each : refused))
  }
  await sendRows(createRows(3), { ...createOptions(options, { createBatch }), clock })
  expect(results.map(({ status }) => status)).toEqual(['accepted', 'accepted', 'accepted'])
  expect(waits).toEqual(['Later.', 'Later.'])
})

test('rows are accepted by their ids alone, and by whole messages', async () => {
  const { options, results } = await createSending(1)
  const createBatch = async (): Promise<CreateResult[]> => [
    { status: 200, id: 'm1' },
    { status: 200, message: { id: 'm2', status: 'B' } as MessageFields },
  ]
  await sendRows(createRows(2), createOptions(options, { createBatch }))
  expect(results.map(({ status, id }) => [status, id])).toEqual([
    ['accepted', 'm1'],
    ['blocked', 'm2'],
  ])
})

test('a relay without batches gets one row in a request', async () => {
  const { options, keys, results } = await createSending(1)
  const createBatch = async (): Promise<never> => {
    throw new RelayError('method_not_allowed', 'no')
  }
  const { create } = options.client.messages
  await sendRows(createRows(2100), createOptions(options, { createBatch, create }))
  expect([keys.length, results.length]).toEqual([2100, 2100])
})

test('a batch that is too large for a proxy is sent in parts', async () => {
  const { options, results } = await createSending(1)
  const lengths: number[] = []
  const createBatch = async (batch: readonly Draft[]): Promise<CreateResult[]> => {
    lengths.push(batch.length)
    if (batch.length > 300) throw new RelayError('payload_too_large', 'no')
    return acceptBatch(batch)
  }
  await sendRows(createRows(1000), createOptions(options, { createBatch }))
  expect([lengths, results.length]).toEqual([[1000, 500, 250, 250, 500, 250, 250], 1000])
})

test('a batch of long texts has fewer rows', async () => {
  const { options, results } = await createSending(1)
  const lengths: number[] = []
  const createBatch = async (batch: readonly Draft[]): Promise<CreateResult[]> => {
    lengths.push(batch.length)
    return acceptBatch(batch)
  }
  await sendRows(createRows(300, 'x'.repeat(1600)), createOptions(options, { createBatch }))
  expect([Math.max(...lengths) < 150, results.length]).toEqual([true, 300])
})
