import { type CsvError, parse } from 'csv-parse'
import { createDoNotTextCsvReader, type DoNotTextCsvRow } from '../../contract/do-not-text-csv.js'
import { RelayError } from '../../errors.js'

const maxRecordSize = 64 * 1024

/**
 * Reads a CSV file (RFC 4180) of Do Not Text entries row by row. A header may name the columns in
 * any order; without one, they are number, note, added_on and reason. Throws `usage` if the file is
 * not CSV in UTF-8.
 */
export async function* readDoNotTextCsv(
  source: AsyncIterable<Uint8Array>,
): AsyncGenerator<DoNotTextCsvRow> {
  const read = createDoNotTextCsvReader()
  let line = 1
  for await (const { record, raw } of readRecords(source)) {
    const row = read(record, line)
    line += raw.match(/\r\n|\n|\r/g)?.length ?? 0
    if (row !== undefined) yield row
  }
}

async function* readRecords(
  source: AsyncIterable<Uint8Array>,
): AsyncGenerator<{ record: string[]; raw: string }> {
  const { pipeline } = await import('node:stream/promises')
  const { text, delimiter } = await detectDelimiter(decodeUtf8(source))
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

async function* decodeUtf8(source: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  try {
    for await (const chunk of source) yield decoder.decode(chunk, { stream: true })
    yield decoder.decode()
  } catch (cause) {
    if (!(cause instanceof TypeError)) throw cause
    const hint = 'Save it as CSV in UTF-8.'
    throw new RelayError('usage', 'The file is not UTF-8 text.', { hint, cause })
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
