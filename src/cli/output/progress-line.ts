import type { Output } from '../terminal/io.js'

export interface Progress {
  readonly finished: number
  /** All that is to be done, or an estimate; 0 if it is not known. */
  readonly total: number
}

export type ProgressUnit = 'rows' | 'records' | 'bytes'

const refreshMs = 100
const barColumns = 20
const minBarColumns = 6
const mebibyte = 1024 ** 2

export class ProgressLine {
  readonly #stream: Output
  readonly #now: () => number
  readonly #unit: ProgressUnit
  readonly #title: string
  #start: number | undefined
  #finishedBefore = 0
  #drawn = Number.NEGATIVE_INFINITY
  #shown = false
  #excluded = 0

  constructor(stream: Output, now: () => number, unit: ProgressUnit, title = '') {
    this.#stream = stream
    this.#now = now
    this.#unit = unit
    this.#title = title
  }

  /** Excludes something finished from the displayed speed, because it took no time. */
  exclude(): void {
    this.#excluded += 1
  }

  draw(progress: Progress): void {
    if (this.#stream.isTTY !== true) return
    const now = this.#now()
    if (this.#start === undefined) {
      this.#start = now
      this.#finishedBefore = progress.finished
    }
    if (now - this.#drawn < refreshMs) return
    this.#drawn = now
    this.#shown = true
    const seconds = (now - this.#start) / 1000
    const counted = progress.finished - this.#finishedBefore - this.#excluded
    const speed = seconds === 0 ? 0 : counted / seconds
    // A title takes its columns from the bar, so that the line fits on a terminal.
    const bar = Math.max(minBarColumns, barColumns - this.#title.length)
    const line = `${this.#title} ${formatProgress(progress, speed, this.#unit, bar)}`.trimStart()
    this.#stream.write(`\r${line.slice(0, (this.#stream.columns || 80) - 1)}\u001b[K`)
  }

  clear(): void {
    if (this.#shown) this.#stream.write('\r\u001b[K')
    this.#shown = false
    this.#drawn = Number.NEGATIVE_INFINITY
  }
}

/** Formats a progress; `speed` is in units a second. Beyond the total there is no bar. */
export function formatProgress(
  { finished, total }: Progress,
  speed: number,
  unit: ProgressUnit,
  columns = barColumns,
): string {
  const rate = speed > 0 ? `${formatAmount(speed, unit)}${getName(unit)}/s` : ''
  if (finished > total) return `${formatAmount(finished, unit)} ${getNoun(unit)}  ${rate}`.trim()
  const share = total === 0 ? 1 : finished / total
  const filled = Math.round(share * columns)
  const bar = '█'.repeat(filled) + '░'.repeat(columns - filled)
  const left = speed > 0 ? `, ${formatTimeLeft((total - finished) / speed)} left` : ''
  const count = `${formatAmount(finished, unit)} of ${formatAmount(total, unit)}${getName(unit)}`
  return `${bar} ${Math.floor(share * 100)}%  ${count}  ${rate}${left}`.trimEnd()
}

function formatAmount(amount: number, unit: ProgressUnit): string {
  const value = unit === 'bytes' ? amount / mebibyte : amount
  return Number.isInteger(value) ? String(value) : value.toFixed(value < 10 ? 1 : 0)
}

function getName(unit: ProgressUnit): string {
  return unit === 'bytes' ? ' MiB' : ''
}

function getNoun(unit: ProgressUnit): string {
  return unit === 'bytes' ? 'MiB' : unit
}

function formatTimeLeft(seconds: number): string {
  const rounded = Math.ceil(seconds)
  if (rounded < 60) return `${rounded} s`
  if (rounded < 3600) return `${Math.ceil(rounded / 60)} min`
  return `${Math.floor(rounded / 3600)} h ${Math.ceil((rounded % 3600) / 60)} min`
}
