import { RelayError } from '../../errors.js'
import { decodeChecksumLine, encodeChecksumLine } from '../../util/files/checksum-line.js'
import { splitLines } from '../../util/files/log-reader.js'
import { AttemptHistory, type AttemptRecord } from './attempt-history.js'

const formatVersion = 1
const lineFeed = 0x0a

interface Header {
  readonly smsrelay: 'phone'
  readonly format: number
  /** Hash of the secret key of the journal's account. */
  readonly owner: string
  /** Number of lines with which the journal was created, this one included; fewer are damage. */
  readonly lines: number
}

/**
 * `synced`: bytes of the journal file that were known to be on the disk before the line was
 * written.
 */
type JournalLine = AttemptRecord & { readonly synced: number }

export interface JournalReading {
  readonly owner: string
  readonly history: AttemptHistory
  /** Bytes of valid content of the journal. */
  readonly length: number
  /** Bytes after that: journal writes that a crash interrupted. */
  readonly torn: number
}

export function encodeJournal(owner: string, history: AttemptHistory): string {
  const records = [...history.records()].map(record => encodeAttemptRecord(record, 0))
  const lines = records.length + 1
  const header: Header = { smsrelay: 'phone', format: formatVersion, owner, lines }
  return encodeChecksumLine(header) + records.join('')
}

export function encodeAttemptRecord(record: AttemptRecord, synced: number): string {
  return encodeChecksumLine({ ...record, synced } satisfies JournalLine)
}

/**
 * Reads a phone's journal. Lines of one batch may reach the disk in any order, so a damaged line
 * ends the journal, together with the whole lines after it. If such a line proves that the damaged
 * one was on the disk before, throws `damaged_data` with file and line. Throws `configuration` for
 * a journal of a newer version.
 */
export function decodeJournal(
  path: string,
  file: Buffer,
  history = new AttemptHistory(),
): JournalReading {
  const bytes = removePreallocation(file)
  const [first, ...lines] = parseLines(bytes)
  const header = parseHeader(path, first)
  let length = first?.end ?? 0
  let tornLine: number | undefined
  for (const [index, { value, end }] of lines.entries()) {
    const number = index + 2
    const record = isJournalLine(value) ? value : undefined
    if (record === undefined) tornLine ??= number
    if (tornLine === undefined && record !== undefined) {
      const { synced: _, ...rest } = record
      history.apply(rest)
      length = end
      continue
    }
    const wasSynced = (tornLine ?? number) <= header.lines || (record?.synced ?? 0) > length
    if (wasSynced) throw damagedJournalError(path, tornLine ?? number)
  }
  const count = lines.length + 1
  if (tornLine === undefined && count < header.lines) throw damagedJournalError(path, count + 1)
  return { owner: header.owner, history, length, torn: bytes.length - length }
}

interface ParsedLine {
  /** Undefined for a damaged line. */
  readonly value: unknown
  /** Offset of the journal's next line. */
  readonly end: number
}

/** Removes the line feeds that a crash left behind the last line of the journal. */
function removePreallocation(file: Buffer): Buffer {
  let end = file.length
  while (end > 1 && file[end - 1] === lineFeed && file[end - 2] === lineFeed) end -= 1
  return file.subarray(0, end)
}

function parseLines(bytes: Buffer): ParsedLine[] {
  const lines: ParsedLine[] = []
  const rest = splitLines(bytes, (line, at) => {
    const end = at + line.length + 1
    for (const value of parseValues(line)) lines.push({ value, end })
  })
  if (rest.bytes.length > 0) lines.push({ value: undefined, end: bytes.length })
  return lines
}

/**
 * The value of a journal line. If its start is damaged and a whole line follows: undefined and
 * that.
 */
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
  if (header?.smsrelay !== 'phone' || typeof header.format !== 'number') {
    throw damagedJournalError(path, 1)
  }
  if (header.format <= formatVersion) return header as Header
  throw new RelayError(
    'configuration',
    `${path} has format ${header.format} of a newer smsrelay; this one reads up to ` +
      `${formatVersion}.`,
    { hint: 'Install the newer version, or choose another directory with --journal.' },
  )
}

function isJournalLine(value: unknown): value is JournalLine {
  return typeof value === 'object' && value !== null && 'do' in value && 'synced' in value
}

function damagedJournalError(path: string, line: number): RelayError {
  return new RelayError('damaged_data', `${path} is damaged at line ${line}.`, {
    hint: 'Nothing was changed. To start without it, move the file away; its outcomes are lost.',
  })
}
