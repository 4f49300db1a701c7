import type { Output } from '../terminal/io.js'

/** How far a job has come. */
export interface BulkProgress {
  readonly rows: number
  readonly finished: number
}

/** Milliseconds between two pictures of the bar. */
const refreshInterval = 100
const barColumns = 20

/** A bar on a terminal, drawn over itself; elsewhere nothing. */
export class ProgressBar {
  readonly #stream: Output
  readonly #now: () => number
  readonly #begun: number
  #drawn = Number.NEGATIVE_INFINITY
  #shown = false
  #before = 0

  /** @param now milliseconds of a clock that only goes forward */
  constructor(stream: Output, now: () => number) {
    this.#stream = stream
    this.#now = now
    this.#begun = now()
  }

  /** Leaves rows that took no time out of the reckoning. */
  excludeRow(): void {
    this.#before += 1
  }

  /** Draws the bar, unless it was drawn a moment ago. */
  draw(standing: BulkProgress): void {
    const now = this.#now()
    if (this.#stream.isTTY !== true || now - this.#drawn < refreshInterval) return
    this.#drawn = now
    this.#shown = true
    const elapsed = (now - this.#begun) / 1000
    const line = formatProgress(standing, (standing.finished - this.#before) / elapsed)
    this.#stream.write(`\r${line.slice(0, (this.#stream.columns ?? 80) - 1)}\u001b[K`)
  }

  /** Takes the bar away, so that a line can be written. */
  clear(): void {
    if (this.#shown) this.#stream.write('\r\u001b[K')
    this.#shown = false
    this.#drawn = Number.NEGATIVE_INFINITY
  }
}

/** A bar with numbers, the speed (rows a second) and the time left. */
export function formatProgress({ rows, finished: settled }: BulkProgress, speed: number): string {
  const share = rows === 0 ? 1 : settled / rows
  const full = Math.round(share * barColumns)
  const bar = '█'.repeat(full) + '░'.repeat(barColumns - full)
  const left = speed > 0 ? `, ${formatTimeLeft((rows - settled) / speed)} left` : ''
  const fast = Number.isFinite(speed) && speed > 0 ? `  ${speed.toFixed(speed < 10 ? 1 : 0)}/s` : ''
  return `${bar} ${Math.floor(share * 100)}%  ${settled} of ${rows}${fast}${left}`
}

/** Seconds as people say them. */
function formatTimeLeft(seconds: number): string {
  const whole = Math.ceil(seconds)
  if (whole < 60) return `${whole} s`
  if (whole < 3600) return `${Math.ceil(whole / 60)} min`
  return `${Math.floor(whole / 3600)} h ${Math.ceil((whole % 3600) / 60)} min`
}
