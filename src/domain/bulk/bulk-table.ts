import { limits } from '../limits.js'
import { normalizeDateTime } from '../time/date-time.js'
import { type BulkColumns, findColumns } from './bulk-columns.js'
import { parseBulkNumber } from './bulk-number.js'
import { parseTemplate, type RowTemplate } from './row-template.js'

/** A record of a table: its cells, and the line on which it begins. */
export interface TableRecord {
  readonly line: number
  readonly cells: readonly string[]
}

/** How the rows of a table become messages. */
export interface BulkOptions {
  /** A template for all rows; without it the texts are in the column `message`. */
  readonly text?: string | undefined
  /** ISO 3166 code of the country in which national numbers are read; without it the service decides. */
  readonly country?: string | undefined
  /** UTC `YYYY-MM-DD HH:MM:SS` for rows that have none of their own. */
  readonly sendOn?: string | undefined
  /** Whether the same text to the same number at the same time may be there again. @default false */
  readonly allowDuplicates?: boolean | undefined
  /** A short fingerprint of a text, by which repeated rows are found. */
  readonly digest: (text: string) => string
}

/** A row as a message; it can be sent when it has no problems. */
export interface BulkRow {
  /** From 1, the header not counted. */
  readonly row: number
  readonly line: number
  readonly draft: BulkDraft
  /**
   * The same for the same message wherever it stands in the table; the second time of a repeated one has another.
   */
  readonly identity: string
  /** Sentences without a full stop. */
  readonly problems: readonly string[]
}

/** A message as POST /message takes it (SPEC.md section 4.2). */
export interface BulkDraft {
  readonly destination: string
  readonly message: string
  readonly send_on?: string
}

/** A function that is given the records of a table in order, header first; undefined for the header and for empty rows. */
export function createBulkReader(
  options: BulkOptions,
): (record: TableRecord) => BulkRow | undefined {
  const seen = new Map<string, number>()
  const again = new Map<string, number>()
  let table: Table | undefined
  let row = 0
  return record => {
    if (table === undefined) {
      table = openTable(record.cells, options)
      return undefined
    }
    if (record.cells.every(cell => cell.trim() === '')) return undefined
    row += 1
    const { problems, number, draft } = readRow(record.cells, table, options)
    const same = options.digest(JSON.stringify([number, draft.message, draft.send_on ?? null]))
    const first = seen.get(same)
    if (first === undefined) seen.set(same, record.line)
    const times = first === undefined ? 0 : (again.get(same) ?? 0) + 1
    if (times > 0) again.set(same, times)
    const repeated =
      first === undefined || options.allowDuplicates === true || problems.length > 0
        ? []
        : [`repeats line ${first}: the same text to the same number`]
    const identity = times === 0 ? same : options.digest(JSON.stringify([same, times]))
    return { row, line: record.line, draft, identity, problems: [...problems, ...repeated] }
  }
}

interface Table extends BulkColumns {
  readonly width: number
  readonly template: RowTemplate | undefined
}

function openTable(header: readonly string[], { text }: BulkOptions): Table {
  const columns = findColumns(header, text === undefined)
  const template = text === undefined ? undefined : parseTemplate(text, header)
  return { ...columns, width: header.length, template }
}

interface ReadRow {
  readonly draft: BulkDraft
  readonly number: string
  readonly problems: readonly string[]
}

function readRow(cells: readonly string[], table: Table, options: BulkOptions): ReadRow {
  const destination = getCell(cells, table.destination)
  const number = parseBulkNumber(destination, options.country)
  const text = getText(cells, table)
  const sendOn = getSendOn(cells, table, options)
  const dialled = 'number' in number && options.country !== undefined ? number.number : destination
  return {
    draft: { destination: dialled, message: text.text, ...sendOn.field },
    number: 'number' in number ? number.number : destination,
    problems: [
      ...findWidthProblems(cells, table),
      ...('problem' in number ? [number.problem] : []),
      ...text.problems,
      ...sendOn.problems,
    ],
  }
}

function getCell(cells: readonly string[], at: number | undefined): string {
  return at === undefined ? '' : (cells[at]?.trim() ?? '')
}

/** More cells than columns mean that a text with a delimiter in it is not in quotes: it would go out cut. */
function findWidthProblems(cells: readonly string[], { width }: Table): string[] {
  const extra = cells.slice(width).some(each => each.trim() !== '')
  return extra
    ? [`has ${cells.length} cells, but there are ${width} columns; is a text not in quotes?`]
    : []
}

function getText(
  cells: readonly string[],
  { template, message = -1 }: Table,
): { text: string; problems: string[] } {
  const { text, empty } = template?.fill(cells) ?? { text: cells[message] ?? '', empty: [] }
  if (empty.length > 0) {
    return { text, problems: [`the template needs ${empty.join(', ')}, which is empty here`] }
  }
  if (text.trim() === '') return { text, problems: ['the text is empty'] }
  if (text.includes('\0') || !text.isWellFormed()) {
    return { text, problems: ['the text has characters that cannot be sent'] }
  }
  const length = text.length <= limits.text ? 0 : [...text].length
  if (length <= limits.text) return { text, problems: [] }
  return { text, problems: [`the text has ${length} characters, more than ${limits.text}`] }
}

function getSendOn(
  cells: readonly string[],
  table: Table,
  options: BulkOptions,
): { field: { send_on?: string }; problems: string[] } {
  const own = getCell(cells, table.sendOn)
  const given = options.sendOn === undefined ? {} : { send_on: options.sendOn }
  if (own === '') return { field: given, problems: [] }
  const time = normalizeDateTime(own)
  if (time !== undefined) return { field: { send_on: time }, problems: [] }
  const problem = `send_on "${own.slice(0, 40)}" is no time: UTC YYYY-MM-DD HH:MM:SS, or ISO 8601 with its zone`
  return { field: {}, problems: [problem] }
}
