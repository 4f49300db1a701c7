import { errorText, RelayError } from '../../errors.js'
import type { LogWriter } from '../../phone/journal/journal.js'
import { AppendFile } from './append-file.js'
import { writeFileAtomic } from './atomic-write.js'

/** What a {@link JournalLog} works with. */
export interface JournalLogOptions<N> {
  readonly path: string
  /** The whole file, as it is to be written anew. */
  readonly whole: () => string
  /** A note as one line, and how many bytes of the file are surely on the disk. */
  readonly line: (note: N, synced: number) => string
  /** Told in one sentence that the journal cannot be written, once until it can. */
  readonly warn: (sentence: string) => void
  /** Bytes that are appended before the file is written anew, or as many as it had then if that is more. */
  readonly compactAfter: number
}

interface Entry<N> {
  readonly note: N
  readonly durable: boolean
  readonly must: boolean
  readonly done: (error?: unknown) => void
}

/**
 * Appends notes to a file, all that wait in one write and one sync, and writes the file anew when it has grown. A
 * note that could not be written goes before the next ones, unless its author was told.
 */
export class JournalLog<N> implements LogWriter<N> {
  readonly #options: JournalLogOptions<N>
  #file: AppendFile | undefined
  #length: number | undefined
  #base = 0
  #waiting: Entry<N>[] = []
  #owed: N[] = []
  #running: Promise<void> | undefined
  #failing = false
  #closed = false

  /** @param length bytes of the file that are whole and on the disk */
  constructor(options: JournalLogOptions<N>, length: number) {
    this.#options = options
    this.#length = length
  }

  async append(note: N): Promise<void> {
    await this.#add(note, true, true)
  }

  async appendWithRetry(note: N, durable: boolean): Promise<void> {
    await this.#add(note, durable, false)
  }

  /** Waits for what is being written and closes the file. */
  async close(): Promise<void> {
    await this.#running
    this.#closed = true
    await this.#close()
  }

  #add(note: N, durable: boolean, must: boolean): Promise<void> {
    return new Promise((resolve, reject) => {
      const done = (error?: unknown) => (error !== undefined && must ? reject(error) : resolve())
      this.#waiting.push({ note, durable, must, done })
      this.#running ??= this.#run()
    })
  }

  async #run(): Promise<void> {
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0)
      await this.#write(batch)
      const grown = (this.#length ?? 0) - this.#base
      if (grown > Math.max(this.#options.compactAfter, this.#base)) await this.#compact()
    }
    // At once, not when the promise is settled: a note that comes between would wait for ever.
    this.#running = undefined
  }

  async #write(batch: readonly Entry<N>[]): Promise<void> {
    const notes = [...this.#owed, ...batch.map(entry => entry.note)]
    const durable = this.#owed.length > 0 || batch.some(entry => entry.durable)
    try {
      const file = await this.#opened()
      const lines = notes.map(note => this.#options.line(note, file.synced))
      await file.append(lines.join(''), durable)
      this.#length = file.length
      this.#owed = []
      this.#failing = false
      for (const entry of batch) entry.done()
    } catch (error) {
      this.#owed.push(...batch.filter(entry => !entry.must).map(entry => entry.note))
      const trouble = this.#failed(error)
      for (const entry of batch) entry.done(trouble)
    }
  }

  async #opened(): Promise<AppendFile> {
    if (this.#closed) throw new Error('the journal was closed')
    this.#file ??= await AppendFile.open(this.#options.path, this.#length)
    return this.#file
  }

  /** Writes the file anew; the book may be ahead of the notes, and a note that is applied twice does no harm. */
  async #compact(): Promise<void> {
    const { path, whole } = this.#options
    const content = whole()
    try {
      await this.#close()
      // Whichever file then has the name is whole.
      this.#length = undefined
      await writeFileAtomic(path, content)
      this.#length = (await this.#opened()).length
    } catch (error) {
      this.#failed(error)
    }
    this.#base = this.#length ?? 0
  }

  async #close(): Promise<void> {
    const file = this.#file
    this.#file = undefined
    await file?.close()
  }

  #failed(cause: unknown): RelayError {
    const trouble = cannotWriteError(this.#options.path, cause)
    if (!this.#failing) this.#options.warn(trouble.message)
    this.#failing = true
    return trouble
  }
}

/** The error of a file of the journal that cannot be written. */
export function cannotWriteError(path: string, cause: unknown): RelayError {
  return new RelayError('unavailable', `${path} cannot be written (${toErrorReason(cause)}).`, {
    cause,
  })
}

/** Why something could not be done with a file, in a word where there is one. */
export function toErrorReason(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? errorText(error)
}
