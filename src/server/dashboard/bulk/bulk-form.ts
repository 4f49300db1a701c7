import { setImmediate } from 'node:timers/promises'
import {
  type BulkRow,
  createBulkReader,
  type TableRecord,
} from '../../../domain/bulk/bulk-table.js'
import { formatDateTime } from '../../../domain/time/date-time.js'
import { parseLocalTime } from '../../../domain/time/zoned-time.js'
import { RelayError } from '../../../errors.js'
import { createSecret, hashText } from '../../../util/crypto/secrets.js'
import { batchFieldName } from '../components/form.js'
import { normalizeLineBreaks } from '../messages/message-form.js'
import { getField, type PageRequest } from '../page/page.js'

export interface BulkFormInput {
  readonly table: string
  /**
   * Template for all rows of the dashboard's bulk form; empty if the table has a column `message`.
   */
  readonly text: string
  /** Local time of the dashboard's form, `YYYY-MM-DDTHH:MM`; empty to send at once. */
  readonly sendOn: string
  readonly zone: string
  /** Identifies the dashboard's bulk form, so that each message is created once. */
  readonly key: string
}

export function parseBulkForm(request: PageRequest, table: string): BulkFormInput {
  const key = getField(request, batchFieldName)
  if (!/^[0-9a-z]{6,12}\.[\w-]{16,64}$/.test(key))
    throw new RelayError('invalid_request', 'The form is incomplete. Load the page again.')
  const text = normalizeLineBreaks(getField(request, 'text'))
  return {
    table,
    text,
    sendOn: getField(request, 'send_on'),
    zone: getField(request, 'zone') || 'UTC',
    key,
  }
}

const day = 24 * 60 * 60 * 1000

export function createBulkKey(now: number): string {
  return `${now.toString(36)}.${createSecret()}`
}

/** After a day, the idempotency keys of the dashboard's bulk form may be deleted. */
export function isExpiredKey(key: string, now: number): boolean {
  const createdAt = Number.parseInt(key, 36)
  return !(createdAt <= now && now < createdAt + day)
}

/** Hashes the dashboard's bulk form, to detect one that changed after it was checked. */
export function hashBulkForm({ table, text, sendOn, zone }: BulkFormInput): string {
  return hashText(JSON.stringify([table, text, sendOn, zone]))
}

export interface ReadRowsOptions {
  readonly country: string
  readonly maxRows: number
  readonly emptyText: string
}

export async function readRows(
  form: BulkFormInput,
  records: AsyncIterable<TableRecord> | Iterable<TableRecord>,
  { country, maxRows, emptyText }: ReadRowsOptions,
): Promise<BulkRow[]> {
  const text = form.text.trim() === '' ? undefined : form.text
  const read = createBulkReader({ text, country, sendOn: parseSendOn(form), digest: hashText })
  const rows: BulkRow[] = []
  let count = 0
  for await (const record of records) {
    const row = read(record)
    if (row !== undefined) rows.push(row)
    if (rows.length > maxRows) throw tooManyRowsError(maxRows)
    count += 1
    if (count % 100 === 0) await setImmediate()
  }
  if (rows.length > 0) return rows
  throw new RelayError('invalid_parameter', emptyText)
}

function parseSendOn({ sendOn, zone }: BulkFormInput): string | undefined {
  if (sendOn === '') return undefined
  const { at, problem } = parseLocalTime(sendOn, zone)
  if (at !== undefined) return formatDateTime(at)
  throw new RelayError('invalid_parameter', `\`send_on\`: ${problem}`)
}

function tooManyRowsError(maxRows: number): RelayError {
  return new RelayError('invalid_parameter', `A form sends at most ${maxRows} messages.`, {
    hint: 'For more, use: smsrelay message send',
  })
}

export function explainNotSent(isExpired: boolean, isChecked: boolean): string {
  if (isExpired)
    return (
      'Nothing was sent: the form is older than a day. ' +
      'Check the list of messages, in case the form was already sent.'
    )
  return isChecked
    ? 'Nothing was sent: some rows are invalid. Correct them or skip them.'
    : 'Nothing was sent: the form has changed. Check it and send it again.'
}
