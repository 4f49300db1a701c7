import type { BulkRow } from '../../domain/bulk/bulk-table.js'
import type { Io } from '../terminal/io.js'
import { toOneLine } from '../terminal/terminal-text.js'
import { type BulkCounts, countFinishedRows, createBulkCounts, formatRow } from './bulk-counts.js'
import { ProgressBar } from './progress-bar.js'
import type { RowResult } from './send-rows.js'

/** What a bulk command prints: a line a row, or on a terminal a bar and only the rows that did not go well. */
export class BulkOutput {
  readonly counts: BulkCounts = createBulkCounts()
  readonly #io: Io
  readonly #json: boolean
  readonly #progress: ProgressBar
  #rows = 0

  constructor(io: Io, json: boolean) {
    this.#io = io
    this.#json = json
    this.#progress = new ProgressBar(io.stderr, io.clock.monotonic)
  }

  /** Sets how many rows there are, and shows the bar. */
  startProgress(rows: number): void {
    this.#rows = rows
    this.#draw()
  }

  /** Takes the bar away for good. */
  stopProgress(): void {
    this.#rows = 0
    this.#progress.clear()
  }

  /** Prints a value with `--json`, and `human` without; undefined prints nothing. */
  printLine(value: object, human: string | undefined): void {
    const text = this.#json ? JSON.stringify(value) : human
    if (text === undefined) return
    this.#progress.clear()
    this.#io.stdout.write(`${text}\n`)
  }

  /** Tells a person something on stderr; silent with `--json`. */
  printNote(text: string): void {
    if (this.#json) return
    this.#progress.clear()
    this.#io.stderr.write(`${text}\n`)
    this.#draw()
  }

  /** Prints what became of a row. */
  printRow(result: RowResult): void {
    this.counts[result.status] += 1
    if (result.status === 'skipped' || result.status === 'invalid') this.#progress.excludeRow()
    const isFine = result.reasons === undefined
    const isQuiet = isFine && (this.#io.stdout.isTTY === true || result.status === 'skipped')
    this.printLine({ type: 'row', ...result }, isQuiet ? undefined : formatRow(result))
    this.#draw()
  }

  /** Prints what is wrong with a row that was not tried. */
  printInvalidRow({ row, line, draft, problems }: BulkRow): void {
    const { destination } = draft
    const status = 'invalid'
    const value = { type: 'row', row, line, status, destination, reasons: problems }
    this.printLine(value, `line ${line}  ${toOneLine(problems.join('; '))}`)
  }

  #draw(): void {
    if (!this.#json && this.#rows > 0) {
      this.#progress.draw({ rows: this.#rows, finished: countFinishedRows(this.counts) })
    }
  }
}
