import type { BulkRow } from '../../domain/bulk/bulk-table.js'
import type { RelayError } from '../../errors.js'
import { ProgressLine } from '../output/progress-line.js'
import { type Io, print } from '../terminal/io.js'
import { formatJson, toOneLine } from '../terminal/terminal-text.js'
import { type BulkCounts, countFinishedRows, createBulkCounts, formatRow } from './bulk-counts.js'
import type { RowResult } from './send-rows.js'

export class BulkOutput {
  readonly counts: BulkCounts = createBulkCounts()
  readonly #io: Io
  readonly #json: boolean
  readonly #progress: ProgressLine
  #rows = 0
  #isRelayDown = false

  constructor(io: Io, json: boolean) {
    this.#io = io
    this.#json = json
    this.#progress = new ProgressLine(io.stderr, io.clock.monotonic, 'rows')
  }

  startProgress(rows: number): void {
    this.#rows = rows
    this.#draw()
  }

  stopProgress(): void {
    this.#rows = 0
    this.#progress.clear()
  }

  printLine(value: object, text: string | undefined): void {
    const line = this.#json ? formatJson(value) : text
    if (line === undefined) return
    this.#progress.clear()
    print(this.#io.stdout, `${line}\n`, this.#io.env)
  }

  printNote(text: string): void {
    if (this.#json) return
    this.#progress.clear()
    print(this.#io.stderr, `${text}\n`, this.#io.env)
    this.#draw()
  }

  printRow(result: RowResult): void {
    this.counts[result.status] += 1
    if (result.status === 'invalid') this.#progress.exclude()
    const hasProblem = result.reasons !== undefined
    const isQuiet = !hasProblem && this.#io.stdout.isTTY === true
    this.printLine({ type: 'row', ...result }, isQuiet ? undefined : formatRow(result))
    this.#draw()
  }

  printInvalidRow({ row, line, draft, problems }: BulkRow): void {
    const { destination } = draft
    const value = { type: 'row', row, line, status: 'invalid', destination, reasons: problems }
    this.printLine(value, `line ${line}  ${toOneLine(problems.join('; '))}`)
  }

  printOutage(error: RelayError | undefined): void {
    const isRelayDown = error !== undefined
    if (this.#isRelayDown === isRelayDown) return
    this.#isRelayDown = isRelayDown
    if (error === undefined) {
      this.printNote('The relay answers again.')
    } else {
      this.printLine({ type: 'reconnecting', reason: error.message }, undefined)
      this.printNote(`${error.message} Retrying until it answers; no row is lost.`)
    }
  }

  #draw(): void {
    if (this.#json || this.#rows === 0) return
    this.#progress.draw({ total: this.#rows, finished: countFinishedRows(this.counts) })
  }
}
