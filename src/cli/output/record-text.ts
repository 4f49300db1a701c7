import { styleText } from 'node:util'
import { parseDateTime } from '../../domain/time/date-time.js'
import { formatFields } from '../terminal/terminal-text.js'
import { formatLimitedTable, formatTable, type Table } from '../terminal/text-table.js'
import {
  type Column,
  formatCell,
  formatDistance,
  getTitle,
  isEmptyCell,
  type Tone,
} from './column.js'

export interface TextPlace {
  /** The present time in milliseconds, if ages replace times; undefined prints times. */
  readonly now?: number | undefined
  /** Columns of the terminal, if the table must fit. */
  readonly width?: number | undefined
  readonly hasColor?: boolean
}

const styles: Readonly<Record<Tone, 'green' | 'red' | 'yellow'>> = {
  good: 'green',
  bad: 'red',
  warning: 'yellow',
}

/**
 * Formats records as a table. One that must fit has no empty columns; long texts are truncated, and
 * optional columns left out. If it is still too wide, each record has a line for each value.
 */
export function formatRecordTable<T>(
  records: readonly T[],
  columns: readonly Column<T>[],
  place: TextPlace = {},
): string {
  const { width } = place
  if (width === undefined) return formatTable(toTable(records, columns, place))
  const used = columns.filter(each => records.some(record => formatCell(each, record) !== ''))
  const format = (shown: readonly Column<T>[]): string | undefined => {
    const canTruncate = shown.map(each => each.canTruncate === true)
    return formatLimitedTable(toTable(records, shown, place), { width, canTruncate })
  }
  return (
    format(used) ??
    format(used.filter(each => each.isOptional !== true)) ??
    records.map(each => formatRecord(each, used, place)).join('\n\n')
  )
}

function toTable<T>(
  records: readonly T[],
  columns: readonly Column<T>[],
  { now, hasColor = false }: TextPlace,
): Table {
  const head = columns.map(each => {
    const zone = each.isTime === true && now === undefined ? ' (UTC)' : ''
    return `${getTitle(each)}${zone}`.toUpperCase()
  })
  const rows = records.map(record => columns.map(each => formatTableCell(each, record, now)))
  return hasColor ? { head, rows, paint: createPaint(records, columns) } : { head, rows }
}

function createPaint<T>(
  records: readonly T[],
  columns: readonly Column<T>[],
): NonNullable<Table['paint']> {
  return (text, row, column) => {
    const record = records[row]
    const tone = record === undefined ? undefined : columns[column]?.tone?.(record)
    return tone === undefined ? text : styleText(styles[tone], text, { validateStream: false })
  }
}

export function formatRecord<T>(
  record: T,
  columns: readonly Column<T>[],
  { now }: TextPlace = {},
): string {
  const lines = columns
    .filter(each => !isEmptyCell(each.read(record)) || each.empty !== undefined)
    .map(each => [getTitle(each), formatValue(each, record, now)] as const)
  return formatFields(Object.fromEntries(lines))
}

function formatTableCell<T>(column: Column<T>, record: T, now: number | undefined): string {
  const time = now === undefined ? undefined : readTime(column, record)
  if (time === undefined || now === undefined) return formatCell(column, record)
  return formatDistance(time, now)
}

function formatValue<T>(column: Column<T>, record: T, now: number | undefined): string {
  const text = formatCell(column, record)
  const time = readTime(column, record)
  if (time === undefined) return text
  return now === undefined ? `${text} UTC` : `${text} UTC (${formatDistance(time, now)})`
}

function readTime<T>({ isTime, read }: Column<T>, record: T): number | undefined {
  const value = isTime === true ? read(record) : undefined
  return typeof value === 'string' ? parseDateTime(value) : undefined
}
