// A table of messages (CSV) becomes messages; the CLI and the dashboard both use it.
// 1. bulk-table finds the columns by the header.
// 2. It turns each row into a draft, with its problems and a hash that finds repetitions:
//    bulk-number parses the number, row-template fills the text.
// text-template splits templates; secret URLs use it, too.

import { RelayError } from '../../errors.js'
import { limits } from '../limits.js'
import { useGsmLetters } from '../sms/fewer-parts.js'
import { normalizeDateTime } from '../time/date-time.js'
import { parseBulkNumber } from './bulk-number.js'
import { findNumberColumn, normalizeColumnName } from './column-names.js'
import { parseTemplate, type RowTemplate } from './row-template.js'

export interface TableRecord {
  readonly line: number
  readonly cells: readonly string[]
}

export interface BulkOptions {
  /** Template of the text for all rows of a bulk table. @default the column `message` */
  readonly text?: string | undefined
  /**
   * ISO 3166 code of the country in which the bulk table's national numbers are read. @default the
   * relay's
   */
  readonly country?: string | undefined
  /** UTC `YYYY-MM-DD HH:MM:SS` for rows of the bulk table without a time. */
  readonly sendOn?: string | undefined
  /** Whether the rows of the bulk table are flash texts. @default false */
  readonly flash?: boolean | undefined
  /** Whether the texts of the bulk table use letters of the GSM alphabet. @default false */
  readonly fewerParts?: boolean | undefined
  /**
   * Whether rows of the bulk table can repeat the text, number and time of another row. @default
   * false
   */
  readonly allowDuplicates?: boolean | undefined
  readonly digest: (text: string) => string
}

export interface BulkRow {
  readonly row: number
  readonly line: number
  readonly draft: BulkDraft
  /** The text of the row; that of the draft may have other letters. */
  readonly given: string
  /**
   * Hash of the message in the bulk table's row, independent of its position; each repetition has
   * another one.
   */
  readonly identity: string
  /** Problems of a bulk row: phrases without a final period. */
  readonly problems: readonly string[]
  /** Phrases about a number of the bulk row that texts may not reach. */
  readonly warnings: readonly string[]
}

/** A message of a bulk row as `POST /message` accepts it (docs/reference/interface.md 4.2). */
export interface BulkDraft {
  readonly destination: string
  readonly message: string
  readonly send_on?: string
  readonly flash?: boolean
}

/**
 * Creates a function that takes the rows of a bulk table in order, header first; it returns
 * undefined for the header and for empty rows.
 */
export function createBulkReader(
  options: BulkOptions,
): (record: TableRecord) => BulkRow | undefined {
  const seen = new Map<string, number>()
  const repetitions = new Map<string, number>()
  const lines = new Map<string, number>()
  let table: Table | undefined
  let row = 0
  return record => {
    if (table === undefined) {
      table = openTable(record.cells, options)
      return undefined
    }
    if (record.cells.every(cell => cell.trim() === '')) return undefined
    row += 1
    const { problems, warnings, number, given, draft } = readRow(record.cells, table, options)
    const kind = draft.flash === true ? ['flash'] : []
    const parts = [number, draft.message, draft.send_on ?? null, ...kind]
    const same = options.digest(JSON.stringify(parts))
    const first = seen.get(same)
    if (first === undefined) seen.set(same, record.line)
    const times = first === undefined ? 0 : (repetitions.get(same) ?? 0) + 1
    if (times > 0) repetitions.set(same, times)
    const repeated =
      first === undefined || options.allowDuplicates === true || problems.length > 0
        ? []
        : [`repeats line ${first}: the same text to the same number`]
    const identity = times === 0 ? same : options.digest(JSON.stringify([same, times]))
    const { line } = record
    const before = lines.get(number)
    if (before === undefined) lines.set(number, line)
    const again =
      before === undefined || repeated.length > 0 ? [] : [`${number} is also in line ${before}`]
    return {
      ...{ row, line, draft, given, identity },
      problems: [...problems, ...repeated],
      warnings: [...warnings, ...again],
    }
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
  readonly given: string
  readonly number: string
  readonly problems: readonly string[]
  readonly warnings: readonly string[]
}

function readRow(cells: readonly string[], table: Table, options: BulkOptions): ReadRow {
  const destination = getCell(cells, table.destination)
  const number = parseBulkNumber(destination, options.country)
  const text = getText(cells, table)
  const message = options.fewerParts === true ? useGsmLetters(text.text) : text.text
  const sendOn = getSendOn(cells, table, options)
  const dialable = 'number' in number && options.country !== undefined ? number.number : destination
  return {
    draft: {
      ...{ destination: dialable, message, ...sendOn.field },
      ...(options.flash === true ? { flash: true } : {}),
    },
    number: 'number' in number ? number.number : destination,
    given: text.text,
    warnings:
      'warning' in number && number.warning !== undefined
        ? [`${destination} ${number.warning}`]
        : [],
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

/**
 * Finds extra cells in a row of the bulk table: a text with a delimiter is not in quotes, and would
 * be truncated.
 */
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
  const { text, missing } = template?.fill(cells) ?? { text: cells[message] ?? '', missing: [] }
  if (missing.length > 0) {
    return { text, problems: [`the template needs ${missing.join(', ')}, which is empty here`] }
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
  const problem =
    `send_on "${own.slice(0, 40)}" is not a time: ` +
    'use UTC YYYY-MM-DD HH:MM:SS, or ISO 8601 with a zone'
  return { field: {}, problems: [problem] }
}

interface BulkColumns {
  readonly destination: number
  readonly message: number | undefined
  readonly sendOn: number | undefined
}

/**
 * Finds the columns of a bulk table by the names in the header. Throws `invalid_parameter` for a
 * missing, a duplicate or an ambiguous one.
 * @param needsMessage whether the texts are in the table
 */
function findColumns(header: readonly string[], needsMessage: boolean): BulkColumns {
  const keys = header.map(normalizeColumnName)
  if (keys.every(key => key === ''))
    throw invalidHeaderError('The first line does not name the columns.')
  const duplicate = keys.find((key, at) => key !== '' && keys.indexOf(key) !== at)
  if (duplicate !== undefined) throw invalidHeaderError(`There are two columns ${duplicate}.`)
  const name = findNumberColumn(keys)
  if (name === undefined) {
    throw invalidHeaderError('There is no column destination (or number, phone, to).', header)
  }
  const message = findColumn(keys, 'message')
  if (needsMessage && message === undefined) {
    throw invalidHeaderError('There is no column message, and no text was given.', header)
  }
  return { destination: keys.indexOf(name), message, sendOn: findColumn(keys, 'send_on') }
}

function findColumn(keys: readonly string[], name: string): number | undefined {
  const at = keys.indexOf(name)
  return at === -1 ? undefined : at
}

function invalidHeaderError(message: string, header?: readonly string[]): RelayError {
  const hint =
    header === undefined
      ? 'Name each column once, in the first line.'
      : `The columns are: ${header.join(', ').slice(0, 200)}.`
  return new RelayError('invalid_parameter', message, { hint })
}
