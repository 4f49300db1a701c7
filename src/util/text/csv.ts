import { pipeline, Readable } from 'node:stream'
import { type CsvError, type Info, parse } from 'csv-parse'
import { RelayError } from '../../errors.js'
import { detectDelimiter, hasFirstLine } from './csv-delimiter.js'
import { decodeText } from './decode-text.js'

/** A record of a CSV file. */
export interface CsvRecord {
  /** The line on which it begins, from 1. */
  readonly line: number
  readonly cells: readonly string[]
}

/** How a CSV file is read. */
export interface CsvOptions {
  /** A label of the Encoding standard; a byte order mark of UTF-16 is stronger. @default utf-8 */
  readonly encoding?: string | undefined
}

/** Characters of one record at most: a quote that is never closed does not take the memory. */
const maxRecord = 1024 * 1024
/** Characters in which the first line has to end for its delimiters to be counted. */
const maxBeginning = 64 * 1024

/**
 * The records of a CSV file (RFC 4180), header included, empty lines left out; the delimiter is found out. A line end in
 * a cell is a line feed. Throws `invalid_parameter`.
 */
export async function* readCsv(
  bytes: AsyncIterable<Uint8Array>,
  { encoding }: CsvOptions = {},
): AsyncGenerator<CsvRecord> {
  const text = decodeText(bytes, encoding)
  const beginning = await readBeginning(text)
  const { delimiter, skip } = detectDelimiter(beginning)
  const parser = parse({
    ...{ delimiter, record_delimiter: '\n', info: true, max_record_size: maxRecord },
    ...{ relax_column_count: true, skip_empty_lines: true },
  })
  pipeline(Readable.from(concatenate(beginning.slice(skip), text)), parser, () => {})
  const skipped = beginning.slice(0, skip).split('\n').length - 1
  try {
    for await (const { record, info } of parser as AsyncIterable<Parsed>) {
      const inner = record.reduce((sum, cell) => sum + cell.split('\n').length - 1, 0)
      yield { line: skipped + info.lines - inner, cells: record }
    }
  } catch (error) {
    throw toCsvError(error, skipped)
  }
}

interface Parsed {
  readonly record: string[]
  readonly info: Info
}

async function readBeginning(text: AsyncIterator<string>): Promise<string> {
  let beginning = ''
  while (!hasFirstLine(beginning) && beginning.length < maxBeginning) {
    const { value, done } = await text.next()
    if (done === true) break
    beginning += value
  }
  return beginning
}

async function* concatenate(
  beginning: string,
  rest: AsyncIterable<string>,
): AsyncGenerator<string> {
  if (beginning !== '') yield beginning
  yield* rest
}

const errorTexts: Partial<Record<string, string>> = {
  CSV_QUOTE_NOT_CLOSED: 'a quote is opened and never closed',
  CSV_INVALID_CLOSING_QUOTE: 'something follows a closing quote',
  INVALID_OPENING_QUOTE: 'a quote is inside of a cell that is not in quotes',
  CSV_MAX_RECORD_SIZE: 'the record is longer than 1 MiB; is a quote not closed?',
}

function toCsvError(error: unknown, skipped: number): unknown {
  const { code, lines } = error as Partial<CsvError> & { lines?: number }
  const sentence = errorTexts[String(code)]
  if (error instanceof RelayError || sentence === undefined) return error
  const line = skipped + Number(lines ?? 1)
  return new RelayError('invalid_parameter', `Line ${line}: ${sentence}.`, {
    hint: 'A cell with quotes in it is put in quotes, and each of its own is doubled.',
    cause: error,
  })
}
