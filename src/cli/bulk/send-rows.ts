import { setMaxListeners } from 'node:events'
import type { MessageClient } from '../../client/message-client.js'
import type { CreateResult } from '../../contract/message-batch-schema.js'
import type { BulkDraft, BulkRow } from '../../domain/bulk/bulk-table.js'
import { limits } from '../../domain/limits.js'
import { type ErrorCode, isRelayError, isTransient, RelayError } from '../../errors.js'
import { getBackoff } from '../../util/async/backoff.js'
import type { Clock } from '../../util/async/clock.js'
import { collectRows } from './bulk-rows.js'

/** Values of the JSON field `status` of a row; `refused` means rejected by the relay. */
export type RowStatus = 'accepted' | 'blocked' | 'refused' | 'invalid' | 'unknown'

export interface RowResult {
  readonly row: number
  readonly line: number
  readonly status: RowStatus
  readonly id?: string | undefined
  readonly destination: string
  readonly reasons?: readonly string[]
}

export interface RowsSendOptions {
  readonly client: { readonly messages: Pick<MessageClient, 'createBatch'> }
  readonly clock: Clock
  /** From 0 to 1: varies the delay before rows are sent again. */
  readonly random: () => number
  readonly createKey: (row: BulkRow) => string
  /** Rows a second; undefined for no limit. */
  readonly rate: number | undefined
  readonly concurrency: number
  readonly signal: AbortSignal
  /** Aborts requests in progress, too. */
  readonly forceSignal: AbortSignal
  readonly onRow: (result: RowResult) => void
  /** Called with each transient failure of the relay, and with undefined after a success. */
  readonly onOutage: (error: RelayError | undefined) => void
}

type StoppableOptions = RowsSendOptions & { readonly stop: AbortSignal }

interface KeyedRow {
  readonly row: BulkRow
  readonly key: string
}

/**
 * Milliseconds for which rows can be sent again with the same idempotency keys. The relay remembers
 * keys for 24 hours; clocks differ and requests take time.
 */
export const keyLifetime = 23 * 3_600_000

const retryDelays = { first: 500, max: 30_000 }
/** With a rate, a request has the rows of this many milliseconds. */
const rateInterval = 100

const rejectionCodes: readonly (ErrorCode | 'none')[] = [
  'invalid_parameter',
  'invalid_request',
  'payload_too_large',
]

/**
 * Sends bulk rows in batches, several at a time, and reports each result. When `signal` is aborted
 * or an error concerns all rows, the rows in progress are finished first; then the error is thrown.
 */
export async function sendRows(
  rows: AsyncGenerator<BulkRow>,
  options: RowsSendOptions,
): Promise<void> {
  const broken = new AbortController()
  const stop = AbortSignal.any([options.signal, broken.signal])
  setMaxListeners(0, stop)
  const rate = new RowRate(options.rate, options.clock)
  const batches = collectRows(rows, rate.rowsPerRequest)
  const runWorker = async (): Promise<void> => {
    try {
      while (!stop.aborted) {
        const { value: batch, done } = await batches.next()
        if (done === true) return
        await sendBatch(batch, rate, { ...options, stop })
      }
    } catch (error) {
      broken.abort()
      throw error
    }
  }
  const workers = await Promise.allSettled(Array.from({ length: options.concurrency }, runWorker))
  await batches.return(undefined)
  const failed = workers.find(each => each.status === 'rejected')
  if (failed !== undefined) throw failed.reason
}

/** Limits the rows that all workers send. Unused time does not allow a burst later. */
class RowRate {
  readonly #rate: number | undefined
  readonly #clock: Clock
  readonly rowsPerRequest: number
  #next = Number.NEGATIVE_INFINITY

  constructor(rate: number | undefined, clock: Clock) {
    this.#rate = rate
    this.#clock = clock
    const rows = Math.floor(((rate ?? Number.POSITIVE_INFINITY) * rateInterval) / 1000)
    this.rowsPerRequest = Math.min(limits.messageBatch, Math.max(1, rows))
  }

