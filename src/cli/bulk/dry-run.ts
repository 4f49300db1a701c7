import type { BulkRow } from '../../domain/bulk.js'
import { type Segmentation, segments } from '../../domain/segments.js'
import { counted } from '../../util/counted.js'
import { oneLine } from '../text.js'
import type { BulkOutput } from './bulk-output.js'
import { type BulkPlan, checkRows } from './rows.js'
import type { BulkSource } from './source.js'
import { countParts, type PartsTally, partsLine } from './tally.js'

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
