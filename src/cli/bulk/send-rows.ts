import { setMaxListeners } from 'node:events'
import type { BulkRow } from '../../domain/bulk/bulk-table.js'
import type { BulkJob } from './bulk-job.js'
import type { RequestRate } from './request-rate.js'
import { keyLifetime, type RowSendOptions, sendRow } from './send-row.js'

/** Values of the JSON field `status` of a bulk row; `refused` means rejected by the relay. */
export type RowStatus = 'accepted' | 'blocked' | 'skipped' | 'refused' | 'invalid' | 'unknown'

export interface RowResult {
  readonly row: number
  readonly line: number
  readonly status: RowStatus
  readonly id?: string
  readonly destination: string
  readonly reasons?: readonly string[]
}

export interface RowsSendOptions extends Omit<RowSendOptions, 'stop'> {
  readonly job: BulkJob
  readonly requestRate: RequestRate
  readonly concurrency: number
  /** Whether to send bulk rows with an unknown result whose idempotency key has expired. */
  readonly resendUnknown: boolean
  readonly signal: AbortSignal
  readonly onRow: (result: RowResult) => void
}

type StoppableSendOptions = RowsSendOptions & { readonly stop: AbortSignal }

/**
 * Sends bulk rows, several at a time, and reports each result. When `signal` is aborted or an error
 * concerns all rows, the rows in progress are finished first; then the error is thrown.
 */
export async function sendRows(
  rows: AsyncGenerator<BulkRow>,
  options: RowsSendOptions,
): Promise<void> {
  const broken = new AbortController()
  const stop = AbortSignal.any([options.signal, broken.signal])
  setMaxListeners(0, stop)
  const runWorker = async (): Promise<void> => {
    try {
      while (!stop.aborted) {
        const { value: row, done } = await rows.next()
        if (done === true) return
        await sendOrSkipRow(row, { ...options, stop })
      }
    } catch (error) {
      broken.abort()
      throw error
    }
  }
  const workers = await Promise.allSettled(Array.from({ length: options.concurrency }, runWorker))
  await rows.return(undefined)
  const failed = workers.find(each => each.status === 'rejected')
  if (failed !== undefined) throw failed.reason
}

async function sendOrSkipRow(row: BulkRow, options: StoppableSendOptions): Promise<void> {
  const { job, clock, stop } = options
  const report = (
    status: RowStatus,
    more: { id?: string; reasons?: readonly string[] } = {},
  ): void => {
    const { row: number, line, draft } = row
    options.onRow({ row: number, line, destination: draft.destination, status, ...more })
  }
  if (row.problems.length > 0) return report('invalid', { reasons: row.problems })
  const accepted = job.getAccepted(row.identity)
  if (accepted !== undefined) return report('skipped', { id: accepted.id })
  const firstTry = job.getFirstTry(row.identity)
  const isExpired = firstTry !== undefined && clock.now() - firstTry > keyLifetime
  if (isExpired && !options.resendUnknown) return report('unknown', { reasons: [unknownReason] })
  await options.requestRate.waitForTurn(stop)
  if (stop.aborted) return
  const since = isExpired || firstTry === undefined ? clock.now() : firstTry
  if (since !== firstTry) await job.recordTry(row.identity, since)
  const key = job.getIdempotencyKey(row.identity)
  const result = await sendRow(row.draft, { key, since }, options)
  if (result.outcome === 'stopped') return
  if (result.outcome === 'unknown') return report('unknown', { reasons: [unknownReason] })
  if (result.outcome === 'refused') {
    await job.recordRefused(row.identity)
    return report('refused', { reasons: [result.reason] })
  }
  const { id, status } = result.message
  await job.recordAccepted(row.identity, { id, status })
  report(status === 'B' ? 'blocked' : 'accepted', { id })
}

const unknownReason =
  'it was tried more than 23 hours ago and may have been accepted; ' +
  'look for it with `smsrelay message list`, or send it with --resend-unknown'
