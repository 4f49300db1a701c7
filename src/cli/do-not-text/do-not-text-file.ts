import { type CsvError, parse } from 'csv-parse'
import { createDoNotTextCsvReader, type DoNotTextCsvRow } from '../../contract/do-not-text-csv.js'
import { RelayError } from '../../errors.js'
import { createCharsetDecoder } from '../../util/text/charset.js'

const maxRecordSize = 64 * 1024

/**
 * Reads a CSV file (RFC 4180) of Do Not Text entries row by row. A header may name the columns in
 * any order; without one, they are number, note, added_on and reason. Throws `usage` if the file is
 * not CSV in `encoding`.
 */
export async function* readDoNotTextCsv(
  source: AsyncIterable<Uint8Array>,
  encoding = 'utf-8',
): AsyncGenerator<DoNotTextCsvRow> {
  const read = createDoNotTextCsvReader()
  let line = 1
  for await (const { record, raw } of readRecords(source, encoding)) {
    const row = read(record, line)
    line += raw.match(/\r\n|\n|\r/g)?.length ?? 0
    if (row !== undefined) yield row
  }
}

async function* readRecords(
  source: AsyncIterable<Uint8Array>,
  encoding: string,
): AsyncGenerator<{ record: string[]; raw: string }> {
  const { pipeline } = await import('node:stream/promises')
  const { text, delimiter } = await detectDelimiter(decodeFile(source, encoding))
  const parser = parse({
    delimiter,
    ...{ bom: true, raw: true, relax_column_count: true, relax_quotes: true, trim: true },
    record_delimiter: ['\r\n', '\n', '\r'],
    max_record_size: maxRecordSize,
  })
  const piped = pipeline(text, parser)
  piped.catch(() => {})
  try {
    for await (const each of parser) yield each as { record: string[]; raw: string }
    await piped
  } catch (error) {
    throw isCsvError(error) ? unclosedQuoteError(error) : error
  }
}

/** Line ends in the file of the import command stay as they are: a note can have any of them. */
async function* decodeFile(
  source: AsyncIterable<Uint8Array>,
  encoding: string,
): AsyncGenerator<string> {
  const decoder = createCharsetDecoder(encoding)
  try {
    for await (const chunk of source) yield decoder.decode(chunk, false)
    yield decoder.decode(new Uint8Array(), true)
  } catch (cause) {
    if (!(cause instanceof TypeError)) throw cause
    const hint = 'Save it as CSV in UTF-8, or name its encoding with --encoding.'
    const name = decoder.name.toUpperCase()
    throw new RelayError('usage', `The file is not ${name} text.`, { hint, cause })
  }
}

async function detectDelimiter(
  text: AsyncIterable<string>,
): Promise<{ text: AsyncIterable<string>; delimiter: string }> {
  const rest = text[Symbol.asyncIterator]()
  let start = ''
  while (!/[\r\n]/.test(start)) {
    const { value, done } = await rest.next()
    if (done === true) break
    start += value
  }
  const [line = ''] = start.split(/[\r\n]/)
  const delimiter = [',', ';', '\t'].find(each => line.includes(each)) ?? ','
  const whole = async function* (): AsyncGenerator<string> {
    yield start
    yield* { [Symbol.asyncIterator]: () => rest }
  }
  return { text: whole(), delimiter }
}

function isCsvError(error: unknown): error is CsvError {
  return error instanceof Error && 'records' in error && 'code' in error
}

function unclosedQuoteError({ records: before }: CsvError): RelayError {
  return new RelayError(
    'usage',
    `A quotation mark after record ${String(before)} is never closed.`,
    { hint: 'Close it. Nothing was imported.' },
  )
}
