import type { Account } from '../../../domain/account/account.js'
import type { BulkRow } from '../../../domain/bulk/bulk-table.js'
import type { Message } from '../../../domain/message/message.js'
import { parseDateTime } from '../../../domain/time/date-time.js'
import { isRelayError } from '../../../errors.js'
import type { MessageService } from '../../services/messages/message-service.js'

/** A row that was not accepted, and why. */
export interface RefusedRow {
  readonly row: BulkRow
  /** One sentence. */
  readonly problem: string
}

/** What sending many came to. */
export interface BulkOutcome {
  readonly accepted: readonly Message[]
  readonly refused: readonly RefusedRow[]
}

/** Messages that are handed over together: they become durable in one write. */
const together = 250

/**
 * Accepts the messages of rows. Each has a key of the form and of itself, so that the same form sent again, at the same
 * time or after a crash, makes only what is missing.
 */
export async function sendRows(
  messages: MessageService,
  account: Account,
  rows: readonly BulkRow[],
  key: string,
): Promise<BulkOutcome> {
  const accepted: Message[] = []
  const refused: RefusedRow[] = []
  for (let at = 0; at < rows.length; at += together) {
    const piece = rows.slice(at, at + together)
    const settled = await Promise.all(piece.map(row => sendRow(messages, account, row, key)))
    for (const each of settled) {
      if ('problem' in each) refused.push(each)
      else accepted.push(each)
    }
  }
  return { accepted, refused }
}

async function sendRow(
  messages: MessageService,
  account: Account,
  row: BulkRow,
  key: string,
): Promise<Message | RefusedRow> {
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
