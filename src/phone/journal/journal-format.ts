import { RelayError } from '../../errors.js'
import { decodeChecksumLine, encodeChecksumLine } from '../../util/files/checksum-line.js'
import { AttemptHistory, type AttemptRecord } from './attempt-history.js'

/** Version of the format of the journal; a higher one is refused. */
const formatVersion = 1

/** First line of a journal. */
interface Header {
  readonly smsrelay: 'phone'
  readonly format: number
  /** Whose messages it is about. */
  readonly owner: string
  /** Lines that were on the disk, this one included, when the file got its name. */
  readonly lines: number
}

/** A note, and how many bytes of the file were surely on the disk when it was written. */
type JournalLine = AttemptRecord & { readonly synced: number }

/** A journal as it was found. */
export interface JournalReading {
  readonly owner: string
  readonly history: AttemptHistory
  /** Bytes that are whole. */
  readonly length: number
  /** Bytes after that, which were being written when the phone or the machine died. */
  readonly torn: number
}

/** A whole journal of a book. */
export function encodeJournal(owner: string, book: AttemptHistory): string {
  const lines = [...book.records()].map(note => encodeAttemptRecord(note, 0))
  const header: Header = {
    smsrelay: 'phone',
    format: formatVersion,
    owner,
    lines: lines.length + 1,
  }
  return encodeChecksumLine(header) + lines.join('')
}

/** A note as one line. */
export function encodeAttemptRecord(note: AttemptRecord, synced: number): string {
  return encodeChecksumLine({ ...note, synced } satisfies JournalLine)
}

/**
 * Reads a journal. A line that is not whole ends it, unless it is known to have been on the disk once: then it
 * throws `damaged_data` naming file and line. Throws `configuration` for a journal of a newer version.
 */
export function decodeJournal(
  path: string,
  bytes: Buffer,
  book = new AttemptHistory(),
): JournalReading {
  const lines = splitLines(bytes)
  const header = parseHeader(path, lines[0])
  let length = lines[0]?.end ?? 0
  let torn: { readonly line: number; readonly from: number } | undefined
  for (const [index, { value }] of lines.entries()) {
    if (index === 0) continue
    const note = isJournalLine(value) ? value : undefined
    if (note === undefined) torn ??= { line: index + 1, from: length }
    const bad = torn !== undefined && torn.line <= header.lines
    if (torn !== undefined && (bad || (note?.synced ?? 0) > torn.from))
      throw damagedJournalError(path, torn.line)
    if (torn !== undefined || note === undefined) continue
    const { synced: _, ...rest } = note
    book.apply(rest)
    length = lines[index]?.end ?? length
  }
  if (torn === undefined && lines.length < header.lines)
    throw damagedJournalError(path, lines.length + 1)
  return { owner: header.owner, history: book, length, torn: bytes.length - length }
}

interface ParsedLine {
  readonly value: unknown
  /** Where the next line begins. */
  readonly end: number
}

/** The lines of a file; what follows the last line feed is the last, without a value. */
function splitLines(bytes: Buffer): ParsedLine[] {
  const pieces: ParsedLine[] = []
  let from = 0
  for (let end = bytes.indexOf(10); end !== -1; end = bytes.indexOf(10, from)) {
    for (const value of parseValues(bytes.subarray(from, end))) pieces.push({ value, end: end + 1 })
    from = end + 1
  }
  if (from < bytes.length) pieces.push({ value: undefined, end: bytes.length })
  return pieces
}

/** The value of a line; of two where the line feed between them was overwritten, the second after nothing. */
function parseValues(line: Buffer): unknown[] {
  const value = decodeChecksumLine(line)
  if (value !== undefined) return [value]
  for (const { index } of line.toString('latin1').matchAll(/[0-9a-f]{8} \{/g)) {
    const second = decodeChecksumLine(line.subarray(index))
    if (second !== undefined) return [undefined, second]
  }
  return [undefined]
}

function parseHeader(path: string, line: ParsedLine | undefined): Header {
  const header = line?.value as Partial<Header> | undefined
  if (header?.smsrelay !== 'phone' || typeof header.format !== 'number')
    throw damagedJournalError(path, 1)
  if (header.format <= formatVersion) return header as Header
  throw new RelayError(
    'configuration',
    `${path} was written by a newer version of smsrelay (format ${header.format}, known is ${formatVersion}).`,
    { hint: 'Install that version, or choose another directory with --journal.' },
  )
}

function isJournalLine(value: unknown): value is JournalLine {
  return typeof value === 'object' && value !== null && 'do' in value && 'synced' in value
}

function damagedJournalError(path: string, line: number): RelayError {
  return new RelayError('damaged_data', `${path} is damaged at line ${line}.`, {
    hint: 'Nothing was changed. Move the file away to begin anew; what it held is then not reported.',
  })
}
