import type { DoNotTextFields } from './blocklist-reply.js'

/** What a line of a list holds, as text. */
export interface DoNotTextCsvEntry {
  readonly number: string
  readonly note?: string
  readonly added_on?: string
  readonly reason?: string
}

/** A line of a list, with the number of its first line in the file; one that cannot be read has a problem instead. */
export type DoNotTextCsvRow = { readonly line: number } & (
  | { readonly entry: DoNotTextCsvEntry }
  | { readonly problem: string }
)

/** The columns of a list without a header. */
const columns = ['number', 'note', 'added_on', 'reason'] as const
/** The columns that are written. */
const writtenColumns = [...columns, 'by'] as const
type Column = (typeof columns)[number]

/** What a spreadsheet takes for a formula, with the marks that keep it from that; other widths count too. */
const escapedFormula = /^'+[=+\-@\t\r＝＋－＠]/u
const formulaStart = /^'*[=+\-@\t\r＝＋－＠]/u

/**
 * A function that is given the records of a list in order, with a header that names its columns in any order or without
 * one in the order number, note, added_on, reason; undefined for the header and for empty records.
 */
export function createDoNotTextCsvReader(): (
  record: readonly string[],
  line: number,
) => DoNotTextCsvRow | undefined {
  let places: ReadonlyMap<Column, number> | undefined
  return (record, line) => {
    if (record.every(cell => cell.trim() === '')) return undefined
    if (places === undefined) {
      places = parseHeader(record)
      if (places.size > 0) return undefined
      places = new Map(columns.map((name, place) => [name, place]))
    }
    return { line, ...readRow(record, places) }
  }
}

/** A list as CSV (RFC 4180), line by line, that no spreadsheet takes for formulas. */
export function* formatDoNotTextCsv(entries: Iterable<DoNotTextFields>): Generator<string> {
  yield `${writtenColumns.join(',')}\r\n`
  for (const entry of entries) {
    const cells = writtenColumns.map(name => entry[name] ?? '')
    yield `${cells.map(escapeFormula).map(quoteCell).join(',')}\r\n`
  }
}

function parseHeader(record: readonly string[]): Map<Column, number> {
  const names = record.map(cell => cell.trim().toLowerCase())
  if (!names.includes('number')) return new Map()
  const found = columns.map(name => [name, names.indexOf(name)] as const)
  return new Map(found.filter(([, place]) => place !== -1))
}

function readRow(
  record: readonly string[],
  places: ReadonlyMap<Column, number>,
): { entry: DoNotTextCsvEntry } | { problem: string } {
  const most = Math.max(...places.values()) + 1
  const isList = places.size === columns.length && most === columns.length
  if (isList && record.length > writtenColumns.length) {
    const problem = 'It has too many columns; a note with commas in it needs quotation marks.'
    return { problem }
  }
  const cell = (name: Column): string => unescapeFormula(record[places.get(name) ?? -1] ?? '')
  const rest = (['note', 'added_on', 'reason'] as const)
    .map(name => [name, cell(name)] as const)
    .filter(([, text]) => text !== '')
  return { entry: { number: cell('number').trim(), ...Object.fromEntries(rest) } }
}

/** A number with its plus sign is no formula that does anything, and stays readable to other programs. */
function escapeFormula(text: string): string {
  return formulaStart.test(text) && !/^\+\d+$/.test(text) ? `'${text}` : text
}

function unescapeFormula(text: string): string {
  return escapedFormula.test(text) ? text.slice(1) : text
}

function quoteCell(text: string): string {
  return /[",\r\n]|^\s|\s$/u.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
