import { createHash } from 'node:crypto'
import { type BulkOptions, type BulkRow, createBulkReader } from '../../domain/bulk/bulk-table.js'
import { hashText } from '../../util/crypto/secrets.js'
import { type CsvRecord, readCsv } from '../../util/text/csv.js'
import type { RereadableFile } from '../terminal/rereadable-file.js'

export type BulkReadOptions = Omit<BulkOptions, 'digest'> & {
  readonly encoding?: string | undefined
}

export interface BulkCheck {
  readonly digest: string
  readonly rows: number
  readonly invalid: number
}

const fingerprintLength = 22

/** Characters of the texts of a batch: its body stays below 1 MiB, the limit of many proxies. */
const maxCharacters = 200_000

export async function* readRows(
  bytes: AsyncIterable<Uint8Array>,
  { encoding, ...readOptions }: BulkReadOptions,
): AsyncGenerator<BulkRow> {
  const read = createBulkReader({
    ...readOptions,
    digest: text => hashText(text).slice(0, fingerprintLength),
  })
  let header: CsvRecord | undefined
  for await (const record of readCsv(bytes, { encoding })) {
    header ??= record
    const row = read(record)
    if (row !== undefined) yield row
  }
  if (header === undefined) read({ line: 1, cells: [] })
}

export async function checkRows(
  source: RereadableFile,
  readOptions: BulkReadOptions,
  signal: AbortSignal,
  onRow: (row: BulkRow) => void,
): Promise<BulkCheck> {
  let rows = 0
  let invalid = 0
  let digest = ''
  const onEnd = (result: string): void => {
    digest = result
  }
  for await (const row of readRows(readAndHash(source, onEnd), readOptions)) {
    signal.throwIfAborted()
    rows += 1
    if (row.problems.length > 0) invalid += 1
    onRow(row)
  }
  return { digest, rows, invalid }
}

/** Reads the bytes of a file; `onEnd` gets their SHA-256. */
export async function* readAndHash(
  source: RereadableFile,
  onEnd: (digest: string) => void,
): AsyncGenerator<Uint8Array> {
  const hash = createHash('sha256')
  for await (const chunk of source.open()) {
    hash.update(chunk)
    yield chunk
  }
  onEnd(hash.digest('base64url'))
}

export async function* collectRows(
  rows: AsyncGenerator<BulkRow>,
  maxRows: number,
): AsyncGenerator<readonly BulkRow[]> {
  try {
    let batch: BulkRow[] = []
    let characters = 0
    for await (const row of rows) {
      batch.push(row)
      characters += row.draft.message.length
      if (batch.length < maxRows && characters < maxCharacters) continue
      yield batch
      batch = []
      characters = 0
    }
    if (batch.length > 0) yield batch
  } finally {
    await rows.return(undefined)
  }
}
