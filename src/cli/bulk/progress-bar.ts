import type { Output } from '../terminal/io.js'

export interface BulkProgress {
  readonly rows: number
  readonly finished: number
}

/** Milliseconds between two drawings of the bar. */
const refreshInterval = 100
const barColumns = 20

/** A progress bar in the last line of a terminal; draws nothing elsewhere. */
export class ProgressBar {
  readonly #stream: Output
  readonly #now: () => number
  readonly #start: number
  #drawn = Number.NEGATIVE_INFINITY
  #shown = false
  #excluded = 0

  /** @param now milliseconds of a monotonic clock */
  constructor(stream: Output, now: () => number) {
    this.#stream = stream
    this.#now = now
    this.#start = now()
  }

  /** Excludes a row that needed no request from the speed. */
  excludeRow(): void {
    this.#excluded += 1
  }

  /** Draws the bar, unless it was drawn in the last 100 ms. */
  draw(progress: BulkProgress): void {
    const now = this.#now()
    if (this.#stream.isTTY !== true || now - this.#drawn < refreshInterval) return
    this.#drawn = now
    this.#shown = true
    const elapsed = (now - this.#start) / 1000
    const line = formatProgress(progress, (progress.finished - this.#excluded) / elapsed)
    this.#stream.write(`\r${line.slice(0, (this.#stream.columns ?? 80) - 1)}\u001b[K`)
  }

  /** Removes the bar, so that a line can be printed. */
  clear(): void {
    if (this.#shown) this.#stream.write('\r\u001b[K')
    this.#shown = false
    this.#drawn = Number.NEGATIVE_INFINITY
  }
}

/** Formats the bar with share, rows, speed (rows a second) and remaining time. */
export function formatProgress({ rows, finished }: BulkProgress, speed: number): string {
  const share = rows === 0 ? 1 : finished / rows
  const full = Math.round(share * barColumns)
  const bar = '█'.repeat(full) + '░'.repeat(barColumns - full)
  const left = speed > 0 ? `, ${formatTimeLeft((rows - finished) / speed)} left` : ''
  const fast = Number.isFinite(speed) && speed > 0 ? `  ${speed.toFixed(speed < 10 ? 1 : 0)}/s` : ''
  return `${bar} ${Math.floor(share * 100)}%  ${finished} of ${rows}${fast}${left}`
}

function formatTimeLeft(seconds: number): string {
  const whole = Math.ceil(seconds)
  if (whole < 60) return `${whole} s`
  if (whole < 3600) return `${Math.ceil(whole / 60)} min`
  return `${Math.floor(whole / 3600)} h ${Math.ceil((whole % 3600) / 60)} min`
}
