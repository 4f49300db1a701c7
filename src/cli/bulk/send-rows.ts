import { setMaxListeners } from 'node:events'
import type { BulkRow } from '../../domain/bulk/bulk-table.js'
import type { Job } from './bulk-job.js'
import type { Pacer } from './request-rate.js'
import { keyLasts, type RowSending, sendRow } from './send-row.js'

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
export interface RowsSending extends Omit<RowSending, 'stop'> {
  readonly job: Job
  readonly pacer: Pacer
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
export async function sendRows(rows: AsyncGenerator<BulkRow>, sending: RowsSending): Promise<void> {
  const broken = new AbortController()
  const stop = AbortSignal.any([sending.signal, broken.signal])
  setMaxListeners(0, stop)
  const hand = async (): Promise<void> => {
    try {
      while (!stop.aborted) {
        const { value: row, done } = await rows.next()
        if (done === true) return
        await settle(row, { ...sending, stop })
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

type Settling = RowsSending & { readonly stop: AbortSignal }

async function settle(row: BulkRow, sending: Settling): Promise<void> {
  const { job, onRow, clock, resendUnknown } = sending
  const tell = (status: RowStatus, more: { id?: string; reasons?: readonly string[] } = {}): void =>
    onRow({ ...place(row), status, ...more })
  if (row.problems.length > 0) return tell('invalid', { reasons: row.problems })
  const before = job.accepted(row.identity)
  if (before !== undefined) return tell('skipped', { id: before.id })
  const tried = job.tried(row.identity)
  const isOld = tried !== undefined && clock() - tried > keyLasts
  if (isOld && !resendUnknown) return tell('unknown', { reasons: [mayBeSent] })
  await sending.pacer.turn(sending.stop)
  if (sending.stop.aborted) return
  const since = isOld || tried === undefined ? clock() : tried
  if (since !== tried) await job.try(row.identity, since)
  const result = await sendRow(row.draft, { key: job.key(row.identity), since }, sending)
  if (result.fate === 'left') return
  if (result.fate === 'unknown') return tell('unknown', { reasons: [mayBeSent] })
  if (result.fate === 'refused') {
    await job.refuse(row.identity)
    return tell('refused', { reasons: [result.reason] })
  }
  const { id, status } = result.message
  await job.accept(row.identity, { id, status })
  tell(status === 'B' ? 'blocked' : 'accepted', { id })
}

const mayBeSent =
  'it was tried more than 23 hours ago and nobody knows whether it was accepted; ' +
  'look for it with `smsrelay message list`, and send it with --resend-unknown'

function place({ row, line, draft }: BulkRow): Pick<RowResult, 'row' | 'line' | 'destination'> {
  return { row, line, destination: draft.destination }
}
