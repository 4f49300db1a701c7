import type {
  DeliveryReceiptFields,
  DeliveryReportResult,
} from '../../contract/delivery-status-schema.js'
import { limits } from '../../domain/limits.js'
import { formatDateTime } from '../../domain/time/date-time.js'
import { errorText } from '../../errors.js'
import { runWithGrace, runWithSignal } from '../../util/async/abort.js'
import type { Clock } from '../../util/async/clock.js'
import { FailureBackoff } from '../../util/async/failure-backoff.js'
import type { PhoneEvent } from '../events/phone-events.js'
import { BatchLimit } from '../relay/batch-limit.js'
import type { PhoneClient } from '../relay/phone-client.js'
import { classifyForwardError, getRequestedWait } from '../relay/relay-error.js'
import type { MatchedReceipt, ReceiptInbox } from './receipt-inbox.js'
import type { StoredReceipt } from './receipt-records.js'

interface ReceiptForwarderOptions {
  readonly inbox: ReceiptInbox
  readonly client: { readonly messages: Pick<PhoneClient['messages'], 'reportDelivery'> }
  readonly onEvent: (event: PhoneEvent) => void
  /** When aborted, the receipts are reported within three seconds or stay stored. */
  readonly stop: AbortSignal
  readonly force: AbortSignal
  readonly clock: Clock
  readonly random: () => number
}

interface ReportContext extends ReceiptForwarderOptions {
  readonly backoff: FailureBackoff
  readonly limit: BatchLimit
}

type BatchResult = 'answered' | 'temporary' | 'fatal'

/** Milliseconds. */
const graceAfterStop = 3000
/** A batch waits so long for more receipts, and for the success report of its messages. */
const collectTime = 500
const checkInterval = 5000
const missingResult: DeliveryReportResult = { id: '', status: 0, retry_after: 5 }

/** Reports receipts to the relay in batches, each until it is answered, until stopped. */
export async function forwardReceipts(options: ReceiptForwarderOptions): Promise<void> {
  const { stop, force, clock } = options
  await runWithGrace(stop, graceAfterStop, clock.sleep, deadline =>
    runWithSignal([deadline, force], end => forwardUntilAborted(end, options)),
  )
}

async function forwardUntilAborted(
  end: AbortSignal,
  options: ReceiptForwarderOptions,
): Promise<void> {
  const { inbox, stop, clock } = options
  const context = { ...options, backoff: new FailureBackoff(options), limit: new BatchLimit() }
  while (!end.aborted) {
    await inbox.dropUnmatched()
    const batch = inbox.listReady(context.limit.size)
    if (batch.length === 0) {
      if (stop.aborted) return
      await waitForReceipt(options)
      await clock.sleep(collectTime, stop)
      continue
    }
    const result = await reportBatch(batch, end, context)
    if (result === 'fatal' || (result === 'temporary' && stop.aborted)) return
  }
}

async function waitForReceipt({ inbox, clock, stop }: ReceiptForwarderOptions): Promise<void> {
  const done = new AbortController()
  await runWithSignal([stop], async signal => {
    const end = () => done.abort()
    signal.addEventListener('abort', end, { once: true })
    if (!inbox.isEmpty) void clock.sleep(checkInterval, done.signal).then(end)
    await inbox.waitForChange(done.signal)
    end()
  })
}

async function reportBatch(
  batch: readonly MatchedReceipt[],
  signal: AbortSignal,
  context: ReportContext,
): Promise<BatchResult> {
  const { client, onEvent, stop, backoff, limit } = context
  try {
    const fields = batch.map(toReceiptFields)
    const results = await client.messages.reportDelivery(fields, { signal })
    if (backoff.recordSuccess()) onEvent({ event: 'online' })
    limit.recordSuccess()
    await settleBatch(batch, results, context)
    return 'answered'
  } catch (error) {
    const kind = classifyForwardError(error)
    if (kind === 'fatal') return kind
    if (kind === 'refused') {
      // Smaller reports follow until the cause is found.
      if (!limit.narrow(batch.length)) await dropBatch(batch, errorText(error), context)
      return 'answered'
    }
    if (backoff.recordFailure()) onEvent({ event: 'offline', error: errorText(error) })
    await backoff.wait(stop, getRequestedWait(error))
    return kind
  }
}

async function settleBatch(
  batch: readonly MatchedReceipt[],
  results: readonly DeliveryReportResult[],
  options: ReceiptForwarderOptions,
): Promise<void> {
  const settled = batch.filter(({ receipt }, index) => {
    const result = results[index] ?? missingResult
    const { status, retry_after: wait, error_description: error } = result
    if (wait !== undefined && options.inbox.postpone(receipt, wait * 1000)) return false
    if (status !== 200) drop(options, receipt, error ?? `The relay answered ${status}.`)
    return true
  })
  await options.inbox.remove(settled.map(({ receipt }) => receipt))
}

async function dropBatch(
  batch: readonly MatchedReceipt[],
  error: string,
  options: ReceiptForwarderOptions,
): Promise<void> {
  for (const { receipt } of batch) drop(options, receipt, error)
  await options.inbox.remove(batch.map(({ receipt }) => receipt))
}

function drop({ onEvent }: ReceiptForwarderOptions, receipt: StoredReceipt, error: string): void {
  onEvent({ event: 'receipt-dropped', to: receipt.to, state: receipt.state, error })
}

function toReceiptFields({ receipt, message, part, at }: MatchedReceipt): DeliveryReceiptFields {
  const { state, reason } = receipt
  return {
    id: message,
    ...(part === undefined ? {} : { part }),
    state,
    at: formatDateTime(at),
    ...(reason === undefined ? {} : { reason: toReason(reason) }),
  }
}

/** Without characters that a request may not have. */
function toReason(reason: string): string {
  const line = reason.toWellFormed().replace(/[\p{Cc}\s]+/gu, ' ')
  return [...line.trim()].slice(0, limits.receiptReason).join('')
}
