import type { Account } from '../../../domain/account/account.js'
import type { BulkRow } from '../../../domain/bulk/bulk-table.js'
import type { Message } from '../../../domain/message/message.js'
import { parseDateTime } from '../../../domain/time/date-time.js'
import { isRelayError } from '../../../errors.js'
import type { DoNotTextService } from '../../services/messages/do-not-text-service.js'
import type { MessageService } from '../../services/messages/message-service.js'

export interface RejectedRow {
  readonly row: BulkRow
  readonly problem: string
}

export interface BulkResult {
  readonly accepted: readonly Message[]
  readonly rejected: readonly RejectedRow[]
}

/** Messages of the dashboard's bulk form that the store writes together. */
const batchSize = 250

/**
 * Creates the messages of a bulk form. Each has an idempotency key of the form and the row, so that
 * a form that is sent again, even after a crash, creates only the missing messages.
 */
export async function acceptRows(
  messages: MessageService,
  account: Account,
  rows: readonly BulkRow[],
  key: string,
): Promise<BulkResult> {
  const accepted: Message[] = []
  const rejected: RejectedRow[] = []
  for (let start = 0; start < rows.length; start += batchSize) {
    const batch = rows.slice(start, start + batchSize)
    const results = await Promise.all(batch.map(row => acceptRow(messages, account, row, key)))
    for (const result of results) {
      if ('problem' in result) rejected.push(result)
      else accepted.push(result)
    }
  }
  return { accepted, rejected }
}

async function acceptRow(
  messages: MessageService,
  account: Account,
  row: BulkRow,
  key: string,
): Promise<Message | RejectedRow> {
  const { destination, message: text, send_on: on } = row.draft
  const sendAt = on === undefined ? undefined : parseDateTime(on)
  const idempotencyKey = `dashboard many ${key} ${row.identity}`
  try {
    return await messages.accept(account, { destination, text, sendAt }, 'website', idempotencyKey)
  } catch (error) {
    if (isRelayError(error)) return { row, problem: error.message }
    throw error
  }
}

/** The numbers of the rows that are on the Do Not Text list. */
export async function findBlocked(
  doNotText: DoNotTextService,
  account: Account,
  rows: readonly BulkRow[],
): Promise<ReadonlySet<string>> {
  const destinations = [...new Set(rows.map(({ draft }) => draft.destination))]
  const listed = await doNotText.findListed(account, destinations)
  return new Set(listed.map(({ number }) => number))
}
