import { BatchedLog } from '../../util/files/batched-log.js'
import { encodeChecksumLine } from '../../util/files/checksum-line.js'
import type { PartsRate } from './parts-rate.js'
import { type SentParts, SlidingWindow } from './sliding-window.js'

interface SentLogOptions {
  readonly longest: PartsRate
  /** Milliseconds within which SMS parts count as sent together. */
  readonly slot: number
  /** Milliseconds since the epoch. */
  readonly time: () => number
  /**
   * Called with one sentence if the sent log cannot be read or written, and again after a success.
   */
  readonly warn: (sentence: string) => void
  /** Bytes by which the sent log grows before it is rewritten. @default 262144 */
  readonly compactAfter?: number
}

/**
 * A log of the SMS parts that the phone sent, so that after a restart it respects the rate limit of
 * the last period. It is not synced: a power cut may lose the last seconds. Sending never waits for
 * it.
 */
export class SentLog implements AsyncDisposable {
  readonly #time: () => number
  readonly #window: SlidingWindow
  readonly #log: BatchedLog<SentParts>

  private constructor(path: string, options: SentLogOptions) {
    const { longest, slot, time, warn, compactAfter = 262_144 } = options
    this.#time = time
    this.#window = new SlidingWindow(longest, slot)
    this.#log = new BatchedLog<SentParts>({
      path,
      encodeAll: () => this.getSent().map(encodeChecksumLine),
      encode: encodeChecksumLine,
      warn,
      rewriteAfter: compactAfter,
    })
  }

  /** Opens or creates the phone's sent log; never rejects. */
  static async open(path: string, options: SentLogOptions): Promise<SentLog> {
    const log = new SentLog(path, options)
    await log.#log.reload(value => log.#load(value))
    return log
  }

  /** SMS parts sent in the longest period, oldest first; times in milliseconds since the epoch. */
  getSent(): readonly SentParts[] {
    return this.#window.getSent(this.#time())
  }

  add(parts: number): void {
    const sent = { at: this.#time(), parts }
    this.#window.add(sent)
    void this.#log.appendWithRetry(sent, false)
  }

  async flush(): Promise<void> {
    await this.#log.flush()
  }

  #load(value: unknown): void {
    if (!isSentParts(value)) return
    // A time of sending in the future was recorded before the clock was set back.
    this.#window.add({ at: Math.min(value.at, this.#time()), parts: value.parts })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#log.close()
  }
}

function isSentParts(value: unknown): value is SentParts {
  if (typeof value !== 'object' || value === null) return false
  const { at, parts } = value as Partial<SentParts>
  return Number.isFinite(at) && Number.isFinite(parts)
}
