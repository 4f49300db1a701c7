import type { Output } from '../terminal/io.js'

export interface BulkProgress {
  readonly rows: number
  readonly finished: number
}

const refreshMs = 100
const barColumns = 20

export class ProgressBar {
  readonly #stream: Output
  readonly #now: () => number
  readonly #start: number
  #drawn = Number.NEGATIVE_INFINITY
  #shown = false
  #excluded = 0

  constructor(stream: Output, now: () => number) {
    this.#stream = stream
    this.#now = now
    this.#start = now()
  }

  /** Excludes a bulk row from the displayed speed, because it needed no request. */
  excludeRow(): void {
    this.#excluded += 1
  }

  draw(progress: BulkProgress): void {
    const now = this.#now()
    if (this.#stream.isTTY !== true || now - this.#drawn < refreshMs) return
    this.#drawn = now
    this.#shown = true
    const elapsed = (now - this.#start) / 1000
    const line = formatProgress(progress, (progress.finished - this.#excluded) / elapsed)
    this.#stream.write(`\r${line.slice(0, (this.#stream.columns ?? 80) - 1)}\u001b[K`)
  }

  clear(): void {
    if (this.#shown) this.#stream.write('\r\u001b[K')
    this.#shown = false
    this.#drawn = Number.NEGATIVE_INFINITY
  }
}

export function formatProgress({ rows, finished }: BulkProgress, speed: number): string {
  const share = rows === 0 ? 1 : finished / rows
  const filled = Math.round(share * barColumns)
  const bar = '█'.repeat(filled) + '░'.repeat(barColumns - filled)
  const left = speed > 0 ? `, ${formatTimeLeft((rows - finished) / speed)} left` : ''
  const rate = Number.isFinite(speed) && speed > 0 ? `  ${speed.toFixed(speed < 10 ? 1 : 0)}/s` : ''
  return `${bar} ${Math.floor(share * 100)}%  ${finished} of ${rows}${rate}${left}`
}

function formatTimeLeft(seconds: number): string {
  const rounded = Math.ceil(seconds)
  if (rounded < 60) return `${rounded} s`
  if (rounded < 3600) return `${Math.ceil(rounded / 60)} min`
  return `${Math.floor(rounded / 3600)} h ${Math.ceil((rounded % 3600) / 60)} min`
}
