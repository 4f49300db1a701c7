import type { DeliveryReportResult } from '../../../contract/delivery-status-schema.js'
import type { BatchResult, ClaimedBatch } from '../../../domain/message/message-batch.js'
import { RelayError } from '../../../errors.js'
import { getErrorStatus, toErrorReply } from '../../http/http-errors.js'
import { formatMessageFields } from './message-json.js'

export interface BatchReplyOptions {
  /** Whether the results of a batch leave out what its sender knows. */
  readonly isMinimal: boolean
  readonly requestId: string | undefined
}

/**
 * Formats the reply to NEXT of a batch; its messages have no links.
 * @param lease length of their leases in milliseconds
 */
export function formatBatchJson({ messages, claim }: ClaimedBatch, lease: number): string {
  const items = messages.map(message => `{"message":${formatMessageFields(message)}}`)
  return `{"messages":[${items.join(',')}],"claim":${claim},"lease":${lease / 1000}}`
}

/**
 * Formats the reply to a batch of reports, with the id of each. A minimal one has no messages that
 * were sent.
 */
export function formatReportResults(
  ids: readonly string[],
  results: readonly BatchResult[],
  { isMinimal, requestId }: BatchReplyOptions,
): string {
  return formatResults(
    results.map((result, at) => {
      const isSent = isMinimal && result.message?.status === 'S'
      const fields = isSent ? '"status":200' : formatResult(result, requestId)
      return `{"id":${JSON.stringify(ids[at])},${fields}}`
    }),
  )
}

/** Formats the reply to a batch of new messages. A minimal one has only the ids of those in N. */
export function formatCreateResults(
  results: readonly BatchResult[],
  { isMinimal, requestId }: BatchReplyOptions,
): string {
  return formatResults(
    results.map(result => {
      const { id, status } = result.message ?? {}
      const isNew = isMinimal && status === 'N'
      return isNew
        ? `{"status":200,"id":${JSON.stringify(id)}}`
        : `{${formatResult(result, requestId)}}`
    }),
  )
}

export function formatReceiptResults(
  ids: readonly string[],
  results: readonly BatchResult[],
  { requestId }: Pick<BatchReplyOptions, 'requestId'>,
): string {
  return JSON.stringify({
    results: results.map(({ error }, at): DeliveryReportResult => {
      const id = ids[at] ?? ''
      if (error === undefined) return { id, status: 200 }
      const { retryAfter } = error
      const reply = { id, status: getErrorStatus(error), ...toErrorReply(error, requestId) }
      return retryAfter === undefined ? reply : { ...reply, retry_after: retryAfter }
    }),
  })
}

function formatResults(items: readonly string[]): string {
  return `{"results":[${items.join(',')}]}`
}

function formatResult({ message, error }: BatchResult, requestId: string | undefined): string {
  if (message !== undefined) return `"status":200,"message":${formatMessageFields(message)}`
  const reason = error ?? new RelayError('not_a_message', 'The message was removed.')
  const reply = { status: getErrorStatus(reason), ...toErrorReply(reason, requestId) }
  return JSON.stringify(reply).slice(1, -1)
}
