import type { RelayError } from '../../errors.js'
import { AppendLog } from './append-log.js'
import { writeFileAtomicWith } from './atomic-write.js'
import { cannotWriteError, getFailureReason, isMissingFile } from './file-error.js'
import { readLog } from './log-reader.js'

export interface LogWriter<R> {
  /** Resolves when the record is in the log and, if `durable` (@default true), on the disk. */
  append(record: R, durable?: boolean): Promise<void>
  /**
   * Appends to the log and never rejects: a record that cannot be written goes before the next
   * ones. A record that is not `durable` may be lost in a power cut.
   */
  appendWithRetry(record: R, durable: boolean): Promise<void>
}

export interface BatchedLogOptions<R> {
  readonly path: string
  /**
   * Lines for the rewrite of a batched log: every record still needed, including those about to be
   * written.
   */
  readonly encodeAll: () => Iterable<string>
  /** Encodes one line of the log; `synced` is the number of its bytes known to be on the disk. */
  readonly encode: (record: R, synced: number) => string
  /**
   * Called with one sentence when the batched log cannot be written, and again only after a
   * success.
   */
  readonly warn?: (sentence: string) => void
  /**
   * The log file is rewritten after growing by this many bytes and to twice its size.
   * @default never
   */
  readonly rewriteAfter?: number
  /**
   * Bytes of valid content of the batched log; the rest is truncated.
   * @default all, and a missing file is created
   */
  readonly length?: number
  readonly preallocate?: number
  /** Makes the error of a log that cannot be written. @default {@link cannotWriteError} */
  readonly toError?: (path: string, cause: unknown) => RelayError
}

const pieceLength = 262_144

interface QueuedRecord<R> {
  readonly record: R
  readonly durable: boolean
  readonly mustSucceed: boolean
  readonly done: (error?: unknown) => void
}

/**
 * A log of records: waiting ones are written together, with one sync, and the file is rewritten
 * when it has grown.
 */
export class BatchedLog<R> implements LogWriter<R> {
  readonly #options: BatchedLogOptions<R>
  #file: AppendLog | undefined
  #length: number | undefined
  #lengthAtRewrite = 0
  #queue: QueuedRecord<R>[] = []
  #unwritten: R[] = []
  #running: Promise<void> | undefined
  #isFailing = false
  #isClosed = false

  constructor(options: BatchedLogOptions<R>) {
    this.#options = options
    this.#length = options.length
  }

  async append(record: R, durable = true): Promise<void> {
    await this.#enqueue(record, durable, true)
  }

  async appendWithRetry(record: R, durable: boolean): Promise<void> {
    await this.#enqueue(record, durable, false)
  }

  async open(): Promise<void> {
    await this.#try(async () => void (await this.#open()))
  }

  async rewrite(): Promise<void> {
    await this.#running
    await this.#try(async () => await this.#rewrite())
  }

  /**
   * Gives the value of each whole line of the log file to `onValue`, and rewrites the file. Never
   * rejects: a file that cannot be read is replaced, with a warning.
   * @param createsFile whether a missing log file is created, and not only by the first record
   */
  async reload(onValue: (value: unknown) => void, createsFile = true): Promise<void> {
    const { path, warn } = this.#options
    let failure: unknown
    try {
      await readLog(path, { allowTornTail: true }, onValue)
    } catch (error) {
      if (!isMissingFile(error)) failure = error
      else if (!createsFile) return
    }
    try {
      await this.rewrite()
      if (failure !== undefined)
        warn?.(`${path} cannot be read (${getFailureReason(failure)}); it was replaced.`)
    } catch {
      // The rewrite has called `warn`.
    }
  }

  async flush(): Promise<void> {
    await this.#running
  }

  async close(): Promise<void> {
    await this.#running
    this.#isClosed = true
    await this.#closeFile()
  }

