import { setMaxListeners } from 'node:events'
import type { BulkRow } from '../../domain/bulk/bulk-table.js'
import type { BulkJob } from './bulk-job.js'
import { collectRows } from './bulk-rows.js'
import type { RequestRate } from './request-rate.js'
import { type BatchSendOptions, sendBatch } from './send-batch.js'
import { type KeyedRow, keyLifetime, type RowOutcome, sendRow } from './send-row.js'

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

export interface RowsSendOptions extends Omit<BatchSendOptions, 'stop'> {
  readonly job: BulkJob
  readonly requestRate: RequestRate
  /** How many requests `message send --csv` has in progress at the same time. */
  readonly concurrency: number
  /** Whether to send bulk rows with an unknown result whose idempotency key has expired. */
  readonly resendUnknown: boolean
  readonly signal: AbortSignal
  readonly onRow: (result: RowResult) => void
}

interface PendingRow extends KeyedRow {
  readonly row: BulkRow
}

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
  const sender = new RowSender({ ...options, stop })
  const batches = collectRows(rows, () => sender.rowsPerRequest)
  const runWorker = async (): Promise<void> => {
    try {
      while (!stop.aborted) {
        const { value: batch, done } = await batches.next()
        if (done === true) return
        await sender.send(batch)
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

/** Sends batches of bulk rows; one by one after the relay turned out not to know batches. */
class RowSender {
  readonly #options: RowsSendOptions & { readonly stop: AbortSignal }
  #hasBatches = true

  constructor(options: RowsSendOptions & { readonly stop: AbortSignal }) {
    this.#options = options
  }

  get rowsPerRequest(): number {
    return this.#hasBatches ? this.#options.requestRate.rowsPerRequest : 1
  }

  async send(rows: readonly BulkRow[]): Promise<void> {
    const { job, clock, requestRate, stop } = this.#options
    const now = clock.now()
    const pending = rows.map(row => this.#prepare(row, now)).filter(each => each !== undefined)
    if (pending.length === 0) return
    await requestRate.waitForTurn(pending.length, stop)
    if (stop.aborted) return
    const identities = pending.map(({ row }) => row.identity)
    const untried = identities.filter((each, at) => job.getFirstTry(each) !== pending[at]?.since)
    await job.recordTries(untried, now)
    const outcomes = this.#hasBatches ? await sendBatch(pending, this.#options) : undefined
    if (outcomes !== undefined) return await this.#finish(pending, outcomes)
    this.#hasBatches = false
    for (const each of pending) {
      if (stop.aborted) return
      await this.#finish([each], [await sendRow(each, this.#options)])
    }
  }

  /** Reports a row that is not sent; returns one that is. */
  #prepare(row: BulkRow, now: number): PendingRow | undefined {
    const { job, resendUnknown } = this.#options
    const { draft, identity } = row
    const accepted = job.getAccepted(identity)
    const firstTry = job.getFirstTry(identity)
    const isExpired = firstTry !== undefined && now - firstTry > keyLifetime
    if (row.problems.length > 0) this.#report(row, 'invalid', { reasons: row.problems })
    else if (accepted !== undefined) this.#report(row, 'skipped', { id: accepted.id })
    else if (isExpired && !resendUnknown) {
      this.#report(row, 'unknown', { reasons: [unknownReason] })
    } else {
      const since = isExpired || firstTry === undefined ? now : firstTry
      return { row, draft, key: job.getIdempotencyKey(identity), since }
    }
    return undefined
  }

  async #finish(rows: readonly PendingRow[], outcomes: readonly RowOutcome[]): Promise<void> {
    const results = rows.map(({ row }, at) => ({ row, outcome: outcomes[at] }))
    await this.#options.job.recordResults(
      results.map(({ row: { identity }, outcome }) => ({ identity, outcome })),
    )
    for (const { row, outcome } of results) {
      if (outcome?.outcome === 'unknown') this.#report(row, 'unknown', { reasons: [unknownReason] })
      else if (outcome?.outcome === 'refused') {
        this.#report(row, 'refused', { reasons: [outcome.reason] })
      } else if (outcome?.outcome === 'accepted') {
        const { id, status } = outcome.message
        this.#report(row, status === 'B' ? 'blocked' : 'accepted', { id })
      }
    }
  }

  #report(
    { row, line, draft: { destination } }: BulkRow,
    status: RowStatus,
    more: { readonly id?: string; readonly reasons?: readonly string[] },
  ): void {
    this.#options.onRow({ row, line, destination, status, ...more })
  }
}

const unknownReason =
  'it was tried more than 23 hours ago and may have been accepted; ' +
  'look for it with `smsrelay message list`, or send it with --resend-unknown'
