import { setImmediate } from 'node:timers/promises'
import type { Account } from '../../../domain/account/account.js'
import { type BulkRow, bulkReader } from '../../../domain/bulk/bulk-table.js'
import { formatDateTime } from '../../../domain/time/date-time.js'
import { parseLocalTime } from '../../../domain/time/zoned-time.js'
import { RelayError } from '../../../errors.js'
import { digest, randomSecret } from '../../../util/crypto/secrets.js'
import { readCsv } from '../../../util/text/csv.js'
import { plainLines } from '../messages/message-form.js'
import { field, type Visit } from '../page/page.js'
import { bytesOf } from '../page/table-upload.js'

/** Rows of a table that are sent at once at most. */
export const mostRows = 5000

/** What a person typed into the form for many messages. */
export interface BulkForm {
  /** The text of a CSV file. */
  readonly table: string
  /** A template for all rows; empty where the table has a column `message`. */
  readonly text: string
  /** Local `YYYY-MM-DDTHH:MM`; empty for at once. */
  readonly sendOn: string
  readonly zone: string
  /** Names the messages of this form, so that none is made twice. */
  readonly key: string
}

/** Reads the form, but for its table. Throws `invalid_request` for one that is none of ours. */
export function readBulkForm(visit: Visit, table: string): BulkForm {
  const key = field(visit, 'key')
  if (!/^[0-9a-z]{6,12}\.[\w-]{16,64}$/.test(key))
    throw new RelayError('invalid_request', 'The form is incomplete; load the page again.')
  const text = plainLines(field(visit, 'text'))
  return { table, text, sendOn: field(visit, 'send_on'), zone: field(visit, 'zone') || 'UTC', key }
}

const day = 24 * 60 * 60 * 1000

/** A key of a form that is made now, milliseconds since the epoch. */
export function newBulkKey(now: number): string {
  return `${now.toString(36)}.${randomSecret()}`
}

/** Whether the results of a form's messages may be forgotten, and sending it again might double them. */
export function isOldKey(key: string, now: number): boolean {
  const made = Number.parseInt(key, 36)
  return !(made <= now && now < made + day)
}

/** Tells whether a form is the one that was checked. */
export function markOf({ table, text, sendOn, zone }: BulkForm): string {
  return digest(JSON.stringify([table, text, sendOn, zone]))
}

/** The rows of a form as messages, others being served meanwhile. Throws `invalid_parameter`. */
export async function rowsOf(form: BulkForm, { country }: Account): Promise<BulkRow[]> {
  const text = form.text.trim() === '' ? undefined : form.text
  const read = bulkReader({ text, country, sendOn: sendOnOf(form), digest })
  const rows: BulkRow[] = []
  let records = 0
  for await (const record of readCsv(bytesOf(form.table))) {
    const row = read(record)
    if (row !== undefined) rows.push(row)
    if (rows.length > mostRows) throw tooMany()
    records += 1
    if (records % 100 === 0) await setImmediate()
  }
  if (rows.length > 0) return rows
  throw new RelayError(
    'invalid_parameter',
    '`file` must have a row below its first line, which names the columns.',
  )
}

function sendOnOf({ sendOn, zone }: BulkForm): string | undefined {
  if (sendOn === '') return undefined
  const at = parseLocalTime(sendOn, zone)
  if (at !== undefined) return formatDateTime(at)
  throw new RelayError(
    'invalid_parameter',
    '`send_on` must be date, hour and minute, or empty to send at once.',
  )
}

function tooMany(): RelayError {
  return new RelayError('invalid_parameter', `\`file\` must have at most ${mostRows} rows.`, {
    hint: '`smsrelay message send --csv` takes tables of any length.',
  })
}
