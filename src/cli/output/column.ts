// Output of the commands that list or show things, with the flags -o, --columns, --jq, -q:
//
// 1. `output-flags` defines the flags. The file of a kind of thing declares its columns once, such
//    as `message-views`; `column` has their type and formats one cell.
// 2. `choose-output` checks the flags against the columns, before a command sends any request.
// 3. `record-printer` prints a list or one record in the chosen format.
// 4. `record-text` formats tables and records for people. `jq-program` runs a jq program;
//    its package is loaded when it is used.
//
// `progress-line` shows on a terminal how far long work is, also of other commands.
import { formatDuration } from '../terminal/durations.js'

/** The value of a cell; null and undefined are an empty cell. */
export type Cell = string | number | boolean | readonly string[] | null | undefined

export type Tone = 'good' | 'bad' | 'warning'

export interface Column<T> {
  /** For --columns and the header of CSV; the name of the JSON field, if there is one. */
  readonly name: string
  /** Heading for people. @default the name with spaces */
  readonly title?: string
  /** Whether -q prints this column, which commands take as an argument. */
  readonly isId?: true
  /** Whether values are times, UTC `YYYY-MM-DD HH:MM:SS`. */
  readonly isTime?: true
  /** Whether a table leaves the column out, unless --columns names it. */
  readonly isWide?: true
  /** Whether a table truncates the texts of the column where a terminal is too narrow. */
  readonly canTruncate?: true
  /** Whether a table leaves the column out where a terminal is too narrow. */
  readonly isOptional?: true
  readonly read: (record: T) => Cell
  readonly show?: (record: T) => string
  /** Text for people if there is no value. A list of one record leaves out a cell without it. */
  readonly empty?: string | ((record: T) => string)
  readonly tone?: (record: T) => Tone | undefined
}

export function getTitle({ name, title = name.replaceAll('_', ' ') }: Column<never>): string {
  return title
}

export function isEmptyCell(value: Cell): value is null | undefined {
  return value === null || value === undefined
}

export function formatPlainCell(value: Cell): string {
  if (isEmptyCell(value)) return ''
  return Array.isArray(value) ? value.join(' ') : String(value)
}

/** The text of a cell for people, without the change of a time to an age. */
export function formatCell<T>(column: Column<T>, record: T): string {
  const value = column.read(record)
  if (isEmptyCell(value)) {
    return typeof column.empty === 'function' ? column.empty(record) : (column.empty ?? '')
  }
  if (column.show !== undefined) return column.show(record)
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  return Array.isArray(value) ? value.join(', ') : String(value)
}

/** A time in milliseconds as its distance from now: `3 min ago`, `in 5 h`. */
export function formatDistance(time: number, now: number): string {
  if (time > now) return `in ${formatDuration(time - now)}`
  return `${formatDuration(now - time)} ago`
}
