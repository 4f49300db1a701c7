import type { BulkRow } from '../../domain/bulk/bulk-table.js'
import { countSmsParts, type SmsPartCount } from '../../domain/sms/sms-parts.js'
import { pluralize } from '../../util/text/plural.js'
import { toOneLine } from '../terminal/terminal-text.js'
import { addParts, formatPartCounts, type PartCounts } from './bulk-counts.js'
import type { BulkOutput } from './bulk-output.js'
import { type BulkReadOptions, checkRows } from './bulk-rows.js'
import type { BulkSource } from './bulk-source.js'

/** Prints what each row would send and what all would; resolves to the number of rows that could not be sent. */
export async function printDryRun(
  source: BulkSource,
  plan: BulkReadOptions,
  signal: AbortSignal,
  output: BulkOutput,
): Promise<number> {
  const tally: PartCounts = { messages: 0, parts: 0, alphabets: { 'GSM-7': 0, 'UCS-2': 0 } }
  const { rows, invalid } = await checkRows(source, plan, signal, row => {
    if (row.problems.length > 0) return output.printInvalidRow(row)
    const coded = countSmsParts(row.draft.message)
    addParts(tally, coded)
    output.printLine(toPlannedRow(row, coded), formatPlannedRow(row, coded))
  })
  const { messages, parts, alphabets } = tally
  output.printLine(
    { type: 'end', reason: 'dry-run', rows, messages, parts, alphabets, invalid },
    undefined,
  )
  output.printNote(`${formatPartCounts(tally)} Nothing was sent.`)
  if (invalid > 0) output.printNote(`${pluralize(invalid, 'row')} cannot be sent.`)
  return invalid
}

function toPlannedRow({ row, line, draft }: BulkRow, { alphabet, parts }: SmsPartCount): object {
  return { type: 'row', row, line, status: 'valid', ...draft, alphabet, parts }
}

function formatPlannedRow({ line, draft }: BulkRow, { alphabet, parts }: SmsPartCount): string {
  const at = draft.send_on === undefined ? '' : `  at ${draft.send_on}`
  const [to, text] = [toOneLine(draft.destination), toOneLine(draft.message)]
  return `line ${line}  ${to}  ${alphabet}  ${pluralize(parts, 'part')}${at}  ${text}`
}
