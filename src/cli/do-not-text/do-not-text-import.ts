import type { DoNotTextClient } from '../../client/do-not-text-client.js'
import { createDoNotTextCsvReader, type DoNotTextCsvRow } from '../../contract/do-not-text-csv.js'
import type { ImportedEntry } from '../../contract/do-not-text-schema.js'
import { limits } from '../../domain/limits.js'
import { readCsv } from '../../util/text/csv.js'

export interface InvalidLine {
  readonly line: number
  readonly problem: string
}

export interface ImportResult {
  readonly imported: boolean
  readonly added: number
  /** Numbers that were already on the Do Not Text list or are repeated in the CSV file. */
  readonly listed: number
  readonly invalid: readonly InvalidLine[]
}

export interface ImportFileOptions {
  readonly list: Pick<DoNotTextClient, 'import'>
  readonly rows: () => AsyncIterable<DoNotTextCsvRow>
  readonly dryRun: boolean
  readonly skipInvalid: boolean
  readonly signal: AbortSignal
}

interface Batch {
  readonly lines: number[]
  readonly entries: ImportedEntry[]
}

/** Bytes of one request that the import command sends; the relay accepts 256 KB. */
const batchBytes = 128 * 1024

/** Reads a CSV file of Do Not Text entries row by row. Throws `invalid_parameter`. */
export async function* readDoNotTextCsv(
  source: AsyncIterable<Uint8Array>,
  encoding: string | undefined,
): AsyncGenerator<DoNotTextCsvRow> {
  const read = createDoNotTextCsvReader()
  for await (const { cells, line } of readCsv(source, { encoding })) {
    const row = read(cells, line)
    if (row !== undefined) yield row
  }
}

export async function importDoNotText(options: ImportFileOptions): Promise<ImportResult> {
  const { dryRun, skipInvalid } = options
  const checked = await importRows(options, true)
  if (dryRun || (checked.invalid.length > 0 && !skipInvalid)) return { imported: false, ...checked }
  return { imported: true, ...(await importRows(options, false)) }
}

async function importRows(
  { list, rows, signal }: ImportFileOptions,
  dryRun: boolean,
): Promise<Omit<ImportResult, 'imported'>> {
  let added = 0
  let listed = 0
  const invalid: InvalidLine[] = []
  for await (const { lines, entries } of createBatches(rows(), invalid, () => (listed += 1))) {
    const reply = await list.import(entries, { dryRun, skipInvalid: true, signal })
    added += reply.added
    listed += reply.listed
    for (const { index, problem } of reply.invalid) {
      invalid.push({ line: lines[index] ?? 0, problem })
    }
  }
  return { added, listed, invalid: invalid.sort((a, b) => a.line - b.line) }
}

async function* createBatches(
  rows: AsyncIterable<DoNotTextCsvRow>,
  invalid: InvalidLine[],
  onRepeated: () => void,
): AsyncGenerator<Batch> {
  const seen = new Set<string>()
  let batch: Batch = { lines: [], entries: [] }
  let bytes = 0
  for await (const row of rows) {
    if ('problem' in row) invalid.push(row)
    else if (seen.has(row.entry.number)) onRepeated()
    else {
      const entry = row.entry as ImportedEntry
      seen.add(entry.number)
      const size = Buffer.byteLength(JSON.stringify(entry)) + 1
      if (batch.entries.length === limits.doNotTextBatch || bytes + size > batchBytes) {
        yield batch
        batch = { lines: [], entries: [] }
        bytes = 0
      }
      batch.lines.push(row.line)
      batch.entries.push(entry)
      bytes += size
    }
  }
  if (batch.entries.length > 0) yield batch
}
