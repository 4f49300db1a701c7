import { setMaxListeners } from 'node:events'
import type { BulkRow } from '../../domain/bulk/bulk-table.js'
import type { BulkJob } from './bulk-job.js'
import type { RequestRate } from './request-rate.js'
import { keyLifetime, type RowSendOptions, sendRow } from './send-row.js'

/** What became of a row of the file. */
export type RowStatus = 'accepted' | 'blocked' | 'skipped' | 'refused' | 'invalid' | 'unknown'

/** A row, and what became of it. */
export interface RowResult {
  readonly row: number
  readonly line: number
  readonly status: RowStatus
  /** Of the message. */
  readonly id?: string
  readonly destination: string
  /** Why not, as sentences without a full stop. */
  readonly reasons?: readonly string[]
}

/** How the rows of a job are sent. */
export interface RowsSendOptions extends Omit<RowSendOptions, 'stop'> {
  readonly job: BulkJob
  readonly requestRate: RequestRate
  /** Rows in hand at once. */
  readonly concurrency: number
  /** Whether rows that may have been sent, longer ago than idempotency keys last, are sent. */
  readonly resendUnknown: boolean
  readonly signal: AbortSignal
  readonly onRow: (result: RowResult) => void
}

/**
 * Sends rows, several at a time, and tells what became of each; ends early, after those in hand, when the signal is
 * aborted. Throws what ends all rows, after those in hand, too.
 */
export async function sendRows(
  rows: AsyncGenerator<BulkRow>,
  sending: RowsSendOptions,
): Promise<void> {
  const broken = new AbortController()
  const stop = AbortSignal.any([sending.signal, broken.signal])
  setMaxListeners(0, stop)
  const hand = async (): Promise<void> => {
    try {
      while (!stop.aborted) {
        const { value: row, done } = await rows.next()
        if (done === true) return
        await sendOrSkipRow(row, { ...sending, stop })
      }
    } catch (error) {
      broken.abort()
      throw error
    }
  }
  const hands = await Promise.allSettled(Array.from({ length: sending.concurrency }, hand))
  await rows.return(undefined)
  const failed = hands.find(each => each.status === 'rejected')
  if (failed !== undefined) throw failed.reason
}

type StoppableSendOptions = RowsSendOptions & { readonly stop: AbortSignal }

async function sendOrSkipRow(row: BulkRow, sending: StoppableSendOptions): Promise<void> {
  const { job, onRow, clock, resendUnknown } = sending
  const tell = (status: RowStatus, more: { id?: string; reasons?: readonly string[] } = {}): void =>
    onRow({ ...getRowPosition(row), status, ...more })
  if (row.problems.length > 0) return tell('invalid', { reasons: row.problems })
  const before = job.getAccepted(row.identity)
  if (before !== undefined) return tell('skipped', { id: before.id })
  const tried = job.getFirstTry(row.identity)
  const isOld = tried !== undefined && clock() - tried > keyLifetime
  if (isOld && !resendUnknown) return tell('unknown', { reasons: [unknownReason] })
  await sending.requestRate.waitForTurn(sending.stop)
  if (sending.stop.aborted) return
  const since = isOld || tried === undefined ? clock() : tried
  if (since !== tried) await job.recordTry(row.identity, since)
  const result = await sendRow(
    row.draft,
    { key: job.getIdempotencyKey(row.identity), since },
    sending,
  )
  if (result.fate === 'left') return
  if (result.fate === 'unknown') return tell('unknown', { reasons: [unknownReason] })
  if (result.fate === 'refused') {
    await job.recordRefused(row.identity)
    return tell('refused', { reasons: [result.reason] })
  }
  const { id, status } = result.message
  await job.recordAccepted(row.identity, { id, status })
  tell(status === 'B' ? 'blocked' : 'accepted', { id })
}

const unknownReason =
  'it was tried more than 23 hours ago and nobody knows whether it was accepted; ' +
  'look for it with `smsrelay message list`, and send it with --resend-unknown'

function getRowPosition({
  row,
  line,
  draft,
}: BulkRow): Pick<RowResult, 'row' | 'line' | 'destination'> {
  return { row, line, destination: draft.destination }
}
