import type { DoNotTextImportOptions } from '../../client/received-text-client.js'
import type { DoNotTextImportReply, ImportedEntry } from '../../contract/do-not-text-schema.js'
import { limits } from '../../domain/limits.js'
import type { DoNotTextCsvRow } from './do-not-text-file.js'

/** A line of a file that cannot be imported. */
export interface InvalidLine {
  readonly line: number
  /** One sentence. */
  readonly problem: string
}

/** What an import came to. */
export interface ImportResult {
  /** Whether anything was asked to be listed: not in a trial, and not where lines were invalid. */
  readonly imported: boolean
  /** Numbers that were listed, or would be. */
  readonly added: number
  /** Numbers that were listed before, or came twice. */
  readonly listed: number
  readonly invalid: readonly InvalidLine[]
}

/** How a file is imported. */
export interface ImportFileOptions {
  readonly list: {
    importBlocked(
      entries: readonly ImportedEntry[],
      options: DoNotTextImportOptions,
    ): Promise<DoNotTextImportReply>
  }
  /** Reads the file from its beginning. */
  readonly rows: () => AsyncIterable<DoNotTextCsvRow>
  readonly dryRun: boolean
  readonly skipInvalid: boolean
  readonly signal: AbortSignal
}

interface Batch {
  readonly lines: number[]
  readonly entries: ImportedEntry[]
}

/** Bytes of a batch, of the 256 KB that a request may have. */
const batchBytes = 128 * 1024

/** Imports a file: reads it once to check every line, and if that is well again to list its numbers. */
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
    const reply = await list.importBlocked(entries, { dryRun, skipInvalid: true, signal })
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
      if (batch.entries.length === limits.blockBatch || bytes + size > batchBytes) {
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
