import { once } from 'node:events'
import sonicBoom from 'sonic-boom'
import type { Clock } from '../../util/async/clock.js'

/** Bytes of the log that wait to be written; lines beyond them are dropped. */
const maxWaiting = 1024 * 1024
/** Milliseconds that the end of the log may take. */
const closeTime = 1000

/**
 * Writes a log's lines to a file descriptor without waiting for its reader. A pipe or socket does
 * not block, because Node has opened `process.stderr` on it; the write to a terminal or file blocks
 * another thread.
 */
export class LogOutput {
  readonly #file: sonicBoom.SonicBoom
  readonly #clock: Pick<Clock, 'sleep'>
  readonly #onDropped: (count: number) => void
  #dropped = 0
  #reported = 0
  #isClosed = false
  #isAbandoned = false

  constructor(fd: number, clock: Pick<Clock, 'sleep'>, onDropped: (count: number) => void) {
    this.#clock = clock
    this.#onDropped = onDropped
    const retryEAGAIN = (): boolean => !this.#isAbandoned
    this.#file = new sonicBoom.SonicBoom({ fd, maxLength: maxWaiting, retryEAGAIN })
    this.#file.on('drop', () => {
      this.#dropped += 1
    })
    this.#file.on('drain', () => this.#reportDropped())
    // A log that cannot be written can tell nobody; its lines are dropped from 1 MiB on.
    this.#file.on('error', () => {})
    process.once('exit', this.#flush)
  }

  get dropped(): number {
    return this.#dropped
  }

  write(line: string): void {
    if (!this.#isClosed) this.#file.write(line)
  }

  /** Writes the rest of the log, for at most a second; later lines are ignored. */
  async close(): Promise<void> {
    if (this.#isClosed) return
    this.#isClosed = true
    process.off('exit', this.#flush)
    const stop = new AbortController()
    const ended = once(this.#file, 'close').then(() => stop.abort())
    this.#file.end()
    await Promise.race([ended, this.#clock.sleep(closeTime, stop.signal)])
    this.#isAbandoned = true
  }

  /** The process ends without `close`: writes what the reader of the log takes at once. */
  readonly #flush = (): void => {
    this.#isAbandoned = true
    try {
      this.#file.flushSync()
    } catch {
      // The reader of the log is too slow or gone.
    }
  }

  #reportDropped(): void {
    const count = this.#dropped - this.#reported
    if (count === 0) return
    this.#reported = this.#dropped
    this.#onDropped(count)
  }
}
