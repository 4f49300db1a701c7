import type { BulkRow } from '../../domain/bulk/bulk-table.js'
import { type Segmentation, segments } from '../../domain/sms/segments.js'
import { counted } from '../../util/text/plural.js'
import { oneLine } from '../terminal/terminal-text.js'
import { countParts, type PartsTally, partsLine } from './bulk-counts.js'
import type { BulkOutput } from './bulk-output.js'
import { type BulkPlan, checkRows } from './bulk-rows.js'
import type { BulkSource } from './bulk-source.js'

/** Prints what each row would send and what all would; resolves to the number of rows that could not be sent. */
export async function dryRun(
  source: BulkSource,
  plan: BulkPlan,
  signal: AbortSignal,
  output: BulkOutput,
): Promise<number> {
  const tally: PartsTally = { messages: 0, parts: 0, alphabets: { 'GSM-7': 0, 'UCS-2': 0 } }
  const { rows, invalid } = await checkRows(source, plan, signal, row => {
    if (row.problems.length > 0) return output.problem(row)
    const coded = segments(row.draft.message)
    countParts(tally, coded)
    output.line(planned(row, coded), plannedLine(row, coded))
  })
  const { messages, parts, alphabets } = tally
  output.line(
    { type: 'end', reason: 'dry-run', rows, messages, parts, alphabets, invalid },
    undefined,
  )
  output.note(`${partsLine(tally)} Nothing was sent.`)
  if (invalid > 0) output.note(`${counted(invalid, 'row')} cannot be sent.`)
  return invalid
}

function planned({ row, line, draft }: BulkRow, { alphabet, parts }: Segmentation): object {
  return { type: 'row', row, line, status: 'valid', ...draft, alphabet, parts }
}

function plannedLine({ line, draft }: BulkRow, { alphabet, parts }: Segmentation): string {
  const at = draft.send_on === undefined ? '' : `  at ${draft.send_on}`
  const [to, text] = [oneLine(draft.destination), oneLine(draft.message)]
  return `line ${line}  ${to}  ${alphabet}  ${counted(parts, 'part')}${at}  ${text}`
}
