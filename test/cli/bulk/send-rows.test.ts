import { expect, test } from 'vitest'
import {
  keyLifetime,
  type RowResult,
  type RowsSendOptions,
  sendRows,
} from '../../../src/cli/bulk/send-rows.js'
import type { BatchMessage, CreateResult } from '../../../src/contract/message-batch-schema.js'
import type { MessageFields } from '../../../src/contract/message-schema.js'
import type { BulkRow } from '../../../src/domain/bulk/bulk-table.js'
import { RelayError } from '../../../src/errors.js'
import { FakeClock } from '../../util/async/fake-clock.js'

function createSending(more: Partial<RowsSendOptions> = {}) {
  const clock = new FakeClock({ start: 1, auto: true })
  const keys: (string | undefined)[] = []
  const results: RowResult[] = []
  const options: RowsSendOptions = {
    client: {
      messages: {
        async createBatch(batch) {
          keys.push(...batch.map(each => each.idempotency_key))
          return acceptBatch(batch)
        },
      },
    },
    clock,
    random: () => 0,
    createKey: ({ identity }) => `key of ${identity}`,
    concurrency: 3,
    rate: undefined,
    signal: new AbortController().signal,
    forceSignal: new AbortController().signal,
    onOutage: () => {},
    onRow: result => results.push(result),
    ...more,
  }
  return { options, keys, results, clock }
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
    const checked = { identity: `row ${row}`, problems: [], warnings: [] }
    yield { row, line: row + 1, draft, given: draft.message, ...checked }
  }
}

test('rows are sent in batches with their keys, and each result is reported', async () => {
  const { options, keys, results } = createSending()
  await sendRows(createRows(2500), options)
  const numbers = Array.from({ length: 2500 }, (_, at) => at + 1)
  expect(keys).toEqual(numbers.map(row => `key of row ${row}`))
  expect(results.map(each => each.row)).toEqual(numbers)
})

test('a transient error is retried after at least what the relay asks for', async () => {
  const { options, results, clock } = createSending()
  const times: number[] = []
  const createBatch = async (batch: readonly Draft[]): Promise<CreateResult[]> => {
    times.push(clock.now())
    if (times.length === 1) throw new RelayError('unavailable', 'no')
    if (times.length === 2) throw new RelayError('unavailable', 'no', { retryAfter: 60 })
    return acceptBatch(batch)
  }
  await sendRows(createRows(1), createOptions(options, { createBatch }))
  expect(results.map(each => each.status)).toEqual(['accepted'])
  const [first = 0, second = 0, third = 0] = times
  expect(second - first).toBeLessThan(1000)
  expect(third - second).toBeGreaterThanOrEqual(60_000)
})

test('a row that no try settled before its key ends has an unknown result', async () => {
  const { options, results, clock } = createSending()
  const start = clock.now()
  const createBatch = async (): Promise<never> => {
    throw new RelayError('unavailable', 'no', { retryAfter: 3600 })
  }
  await sendRows(createRows(1), createOptions(options, { createBatch }))
  expect(results.map(each => each.status)).toEqual(['unknown'])
  expect(clock.now() - start).toBeGreaterThan(keyLifetime)
})

test('all workers together keep the rate', async () => {
  const { options, clock } = createSending({ rate: 20 })
  const times: number[] = []
  const createBatch = async (batch: readonly Draft[]): Promise<CreateResult[]> => {
    times.push(clock.now())
    return acceptBatch(batch)
  }
  await sendRows(createRows(20), createOptions(options, { createBatch }))
  expect(times).toHaveLength(10)
  expect(Math.max(...times) - Math.min(...times)).toBe(900)
})

test('an error that concerns all rows is thrown after the batches in progress', async () => {
  const { options, results } = createSending()
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
  const { options, results } = createSending({ signal: stop.signal })
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
  const { options, results } = createSending()
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
})

test('a batch beyond a limit of the account is repeated until all is accepted', async () => {
  const waits: string[] = []
  const onOutage = (error?: RelayError) => {
    if (error !== undefined) waits.push(error.message)
  }
  const { options, results } = createSending({ onOutage })
  let requests = 0
  const createBatch = async (batch: readonly Draft[]): Promise<CreateResult[]> => {
    requests += 1
    const refused = { status: 429, error: 'too_many_requests', error_description: 'Later.' }
    return acceptBatch(batch).map((each, at) => (at < requests ? each : refused))
  }
  await sendRows(createRows(3), createOptions(options, { createBatch }))
  expect(results.map(({ status }) => status)).toEqual(['accepted', 'accepted', 'accepted'])
  expect(waits).toEqual(['Later.', 'Later.'])
})

test('rows are accepted by their ids alone, and by whole messages', async () => {
  const { options, results } = createSending()
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

test('a batch that is too large for a proxy is sent in parts', async () => {
  const { options, results } = createSending()
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
  const { options, results } = createSending()
  const lengths: number[] = []
  const createBatch = async (batch: readonly Draft[]): Promise<CreateResult[]> => {
    lengths.push(batch.length)
    return acceptBatch(batch)
  }
  await sendRows(createRows(300, 'x'.repeat(1600)), createOptions(options, { createBatch }))
  expect([Math.max(...lengths) < 150, results.length]).toEqual([true, 300])
})