  #enqueue(record: R, durable: boolean, mustSucceed: boolean): Promise<void> {
    return new Promise((resolve, reject) => {
      const done = (error?: unknown) =>
        error !== undefined && mustSucceed ? reject(error) : resolve()
      this.#queue.push({ record, durable, mustSucceed, done })
      this.#running ??= this.#run()
    })
  }

  async #run(): Promise<void> {
    // Log records of the same turn of the event loop are written together.
    await Promise.resolve()
    while (this.#queue.length > 0) {
      await this.#writeBatch(this.#queue.splice(0))
      if (this.#isRewriteDue()) await this.#try(async () => await this.#rewrite()).catch(() => {})
    }
    // Not in `finally`: a log record added before that runs would wait forever.
    this.#running = undefined
  }

  #isRewriteDue(): boolean {
    const { rewriteAfter = Number.POSITIVE_INFINITY } = this.#options
    const grown = (this.#length ?? 0) - this.#lengthAtRewrite
    return grown > Math.max(rewriteAfter, this.#lengthAtRewrite)
  }

  async #writeBatch(batch: readonly QueuedRecord<R>[]): Promise<void> {
    const records = [...this.#unwritten, ...batch.map(each => each.record)]
    const durable = this.#unwritten.length > 0 || batch.some(each => each.durable)
    try {
      await this.#try(async () => {
        const file = await this.#open()
        const lines = records.map(record => this.#options.encode(record, file.synced))
        await file.append(Buffer.from(lines.join('')), durable)
        this.#length = file.length
      })
      this.#unwritten = []
      for (const { done } of batch) done()
    } catch (error) {
      this.#unwritten.push(...batch.filter(each => !each.mustSucceed).map(each => each.record))
      for (const { done } of batch) done(error)
    }
  }

  async #open(): Promise<AppendLog> {
    if (this.#isClosed) throw new Error('the file was closed')
    this.#file ??= await this.#openFile()
    return this.#file
  }

  async #openFile(): Promise<AppendLog> {
    const { path, encodeAll, preallocate = 0 } = this.#options
    try {
      return await AppendLog.open(path, { length: this.#length, preallocate })
    } catch (error) {
      if (this.#length !== undefined || !isMissingFile(error)) throw error
      await writePieces(path, encodePieces(encodeAll()))
      return await AppendLog.open(path, { preallocate })
    }
  }

  /**
   * Rewrites the log. The content may include records that are appended afterwards, too; these are
   * idempotent.
   */
  async #rewrite(): Promise<void> {
    const { path, encodeAll } = this.#options
    const content = encodePieces(encodeAll())
    await this.#closeFile()
    // If the replacement fails, the old log file is whole; otherwise the new one is.
    this.#length = undefined
    try {
      await writePieces(path, content)
      this.#length = (await this.#open()).length
    } finally {
      this.#lengthAtRewrite = this.#length ?? 0
    }
  }

  async #closeFile(): Promise<void> {
    const file = this.#file
    this.#file = undefined
    await file?.close()
  }

  async #try(work: () => Promise<void>): Promise<void> {
    try {
      await work()
      this.#isFailing = false
    } catch (cause) {
      const { path, warn, toError = cannotWriteError } = this.#options
      const error = toError(path, cause)
      if (!this.#isFailing) warn?.(error.message)
      this.#isFailing = true
      throw error
    }
  }
}

/** Encodes lines of a log at once: one text of all of them would need several times the memory. */
function encodePieces(lines: Iterable<string>): readonly Buffer[] {
  const pieces: Buffer[] = []
  let text = ''
  for (const line of lines) {
    text += line
    if (text.length < pieceLength) continue
    pieces.push(Buffer.from(text))
    text = ''
  }
  return [...pieces, Buffer.from(text)]
}

async function writePieces(path: string, pieces: readonly Buffer[]): Promise<void> {
  await writeFileAtomicWith(path, async file => {
    for (const piece of pieces) await file.writeFile(piece)
  })
}
