import { type Io, print, shouldUseColor } from '../terminal/io.js'
import { formatJson, toOneLine } from '../terminal/terminal-text.js'
import type { OutputChoice } from './choose-output.js'
import { formatPlainCell } from './column.js'
import { formatRecord, formatRecordTable, type TextPlace } from './record-text.js'

export class RecordPrinter<T> {
  readonly #choice: OutputChoice<T>
  readonly #io: Io

  constructor(choice: OutputChoice<T>, io: Io) {
    this.#choice = choice
    this.#io = io
  }

  get hasNotes(): boolean {
    return this.#choice.format !== 'json'
  }

  get isForPeople(): boolean {
    const { format, ids, jq } = this.#choice
    return format === 'table' && !ids && jq === undefined
  }

  /** Prints a list; without records a table is empty and `ifEmpty` is a note on stderr. */
  async printList(records: readonly T[], ifEmpty: string): Promise<void> {
    const table = () => (records.length === 0 ? undefined : this.#formatTable(records))
    await this.#print(records, records, table)
    if (records.length === 0) this.printNote(ifEmpty)
  }

  async printOne(record: T): Promise<void> {
    const { recordColumns } = this.#choice
    await this.#print(record, [record], () =>
      formatRecord(record, recordColumns, this.#describePlace()),
    )
  }

  /**
   * Prints a value that has more than its records: JSON of the value, chosen columns, CSV or ids of
   * the records, otherwise the `text` for people.
   */
  async printValue(
    value: unknown,
    records: readonly T[],
    text: (place: TextPlace) => string,
  ): Promise<void> {
    await this.#print(value, records, () =>
      this.#choice.isSelection ? this.#formatTable(records) : text(this.#describePlace()),
    )
  }

  printNote(text: string): void {
    if (this.hasNotes) print(this.#io.stderr, `${text}\n`, this.#io.env)
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
    else if (format === 'csv') this.#writeText(await this.#formatCsv(records))
    else {
      const shown = text()
      if (shown !== undefined) this.#write(`${shown}\n`)
    }
  }

  #readId(record: T): string {
    const column = this.#choice.recordColumns.find(each => each.isId === true)
    return formatPlainCell(column?.read(record))
  }

  #formatTable(records: readonly T[]): string {
    return formatRecordTable(records, this.#choice.columns, this.#describePlace())
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
    return {
      now: clock.now(),
      width: stdout.columns || undefined,
      hasColor: shouldUseColor(stdout, env),
    }
  }

  /** Writes text as it is, but to a terminal without characters that could change it. */
  #writeText(text: string): void {
    const { stdout } = this.#io
    if (stdout.isTTY === true) this.#write(text)
    else if (text !== '') stdout.write(text)
  }

  #write(text: string): void {
    if (text !== '') print(this.#io.stdout, text, this.#io.env)
  }
}
