import { type Io, shouldUseColor } from '../terminal/io.js'
import { cleanText, formatJson, toOneLine } from '../terminal/terminal-text.js'
import type { OutputChoice } from './choose-output.js'
import { type Cell, type Column, formatCell, formatPlainCell, isEmptyCell } from './column.js'
import { formatRecord, formatRecordTable, type TextPlace } from './record-text.js'

/** Prints the results of a command that lists or shows things, in the format of its flags. */
export class RecordPrinter<T> {
  readonly #choice: OutputChoice<T>
  readonly #io: Io

  constructor(choice: OutputChoice<T>, io: Io) {
    this.#choice = choice
    this.#io = io
  }

  /** Whether notes are printed: not if only JSON is printed. */
  get hasNotes(): boolean {
    const { format } = this.#choice
    return format !== 'json' && format !== 'ndjson'
  }

  /** Whether text for people is printed. */
  get isForPeople(): boolean {
    const { format, ids, jq } = this.#choice
    return (format === 'table' || format === 'wide') && !ids && jq === undefined
  }

  /** Prints a list; without records a table is empty and `ifEmpty` is a note on stderr. */
  async printList(given: readonly T[], ifEmpty: string): Promise<void> {
    const records = this.#sort(given)
    const table = () => (records.length === 0 ? undefined : this.#formatTable(records))
    await this.#print(records, records, table)
    if (records.length === 0) this.printNote(ifEmpty)
  }

  /** Prints one record with all of its columns. */
  async printOne(record: T): Promise<void> {
    const { recordColumns } = this.#choice
    await this.#print(record, [record], () =>
      formatRecord(record, recordColumns, this.#describePlace()),
    )
  }

  /**
   * Prints a value that has more than its records: JSON and YAML of the value with the sorted
   * records, a wide table, chosen columns, CSV or ids of the records, otherwise the `text` for
   * people.
   */
  async printValue(
    createValue: (records: readonly T[]) => unknown,
    given: readonly T[],
    text: (records: readonly T[], place: TextPlace) => string,
  ): Promise<void> {
    const { format, isSelection } = this.#choice
    const records = this.#sort(given)
    const isTable = isSelection || format === 'wide'
    await this.#print(createValue(records), records, () =>
      isTable ? this.#formatTable(records) : text(records, this.#describePlace()),
    )
  }

  /** Writes a note to stderr, unless only JSON is printed. */
  printNote(text: string): void {
    if (this.hasNotes) this.#io.stderr.write(`${text}\n`)
  }

  async #print(
    value: unknown,
    records: readonly T[],
    text: () => string | undefined,
  ): Promise<void> {
    const { format, ids, jq } = this.#choice
    if (jq !== undefined) this.#writeText(await jq.run(value))
    else if (ids)
      this.#write(records.map(record => `${toOneLine(this.#readId(record))}\n`).join(''))
    else if (format === 'json') this.#write(`${formatJson(value)}\n`)
    else if (format === 'ndjson') this.#write(formatJsonLines(value))
    else if (format === 'yaml') this.#writeText(await formatYaml(value))
    else if (format === 'csv') this.#writeText(await this.#formatCsv(records))
    else {
      const shown = text()
      if (shown !== undefined) this.#write(`${shown}\n`)
    }
  }

  #sort(records: readonly T[]): readonly T[] {
    const { sort } = this.#choice
    if (sort === undefined) return records
    const { column, isReverse } = sort
    return records.toSorted((a, b) => {
      const [first, second] = [column.read(a), column.read(b)]
      if (isEmptyCell(first) || isEmptyCell(second)) {
        return Number(isEmptyCell(first)) - Number(isEmptyCell(second))
      }
      return compareCells(first, second) * (isReverse ? -1 : 1)
    })
  }

  #readId(record: T): string {
    const column = this.#choice.recordColumns.find(each => each.isId === true)
    return formatPlainCell(column?.read(record))
  }

  /** A wide table leaves out columns that are empty in every record. */
  #formatTable(records: readonly T[]): string {
    const { columns, isSelection, format } = this.#choice
    const hasText = (column: Column<T>): boolean =>
      column.isWide !== true || records.some(record => formatCell(column, record) !== '')
    const shown = isSelection || format !== 'wide' ? columns : columns.filter(hasText)
    return formatRecordTable(records, shown, this.#describePlace())
  }

  async #formatCsv(records: readonly T[]): Promise<string> {
    const { columns } = this.#choice
    const { formatCsvRow } = await import('../../util/text/csv-row.js')
    const rows = records.map(record => columns.map(each => formatPlainCell(each.read(record))))
    return [columns.map(each => each.name), ...rows].map(formatCsvRow).join('')
  }

  #describePlace(): TextPlace {
    const { stdout, env, clock } = this.#io
    if (stdout.isTTY !== true) return {}
    const width = this.#choice.format === 'table' ? stdout.columns : undefined
    return { now: clock.now(), width, hasColor: shouldUseColor(stdout, env) }
  }

  /** Writes text as it is, but to a terminal without characters that could change it. */
  #writeText(text: string): void {
    this.#write(this.#io.stdout.isTTY === true ? cleanText(text) : text)
  }

  #write(text: string): void {
    if (text !== '') this.#io.stdout.write(text)
  }
}

function compareCells(a: NonNullable<Cell>, b: NonNullable<Cell>): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b
  const [first, second] = [formatPlainCell(a), formatPlainCell(b)]
  return first < second ? -1 : first > second ? 1 : 0
}

function formatJsonLines(value: unknown): string {
  const values: readonly unknown[] = Array.isArray(value) ? value : [value]
  return values.map(each => `${formatJson(each)}\n`).join('')
}

/** The package is loaded only when it is used: that takes 40 ms. */
async function formatYaml(value: unknown): Promise<string> {
  const { stringify } = await import('yaml')
  return stringify(value, { lineWidth: 0 })
}