  async waitForTurn(rows: number, signal: AbortSignal): Promise<void> {
    if (this.#rate === undefined) return
    const now = this.#clock.monotonic()
    const turn = Math.max(now, this.#next)
    this.#next = turn + (1000 * rows) / this.#rate
    if (turn > now) await this.#clock.sleep(turn - now, signal)
  }
}

async function sendBatch(
  rows: readonly BulkRow[],
  rate: RowRate,
  options: StoppableOptions,
): Promise<void> {
  const { createKey, stop } = options
  for (const row of rows) {
    if (row.problems.length > 0) report(row, { status: 'invalid', reasons: row.problems }, options)
  }
  const valid = rows.filter(each => each.problems.length === 0)
  if (valid.length === 0) return
  await rate.waitForTurn(valid.length, stop)
  if (stop.aborted) return
  await createMessages(
    valid.map(row => ({ row, key: createKey(row) })),
    options,
  )
}

/** Creates the messages of rows in one request, or in parts if a proxy refuses its length. */
async function createMessages(rows: readonly KeyedRow[], options: StoppableOptions): Promise<void> {
  const { messages } = options.client
  const batch = rows.map(({ row, key }) => ({ ...(row.draft as BulkDraft), idempotency_key: key }))
  try {
    const results = await retryTransient(options, async signal => {
      const created = await messages.createBatch(batch, { minimal: true, signal })
      for (const result of created) throwTransient(result)
      return created
    })
    if (results === 'stopped') return
    for (const [at, { row }] of rows.entries()) {
      const result = results === 'unknown' ? unknownResult : toResult(results[at])
      report(row, result, options)
    }
  } catch (error) {
    if (!isRelayError(error, 'payload_too_large') || rows.length === 1) throw error
    const half = Math.ceil(rows.length / 2)
    await createMessages(rows.slice(0, half), options)
    await createMessages(rows.slice(half), options)
  }
}

/** A row beyond a limit of the account is sent again; rows that are accepted keep their results. */
function throwTransient({ error, error_description: reason = '' }: CreateResult): void {
  if (error === 'too_many_requests') throw new RelayError(error, reason)
}

type Result = Pick<RowResult, 'status' | 'id' | 'reasons'>

const unknownResult: Result = {
  status: 'unknown',
  reasons: [
    'it was tried for 23 hours and may be accepted; look for it with `smsrelay message list`',
  ],
}

function toResult(result: CreateResult | undefined): Result {
  const { id, message, error = 'none', error_description: reason = '' } = result ?? {}
  if (id !== undefined) return { status: 'accepted', id }
  if (message !== undefined) {
    return { status: message.status === 'B' ? 'blocked' : 'accepted', id: message.id }
  }
  if (rejectionCodes.some(code => code === error)) return { status: 'refused', reasons: [reason] }
  throw new RelayError('invalid_reply', `The relay answered a row with ${error}. ${reason}`)
}

function report({ row, line, draft }: BulkRow, result: Result, { onRow }: RowsSendOptions): void {
  onRow({ row, line, destination: draft.destination, ...result })
}

/**
 * Repeats a request after transient failures while its idempotency keys are valid; resolves to
 * `unknown` after that, and to `stopped` when it was stopped.
 */
async function retryTransient<T>(
  { clock, random, stop, forceSignal, onOutage }: StoppableOptions,
  send: (signal: AbortSignal) => Promise<T>,
): Promise<T | 'unknown' | 'stopped'> {
  const since = clock.now()
  for (let failures = 1; ; failures += 1) {
    if (clock.now() - since > keyLifetime) return 'unknown'
    try {
      const result = await send(forceSignal)
      onOutage(undefined)
      return result
    } catch (error) {
      if (forceSignal.aborted) return 'stopped'
      if (!isTransient(error)) throw error
      if (!stop.aborted) onOutage(error)
      const delay = getBackoff(failures, random(), retryDelays)
      await clock.sleep(Math.max(delay, (error.retryAfter ?? 0) * 1000), stop)
      if (stop.aborted) return 'stopped'
    }
  }
}
