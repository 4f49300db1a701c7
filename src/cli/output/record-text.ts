import { styleText } from 'node:util'
import { parseDateTime } from '../../domain/time/date-time.js'
import { formatFields, formatTable } from '../terminal/terminal-text.js'
import {
  type Column,
  formatCell,
  formatDistance,
  getTitle,
  isEmptyCell,
  type Tone,
} from './column.js'

/** Where a table or record of text is printed. */
export interface TextPlace {
  /** The present time in milliseconds, if ages replace times; undefined prints times. */
  readonly now?: number | undefined
  /** Columns of the terminal, if the last cell of a line is truncated to fit. */
  readonly width?: number | undefined
  readonly hasColor?: boolean
}

const styles: Readonly<Record<Tone, 'green' | 'red' | 'yellow'>> = {
  good: 'green',
  bad: 'red',
  warning: 'yellow',
}

export function formatRecordTable<T>(
  records: readonly T[],
  columns: readonly Column<T>[],
  { now, width, hasColor = false }: TextPlace = {},
): string {
  const head = columns.map(each => {
    const zone = each.isTime === true && now === undefined ? ' (UTC)' : ''
    return `${getTitle(each)}${zone}`.toUpperCase()
  })
  const rows = records.map(record => columns.map(each => formatTableCell(each, record, now)))
  const paint = (text: string, row: number, column: number): string => {
    const record = records[row]
    const tone = record === undefined ? undefined : columns[column]?.tone?.(record)
    return tone === undefined ? text : styleText(styles[tone], text, { validateStream: false })
  }
  return formatTable(head, rows, width, hasColor ? paint : undefined)
}

/** Formats one record as lines of a title and a value, without empty values. */
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
