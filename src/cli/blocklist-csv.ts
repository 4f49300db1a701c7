import { type CsvError, parse } from 'csv-parse'
import type { BlocklistFields } from '../contract/blocklist-reply.js'
import { RelayError } from '../errors.js'

/** What a line of a list holds, as text. */
export interface CsvEntry {
  readonly number: string
  readonly note?: string
  readonly added_on?: string
  readonly reason?: string
}

/** A line of a list, with the number of its first line in the file; one that cannot be read has a problem instead. */
export type CsvRow = { readonly line: number } & (
  | { readonly entry: CsvEntry }
  | { readonly problem: string }
)

/** The columns of a list without a header. */
const columns = ['number', 'note', 'added_on', 'reason'] as const
/** The columns that are written. */
const written = [...columns, 'by'] as const
type Column = (typeof columns)[number]

/** What a spreadsheet takes for a formula, with the marks that keep it from that; other widths count too. */
const guarded = /^'+[=+\-@\t\r＝＋－＠]/u
const dangerous = /^'*[=+\-@\t\r＝＋－＠]/u

const longestRecord = 64 * 1024

/**
 * Reads a list (RFC 4180) row by row: with a header that names its columns in any order, or without one in the order
 * number, note, added_on, reason. Throws `usage` for what is no such file.
 */
export async function* readBlocklistCsv(source: AsyncIterable<Buffer>): AsyncGenerator<CsvRow> {
  let places: ReadonlyMap<Column, number> | undefined
  let line = 1
  for await (const { record, raw } of records(source)) {
    const at = line
    line += raw.match(/\r\n|\n|\r/g)?.length ?? 0
    if (record.every(cell => cell.trim() === '')) continue
    if (places === undefined) {
      places = headerOf(record)
      if (places.size > 0) continue
      places = new Map(columns.map((name, place) => [name, place]))
    }
    yield { line: at, ...readRow(record, places) }
  }
}

/** A list as CSV (RFC 4180), line by line, that no spreadsheet takes for formulas. */
export function* blocklistCsv(entries: Iterable<BlocklistFields>): Generator<string> {
  yield `${written.join(',')}\r\n`
  for (const entry of entries) {
    const cells = written.map(name => entry[name] ?? '')
    yield `${cells.map(guard).map(quoted).join(',')}\r\n`
  }
}

async function* records(
  source: AsyncIterable<Buffer>,
): AsyncGenerator<{ record: string[]; raw: string }> {
  const { pipeline } = await import('node:stream/promises')
  const { text, delimiter } = await begun(utf8(source))
  const parser = parse({
    delimiter,
    ...{ bom: true, raw: true, relax_column_count: true, relax_quotes: true, trim: true },
    record_delimiter: ['\r\n', '\n', '\r'],
    max_record_size: longestRecord,
  })
  const piped = pipeline(text, parser)
  piped.catch(() => {})
  try {
    for await (const each of parser) yield each as { record: string[]; raw: string }
    await piped
  } catch (error) {
    throw isCsvError(error) ? unclosed(error) : error
  }
}

async function* utf8(source: AsyncIterable<Buffer>): AsyncGenerator<string> {
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

/** The text, and what its first line has between its cells: some spreadsheets write semicolons or tabs. */
async function begun(
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

function headerOf(record: readonly string[]): Map<Column, number> {
  const names = record.map(cell => cell.trim().toLowerCase())
  if (!names.includes('number')) return new Map()
  const found = columns.map(name => [name, names.indexOf(name)] as const)
  return new Map(found.filter(([, place]) => place !== -1))
}

function readRow(
  record: readonly string[],
  places: ReadonlyMap<Column, number>,
): { entry: CsvEntry } | { problem: string } {
  const most = Math.max(...places.values()) + 1
  const isList = places.size === columns.length && most === columns.length
  if (isList && record.length > written.length) {
    const problem = 'It has too many columns; a note with commas in it needs quotation marks.'
    return { problem }
  }
  const cell = (name: Column): string => unguarded(record[places.get(name) ?? -1] ?? '')
  const rest = (['note', 'added_on', 'reason'] as const)
    .map(name => [name, cell(name)] as const)
    .filter(([, text]) => text !== '')
  return { entry: { number: cell('number').trim(), ...Object.fromEntries(rest) } }
}

/** A number with its plus sign is no formula that does anything, and stays readable to other programs. */
function guard(text: string): string {
  return dangerous.test(text) && !/^\+\d+$/.test(text) ? `'${text}` : text
}

function unguarded(text: string): string {
  return guarded.test(text) ? text.slice(1) : text
}

function quoted(text: string): string {
  return /[",\r\n]|^\s|\s$/u.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

function isCsvError(error: unknown): error is CsvError {
  return error instanceof Error && 'records' in error && 'code' in error
}

function unclosed({ records: before }: CsvError): RelayError {
  return new RelayError(
    'usage',
    `Behind record ${String(before)} a quotation mark is opened and never closed.`,
    { hint: 'Mend the file; nothing of it was imported.' },
  )
}
