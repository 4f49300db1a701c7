// Text formats.
// - csv: reads CSV files, and detects what separates their cells; csv-splitter splits them, and
//   csv-row writes a row
// - charset: decoders of encodings
// - decode-text: bytes of an encoding to text with line feeds
// - parse-json: reads JSON that may be malformed
// - shell-words: splits a command line
// - plural: counts in words

import { type CsvRecord, CsvSplitter } from './csv-splitter.js'
import { decodeText } from './decode-text.js'

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
