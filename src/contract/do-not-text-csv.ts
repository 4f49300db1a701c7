import { findNumberColumn, normalizeColumnName } from '../domain/bulk/column-names.js'
import { formatCsvRow, unescapeFormulas } from '../util/text/csv-row.js'
import type { DoNotTextFields } from './do-not-text-schema.js'

export interface DoNotTextCsvEntry {
  readonly number: string
  readonly note?: string
  readonly added_on?: string
  readonly reason?: string
}

export type DoNotTextCsvRow = { readonly line: number } & (
  | { readonly entry: DoNotTextCsvEntry }
  | { readonly problem: string }
)

const columns = ['number', 'note', 'added_on', 'reason'] as const
const writtenColumns = [...columns, 'by'] as const
type Column = (typeof columns)[number]

/**
 * Makes a function that reads the rows of a Do Not Text CSV file, the contract of import and
 * export, in order. A header names the columns in any order, and number also phone, destination or
 * to; without one the order is number, note, added_on, reason. The function returns undefined for
 * the header and for empty rows.
 */
export function createDoNotTextCsvReader(): (
  record: readonly string[],
  line: number,
) => DoNotTextCsvRow | undefined {
  let positions: ReadonlyMap<Column, number> | undefined
  return (record, line) => {
    if (record.every(cell => cell.trim() === '')) return undefined
    if (positions === undefined) {
      positions = parseHeader(record)
      if (positions.size > 0) return undefined
      positions = new Map(columns.map((name, position) => [name, position]))
    }
    return { line, ...readRow(record, positions) }
  }
}

export function* formatDoNotTextCsv(entries: Iterable<DoNotTextFields>): Generator<string> {
  yield formatCsvRow(writtenColumns)
  for (const entry of entries) yield formatCsvRow(writtenColumns.map(name => entry[name] ?? ''))
}

function parseHeader(record: readonly string[]): Map<Column, number> {
  // A row with digits has a number and, perhaps, a note such as "phone".
  if (record.some(cell => /\d/.test(cell))) return new Map()
  const names = record.map(normalizeColumnName)
  const number = findNumberColumn(names)
  if (number === undefined) return new Map()
  const found = columns.map(
    name => [name, names.indexOf(name === 'number' ? number : name)] as const,
  )
  return new Map(found.filter(([, position]) => position !== -1))
}

function readRow(
  record: readonly string[],
  positions: ReadonlyMap<Column, number>,
): { entry: DoNotTextCsvEntry } | { problem: string } {
  const width = Math.max(...positions.values()) + 1
  const isList = positions.size === columns.length && width === columns.length
  if (isList && record.length > writtenColumns.length) {
    const problem = 'The row has too many columns. Put a note that contains commas in quotes.'
    return { problem }
  }
  const getCell = (name: Column): string =>
    unescapeFormulas((record[positions.get(name) ?? -1] ?? '').trim()).trim()
  const rest = (['note', 'added_on', 'reason'] as const)
    .map(name => [name, getCell(name)] as const)
    .filter(([, text]) => text !== '')
  return { entry: { number: getCell('number').trim(), ...Object.fromEntries(rest) } }
}
