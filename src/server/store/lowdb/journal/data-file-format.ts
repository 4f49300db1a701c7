import { RelayError } from '../../../../errors.js'
import { AppendLog } from '../../../../util/files/append-log.js'
import { encodeChecksumBytes } from '../../../../util/files/checksum-line.js'
import { readLog } from '../../../../util/files/log-reader.js'

/**
 * Version of the format of the store's journal and snapshot; files of a higher version are refused.
 */
export const formatVersion = 1

/** First line of a journal or snapshot. */
export interface Header {
  readonly smsrelay: 'snapshot' | 'journal'
  readonly format: number
}

/** Last line of a snapshot. */
export interface Trailer {
  /** Number of lines between the snapshot's header and trailer. */
  readonly lines: number
}

const journalOptions = { preallocate: 256 << 10 }

/** Creates a journal with its header; after an error there is no file. */
export async function createJournal(path: string): Promise<AppendLog> {
  const header: Header = { smsrelay: 'journal', format: formatVersion }
  return await AppendLog.create(path, encodeChecksumBytes(header), journalOptions)
}

/** Opens a journal to append after `length` bytes; truncates the rest. */
export async function openJournal(path: string, length: number): Promise<AppendLog> {
  return await AppendLog.open(path, { ...journalOptions, length })
}

/** Result of {@link readDataFile}, a journal or snapshot; in bytes. */
export interface DataFileReading {
  /** Bytes of the data file up to the end of the last whole line. */
  readonly length: number
  /** Bytes of the torn tail after that. */
  readonly torn: number
}

/**
 * Reads a journal or snapshot; `onLine` gets the value of each line but the header. Throws
 * `damaged_data` with file and line for anything that is not a whole line, except a torn tail if
 * that is allowed, and `configuration` for a file of a newer version.
 */
export async function readDataFile(
  path: string,
  options: { readonly allowTornTail: boolean },
  onLine: (value: unknown) => void,
): Promise<DataFileReading> {
  let header: Partial<Header> = {}
  let last: unknown
  const { lines, length, torn, damage } = await readLog(path, options, (value, line) => {
    if (line === 1) header = checkHeader(path, value)
    else onLine(value)
    last = value
  })
  if (damage[0] !== undefined) throw damagedDataError(path, damage[0].line)
  if (length === 0 && !options.allowTornTail) throw damagedDataError(path, 1)
  if (header.smsrelay === 'snapshot' && (last as Partial<Trailer>).lines !== lines - 2) {
    throw damagedDataError(path, lines + 1)
  }
  return { length, torn }
}

function checkHeader(path: string, value: unknown): Partial<Header> {
  const header = value as Partial<Header>
  if (typeof header?.format !== 'number') throw damagedDataError(path, 1)
  if (header.format <= formatVersion) return header
  throw new RelayError(
    'configuration',
    `${path} has format ${header.format} of a newer smsrelay; this one reads up to ` +
      `${formatVersion}.`,
    { hint: 'Install the newer version, or choose another directory with --data.' },
  )
}

function damagedDataError(path: string, line: number): RelayError {
  return new RelayError('damaged_data', `${path} is damaged at line ${line}.`, {
    hint: 'Restore the data directory from a backup. Nothing was changed.',
  })
}
