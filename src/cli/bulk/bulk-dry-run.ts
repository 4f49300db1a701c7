import { parseBulkNumber } from '../../domain/bulk/bulk-number.js'
import type { BulkDraft, BulkRow } from '../../domain/bulk/bulk-table.js'
import { limits } from '../../domain/limits.js'
import { countSmsParts, type SmsPartCount } from '../../domain/sms/sms-parts.js'
import { RelayError } from '../../errors.js'
import { pluralize } from '../../util/text/plural.js'
import type { RereadableFile } from '../terminal/rereadable-file.js'
import { toOneLine } from '../terminal/terminal-text.js'
import { addParts, formatPartCounts, type PartCounts } from './bulk-counts.js'
import type { BulkOutput } from './bulk-output.js'
import { type BulkReadOptions, checkRows } from './bulk-rows.js'

export async function printDryRun(
  source: RereadableFile,
  readOptions: BulkReadOptions,
  signal: AbortSignal,
  output: BulkOutput,
): Promise<number> {
  const counts: PartCounts = { messages: 0, parts: 0, alphabets: { 'GSM-7': 0, 'UCS-2': 0 } }
  const { rows, invalid } = await checkRows(source, readOptions, signal, row => {
    if (row.problems.length > 0) return output.printInvalidRow(row)
    const partCount = planParts(row.draft, row.given)
    addParts(counts, partCount)
    output.printLine(toPlannedRow(row, partCount), formatPlannedRow(row, partCount))
  })
  output.printLine({ type: 'end', reason: 'dry-run', rows, ...counts, invalid }, undefined)
  output.printNote(`${formatPartCounts(counts)} Nothing was sent.`)
  if (invalid > 0) output.printNote(`${pluralize(invalid, 'row')} cannot be sent.`)
  return invalid
}

/** @param given the text before its letters were changed */
export function checkDraft(draft: BulkDraft, given: string): BulkDraft & PlannedParts {
  const number = parseBulkNumber(draft.destination, undefined)
  if ('problem' in number) throw new RelayError('invalid_parameter', `${number.problem}.`)
  const length = [...draft.message].length
  if (length >= 1 && length <= limits.text) return { ...draft, ...planParts(draft, given) }
  throw new RelayError('invalid_parameter', `The text has ${length} characters.`, {
    hint: `Use 1 to ${limits.text}.`,
  })
}

interface PlannedParts extends SmsPartCount {
  /** The parts without --fewer-parts, if they are more. */
  readonly parts_before?: number
}

function planParts({ message }: BulkDraft, given: string): PlannedParts {
  const { alphabet, parts } = countSmsParts(message)
  const before = message === given ? parts : countSmsParts(given).parts
  return { alphabet, parts, ...(before > parts ? { parts_before: before } : {}) }
}

function toPlannedRow({ row, line, draft, warnings }: BulkRow, partCount: PlannedParts): object {
  const doubt = warnings.length === 0 ? {} : { warnings }
  return { type: 'row', row, line, status: 'valid', ...draft, ...partCount, ...doubt }
}

function formatPlannedRow(
  { line, draft, warnings }: BulkRow,
  { alphabet, parts, parts_before }: PlannedParts,
): string {
  const at = draft.send_on === undefined ? '' : `  at ${draft.send_on}`
  const [to, text] = [toOneLine(draft.destination), toOneLine(draft.message)]
  const before = parts_before === undefined ? '' : ` (before: ${parts_before})`
  const doubt = warnings.map(each => `\n  warning: ${toOneLine(each)}`).join('')
  const size = `${alphabet}  ${pluralize(parts, 'part')}${before}`
  return `line ${line}  ${to}  ${size}${at}  ${text}${doubt}`
}
