import type { Account } from '../../../domain/account/account.js'
import type { BulkRow } from '../../../domain/bulk/bulk-table.js'
import type { Message } from '../../../domain/message/message.js'
import { parseDateTime } from '../../../domain/time/date-time.js'
import { isRelayError } from '../../../errors.js'
import type { MessageService } from '../../services/messages/message-service.js'

/** A row that was not accepted, and why. */
export interface RejectedRow {
  readonly row: BulkRow
  /** One sentence. */
  readonly problem: string
}

/** What sending many came to. */
export interface BulkResult {
  readonly accepted: readonly Message[]
  readonly rejected: readonly RejectedRow[]
}

/** Messages that are handed over together: they become durable in one write. */
const batchSize = 250

/**
 * Accepts the messages of rows. Each has a key of the form and of itself, so that the same form sent again, at the same
 * time or after a crash, makes only what is missing.
 */
export async function acceptRows(
  messages: MessageService,
  account: Account,
  rows: readonly BulkRow[],
  key: string,
): Promise<BulkResult> {
  const accepted: Message[] = []
  const refused: RejectedRow[] = []
  for (let at = 0; at < rows.length; at += batchSize) {
    const piece = rows.slice(at, at + batchSize)
    const settled = await Promise.all(piece.map(row => acceptRow(messages, account, row, key)))
    for (const each of settled) {
      if ('problem' in each) refused.push(each)
      else accepted.push(each)
    }
  }
  return { accepted, rejected: refused }
}

async function acceptRow(
  messages: MessageService,
  account: Account,
  row: BulkRow,
  key: string,
): Promise<Message | RejectedRow> {
  const { destination, message: text, send_on: on } = row.draft
  const sendAt = on === undefined ? undefined : parseDateTime(on)
  const once = `dashboard many ${key} ${row.identity}`
  try {
    return await messages.accept(account, { destination, text, sendAt }, 'website', once)
  } catch (error) {
    if (isRelayError(error)) return { row, problem: error.message }
    throw error
  }
}
