// Text formats.
// - csv: reads CSV files, and detects what separates their cells
// - charset: decoders of encodings
// - decode-text: bytes of an encoding to text with line feeds
// - parse-json: reads JSON that may be malformed
// - shell-words: splits a command line
// - plural: counts in words

import { pipeline, Readable } from 'node:stream'
import { type CsvError, type Info, parse } from 'csv-parse'
import { RelayError } from '../../errors.js'
import { decodeText } from './decode-text.js'

export interface CsvRecord {
  /** The line of any CSV file on which the record begins, from 1. */
  readonly line: number
  readonly cells: readonly string[]
}

export interface CsvOptions {
  /**
   * Encoding of any CSV file: a label of the Encoding Standard; a UTF-16 byte order mark overrides
   * it.
   * @default utf-8
   */
  readonly encoding?: string | undefined
}

/** Most characters of a record in any CSV file, because a quote may never be closed. */
const maxRecord = 1024 * 1024
/** Characters in which the first line of a CSV file must end to detect its delimiter. */
const maxBeginning = 64 * 1024

/**
 * Reads the records of a CSV file (RFC 4180), including the header, without empty lines. Detects
 * the delimiter. Line ends in cells become line feeds. Throws `invalid_parameter`.
 */
export async function* readCsv(
  bytes: AsyncIterable<Uint8Array>,
  { encoding }: CsvOptions = {},
): AsyncGenerator<CsvRecord> {
  const text = decodeText(bytes, encoding)
  const beginning = await readBeginning(text)
  const { delimiter, skip } = detectDelimiter(beginning)
  const parser = parse({
    delimiter,
    record_delimiter: '\n',
    info: true,
    max_record_size: maxRecord,
    relax_column_count: true,
    skip_empty_lines: true,
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

const knownDelimiters = [',', ';', '\t', '|'] as const

interface Delimiter {
  readonly delimiter: string
  readonly skip: number
}

/**
 * Detects the delimiter of a CSV file: that of a first line `sep=;`, which spreadsheets write, or
 * the one of comma, semicolon, tab and bar that occurs most often in the first line outside of
 * quotes.
 */
function detectDelimiter(beginning: string): Delimiter {
  const declared = /^sep=(.)\n/i.exec(beginning)
  if (declared?.[1] !== undefined) return { delimiter: declared[1], skip: declared[0].length }
  const counts = new Map<string, number>()
  for (const letter of getFirstLine(beginning)) counts.set(letter, (counts.get(letter) ?? 0) + 1)
  const [delimiter] = [...knownDelimiters].sort(
    (a, b) => (counts.get(b) ?? 0) - (counts.get(a) ?? 0),
  )
  return { delimiter: delimiter ?? ',', skip: 0 }
}

function hasFirstLine(beginning: string): boolean {
  return /^\n*[^\n]+\n/.test(beginning)
}

/** The first non-empty line of a CSV file, without quoted parts. */
function getFirstLine(beginning: string): string {
  const [line = ''] = /[^\n]+/.exec(beginning.replace(/"[^"]*"/g, '')) ?? []
  return line
}

const errorTexts: Partial<Record<string, string>> = {
  CSV_QUOTE_NOT_CLOSED: 'a quote is never closed',
  CSV_INVALID_CLOSING_QUOTE: 'there is text after a closing quote',
  INVALID_OPENING_QUOTE: 'there is a quote in a cell that is not in quotes',
  CSV_MAX_RECORD_SIZE: 'the record is longer than 1 MiB; is a quote not closed?',
}

function toCsvError(error: unknown, skipped: number): unknown {
  const { code, lines } = error as Partial<CsvError> & { lines?: number }
  const problem = errorTexts[String(code)]
  if (error instanceof RelayError || problem === undefined) return error
  const line = skipped + Number(lines ?? 1)
  return new RelayError('invalid_parameter', `Line ${line}: ${problem}.`, {
    hint: 'Put a cell with quotes in quotes, and double the quotes inside.',
    cause: error,
  })
}
