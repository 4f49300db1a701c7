import { createHash } from 'node:crypto'
import { type BulkOptions, type BulkRow, createBulkReader } from '../../domain/bulk/bulk-table.js'
import { hashText } from '../../util/crypto/secrets.js'
import { type CsvRecord, readCsv } from '../../util/text/csv.js'
import type { BulkSource } from './bulk-source.js'

/** How the rows of a file are read. */
export type BulkReadOptions = Omit<BulkOptions, 'digest'> & {
  /** A label of the Encoding standard. */
  readonly encoding?: string | undefined
}

/** What was found in a file. */
export interface BulkCheck {
  /** Of the file and of how it is read. */
  readonly digest: string
  readonly rows: number
  readonly invalid: number
}

/** Characters of a row's fingerprint: 132 bits. */
const fingerprintLength = 22

/** The rows of a file, one after the other. Throws `invalid_parameter` for what is no table of messages. */
export async function* readRows(
  bytes: AsyncIterable<Uint8Array>,
  { encoding, ...plan }: BulkReadOptions,
): AsyncGenerator<BulkRow> {
  const read = createBulkReader({
    ...plan,
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

/** Reads all rows without sending any; `see` is told of each. Throws what {@link readRows} throws. */
export async function checkRows(
  source: BulkSource,
  plan: BulkReadOptions,
  signal: AbortSignal,
  see: (row: BulkRow) => void,
): Promise<BulkCheck> {
  let rows = 0
  let invalid = 0
  let found = ''
  const told = (end: string): void => {
    found = end
  }
  for await (const row of readRows(readAndHash(source, plan, told), plan)) {
    signal.throwIfAborted()
    rows += 1
    if (row.problems.length > 0) invalid += 1
    see(row)
  }
  return { digest: found, rows, invalid }
}

/** The bytes of a file; at their end `tell` gets the digest of them and of how they are read. */
export async function* readAndHash(
  source: BulkSource,
  { text, country, sendOn, encoding }: BulkReadOptions,
  tell: (digest: string) => void,
): AsyncGenerator<Uint8Array> {
  const hash = createHash('sha256')
  for await (const chunk of source.open()) {
    hash.update(chunk)
    yield chunk
  }
  const how = JSON.stringify([text, country, sendOn, encoding].map(each => each ?? null))
  tell(hashText(`${hash.digest('base64url')} ${how}`))
}
