import { readFile } from 'node:fs/promises'
import { AppendFile } from '../../util/files/append-file.js'
import { cannotWriteError } from '../../util/files/append-log.js'
import { writeFileAtomic } from '../../util/files/atomic-write.js'
import { decodeChecksumLine, encodeChecksumLine } from '../../util/files/checksum-line.js'
import type { PartsRate } from './parts-rate.js'
import { type SentParts, SlidingWindow } from './sliding-window.js'

/** What a {@link PaceFile} works with. */
export interface SentLogOptions {
  /** The limit of the longest period: what is older is forgotten. */
  readonly longest: PartsRate
  /** Milliseconds within which parts count as sent together. */
  readonly slot: number
  /** Milliseconds since the epoch. */
  readonly time: () => number
  /** Told in one sentence that the file cannot be read or written, once until it can. */
  readonly warn: (sentence: string) => void
  /** Bytes that are appended before the file is written anew, or as many as it had then if that is more. @default 262144 */
  readonly compactAfter?: number
}

/**
 * What was sent and when, in a file, so that a restart knows what the last period has had. It is appended to without
 * a sync: a power cut may forget the last seconds, and a file that cannot be written holds nothing up.
 */
export class SentLog implements AsyncDisposable {
  readonly #path: string
  readonly #options: SentLogOptions
  readonly #window: SlidingWindow
  #file: AppendFile | undefined
  #grown = 0
  #base = 0
  #waiting: SentParts[] = []
  #running: Promise<void> | undefined
  #failing = false

  private constructor(path: string, options: SentLogOptions) {
    this.#path = path
    this.#options = options
    this.#window = new SlidingWindow(options.longest, options.slot)
  }

  /** Opens the file, or begins it; never rejects. */
  static async open(path: string, options: SentLogOptions): Promise<SentLog> {
    const file = new SentLog(path, options)
    try {
      const now = options.time()
      // What seems to be yet to come was sent before the clock was put back.
      for (const { at, parts } of await readSentLog(path)) {
        file.#window.add({ at: Math.min(at, now), parts })
      }
      await file.#anew()
    } catch (error) {
      file.#failed(error)
    }
    return file
  }

  /** What was sent in the longest period, oldest first, in milliseconds since the epoch. */
  getSent(): readonly SentParts[] {
    return this.#window.getSent(this.#options.time())
  }

  /** Notes parts that were sent now. */
  add(parts: number): void {
    const sent = { at: this.#options.time(), parts }
    this.#window.add(sent)
    this.#waiting.push(sent)
    this.#running ??= this.#run()
  }

  /** Waits until all that was noted is in the file, or told as a warning. */
  async flush(): Promise<void> {
    await this.#running
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.flush()
    await this.#file?.close()
  }

  async #run(): Promise<void> {
    while (this.#waiting.length > 0) {
      const text = this.#waiting.splice(0).map(encodeChecksumLine).join('')
      try {
        const most = Math.max(this.#options.compactAfter ?? 262_144, this.#base)
        if (this.#file === undefined || this.#grown > most) {
          await this.#anew()
        } else {
          await this.#file.append(text, false)
          this.#grown += text.length
        }
        this.#failing = false
      } catch (error) {
        this.#failed(error)
      }
    }
    this.#running = undefined
  }

  /** Writes all that counts into a new file. */
  async #anew(): Promise<void> {
    const old = this.#file
    this.#file = undefined
    await old?.close()
    const text = this.getSent().map(encodeChecksumLine).join('')
    await writeFileAtomic(this.#path, text)
    this.#file = await AppendFile.open(this.#path)
    this.#base = text.length
    this.#grown = 0
  }

  #failed(cause: unknown): void {
    if (!this.#failing) this.#options.warn(cannotWriteError(this.#path, cause).message)
    this.#failing = true
  }
}

/** The lines that are whole; nothing where there is no file. */
async function readSentLog(path: string): Promise<SentParts[]> {
  const bytes = await readFile(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return Buffer.alloc(0)
    throw error
  })
  const lines = bytes.toString('latin1').split('\n')
  return lines.map(line => decodeChecksumLine(Buffer.from(line, 'latin1'))).filter(isSentParts)
}

function isSentParts(value: unknown): value is SentParts {
  if (typeof value !== 'object' || value === null || !('at' in value && 'parts' in value)) {
    return false
  }
  return Number.isFinite(value.at) && Number.isFinite(value.parts)
}
