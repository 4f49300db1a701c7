import type { BulkRow } from '../../domain/bulk/bulk-table.js'
import type { Io } from '../terminal/io.js'
import { oneLine } from '../terminal/terminal-text.js'
import { emptyTally, rowLine, settledRows, type Tally } from './bulk-counts.js'
import { Progress } from './progress-bar.js'
import type { RowResult } from './send-rows.js'

/** What a bulk command prints: a line a row, or on a terminal a bar and only the rows that did not go well. */
export class BulkOutput {
  readonly tally: Tally = emptyTally()
  readonly #io: Io
  readonly #json: boolean
  readonly #progress: Progress
  #rows = 0

  constructor(io: Io, json: boolean) {
    this.#io = io
    this.#json = json
    this.#progress = new Progress(io.stderr, io.now)
  }

  /** Sets how many rows there are, and shows the bar. */
  begin(rows: number): void {
    this.#rows = rows
    this.#draw()
  }

  /** Takes the bar away for good. */
  end(): void {
    this.#rows = 0
    this.#progress.clear()
  }

  /** Prints a value with `--json`, and `human` without; undefined prints nothing. */
  line(value: object, human: string | undefined): void {
    const text = this.#json ? JSON.stringify(value) : human
    if (text === undefined) return
    this.#progress.clear()
    this.#io.stdout.write(`${text}\n`)
  }

  /** Tells a person something on stderr; silent with `--json`. */
  note(text: string): void {
    if (this.#json) return
    this.#progress.clear()
    this.#io.stderr.write(`${text}\n`)
    this.#draw()
  }

  /** Prints what became of a row. */
  row(result: RowResult): void {
    this.tally[result.status] += 1
    if (result.status === 'skipped' || result.status === 'invalid') this.#progress.skip()
    const isFine = result.reasons === undefined
    const isQuiet = isFine && (this.#io.stdout.isTTY === true || result.status === 'skipped')
    this.line({ type: 'row', ...result }, isQuiet ? undefined : rowLine(result))
    this.#draw()
  }

  /** Prints what is wrong with a row that was not tried. */
  problem({ row, line, draft, problems }: BulkRow): void {
    const { destination } = draft
    const status = 'invalid'
    const value = { type: 'row', row, line, status, destination, reasons: problems }
    this.line(value, `line ${line}  ${oneLine(problems.join('; '))}`)
  }

  #draw(): void {
    if (!this.#json && this.#rows > 0) {
      this.#progress.show({ rows: this.#rows, settled: settledRows(this.tally) })
    }
  }
}
