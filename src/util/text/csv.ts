// Text formats.
// - csv: reads CSV files, and detects what separates their cells; csv-row writes a row
// - charset: decoders of encodings
// - decode-text: bytes of an encoding to text with line feeds
// - parse-json: reads JSON that may be malformed
// - shell-words: splits a command line
// - plural: counts in words

import { RelayError } from '../../errors.js'
import { decodeText } from './decode-text.js'

export interface CsvRecord {
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
  const splitter = new CsvSplitter(delimiter, beginning.slice(0, skip).split('\n').length)
  yield* splitter.push(beginning.slice(skip))
  for await (const more of text) yield* splitter.push(more)
  yield* splitter.push('', true)
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

function getFirstLine(beginning: string): string {
  const [line = ''] = /[^\n]+/.exec(beginning.replace(/"[^"]*"/g, '')) ?? []
  return line
}

/** Characters of a CSV record at most, because a quote may never be closed. */
const maxRecord = 1024 * 1024

interface Position {
  at: number
  breaks: number
}

/**
 * Splits the text of a CSV file into records (RFC 4180), without empty lines. Its lines end with
 * line feeds. Throws `invalid_parameter`.
 */
class CsvSplitter {
  readonly #delimiter: string
  #line: number
  #text = ''

  constructor(delimiter: string, line: number) {
    this.#delimiter = delimiter
    this.#line = line
  }

  /** Adds text; returns the records that are complete. With `isEnd`, nothing follows. */
  push(text: string, isEnd = false): CsvRecord[] {
    this.#text += text
    const records: CsvRecord[] = []
    let start = 0
    while (start < this.#text.length) {
      const position = { at: start, breaks: 0 }
      const cells = this.#readRecord(position, isEnd)
      const length = (cells === undefined ? this.#text.length : position.at) - start
      if (length > maxRecord) throw csvError(this.#line, 'the record is longer than 1 MiB')
      if (cells === undefined) break
      if (position.at > start + 1) records.push({ line: this.#line, cells })
      this.#line += position.breaks + 1
      start = position.at
    }
    this.#text = this.#text.slice(start)
    return records
  }

  /** Returns undefined if the record is not complete; otherwise moves behind it. */
  #readRecord(position: Position, isEnd: boolean): string[] | undefined {
    const text = this.#text
    const feed = text.indexOf('\n', position.at)
    const end = feed === -1 ? text.length : feed
    const line = text.slice(position.at, end)
    if (line.includes('"')) return this.#readCells(position, isEnd)
    if (feed === -1 && !isEnd) return undefined
    position.at = end + 1
    return line.split(this.#delimiter)
  }

  #readCells(position: Position, isEnd: boolean): string[] | undefined {
    const text = this.#text
    const cells: string[] = []
    for (;;) {
      const cell =
        text[position.at] === '"' ? this.#readQuoted(position, isEnd) : this.#readPlain(position)
      const next = text[position.at]
      if (cell === undefined || (next === undefined && !isEnd)) return undefined
      cells.push(cell)
      position.at += 1
      if (next !== this.#delimiter) return cells
    }
  }

  #readPlain(position: Position): string {
    const text = this.#text
    const start = position.at
    for (; position.at < text.length; position.at += 1) {
      const letter = text[position.at]
      if (letter === this.#delimiter || letter === '\n') break
      if (letter !== '"') continue
      const line = this.#line + position.breaks
      throw csvError(line, 'there is a quote in a cell that is not in quotes')
    }
    return text.slice(start, position.at)
  }

  #readQuoted(position: Position, isEnd: boolean): string | undefined {
    const text = this.#text
    let cell = ''
    for (let start = position.at + 1; ; ) {
      const quote = text.indexOf('"', start)
      if (quote === -1 && isEnd) throw csvError(this.#line, 'a quote is never closed')
      const next = text[quote + 1]
      if (quote === -1 || (next === undefined && !isEnd)) return undefined
      cell += text.slice(start, quote)
      start = quote + 2
      position.at = quote + 1
      if (next === '"') cell += '"'
      else {
        position.breaks += cell.split('\n').length - 1
        if (next === undefined || next === '\n' || next === this.#delimiter) return cell
        const line = this.#line + position.breaks
        throw csvError(line, 'there is text after a closing quote')
      }
    }
  }
}

function csvError(line: number, problem: string): RelayError {
  return new RelayError('invalid_parameter', `Line ${line}: ${problem}.`, {
    hint: 'Put a cell with quotes in quotes, and double the quotes inside.',
  })
}
