import type { MessageFields } from '../../contract/message-schema.js'
import { hashText } from '../../util/crypto/secrets.js'
import type { AttemptOutcome } from '../driver-port/attempt-outcome.js'
import {
  type Attempt,
  AttemptHistory,
  type AttemptRecord,
  type FinishedAttempt,
} from './attempt-history.js'

/**
 * What one loop of a phone remembers of its attempts, so that nothing is sent twice: in memory
 * ({@link memoryJournal}), or on disk where it outlives a crash (`openFileJournal`).
 */
export interface Journal {
  /** What an earlier run of this loop left: outcomes the relay does not know. */
  unreported(): readonly FinishedAttempt[]
  /**
   * The driver is about to be called, unless an earlier attempt has an outcome that is to be reported instead of
   * sending again; waits for another loop that has the same message in hand. Throws when it cannot be noted.
   */
  begin(message: MessageFields, key: string): Promise<FinishedAttempt | undefined>
  /** The driver has answered; nothing is reported yet. */
  record(attempt: Attempt, outcome: AttemptOutcome): Promise<void>
  /** No attempt took place after all. */
  cancel(attempt: Attempt): Promise<void>
  /** The relay has answered the report. */
  settle(attempt: Attempt): Promise<void>
}

/** A {@link Journal} that remembers what was sent, up to `most` messages; loops in one process share it. */
export function createMemoryJournal(most?: number): Journal {
  const nothing = async () => {}
  return new AttemptJournal(new AttemptHistory(most), {
    append: nothing,
    appendWithRetry: nothing,
  }).worker(0)
}

/** Where notes are kept. */
export interface LogWriter<N = AttemptRecord> {
  /** Keeps a note; rejects when it cannot. */
  append(note: N): Promise<void>
  /** Keeps a note as soon as it can; never rejects. Unless `durable`, the loss of it in a power cut does no harm. */
  appendWithRetry(note: N, durable: boolean): Promise<void>
}

interface PendingAttempt {
  readonly id: string
  readonly ended: Promise<void>
  readonly end: () => void
}

/** The attempts of all loops of a phone: in a book, and noted in a {@link Notebook}. */
export class AttemptJournal {
  readonly #book: AttemptHistory
  readonly #notebook: LogWriter
  readonly #flights = new Map<string, PendingAttempt>()

  constructor(book: AttemptHistory, notebook: LogWriter) {
    this.#book = book
    this.#notebook = notebook
  }

  /** The journal of one loop. */
  worker(worker: number): Journal {
    return {
      unreported: () => this.#unreported(worker),
      begin: async (message, key) => await this.#begin(message, key, worker),
      record: async ({ key }, outcome) => {
        await this.#land(key, { do: 'end', key, outcome })
      },
      cancel: async ({ key }) => await this.#land(key, { do: 'cancel', key }),
      settle: async ({ key }) => await this.#note({ do: 'settle', key }, false),
    }
  }

  #unreported(worker: number): FinishedAttempt[] {
    return [...this.#book.listOpen()].flatMap(({ id, key, outcome, worker: whose }) =>
      whose !== worker || outcome === undefined ? [] : [{ id, key, outcome }],
    )
  }

  async #begin(
    message: MessageFields,
    key: string,
    worker: number,
  ): Promise<FinishedAttempt | undefined> {
    const { id } = message
    for (let flight = this.#flying(id); flight !== undefined; flight = this.#flying(id)) {
      await flight.ended
    }
    const content = hashContent(message)
    const known = this.#book.findFinished(id, content)
    if (known !== undefined) return known
    // From the look at the book to here nothing is awaited: of two loops only one can get so far.
    this.#flights.set(key, createPendingAttempt(id))
    const note: AttemptRecord = { do: 'begin', key, id, content, worker }
    this.#book.apply(note)
    try {
      await this.#notebook.append(note)
      return undefined
    } catch (error) {
      await this.#land(key, { do: 'cancel', key })
      throw error
    }
  }

  #flying(id: string): PendingAttempt | undefined {
    return [...this.#flights.values()].find(flight => flight.id === id)
  }

  async #land(key: string, note: AttemptRecord): Promise<void> {
    await this.#note(note, true)
    this.#flights.get(key)?.end()
    this.#flights.delete(key)
  }

  async #note(note: AttemptRecord, durable: boolean): Promise<void> {
    this.#book.apply(note)
    await this.#notebook.appendWithRetry(note, durable)
  }
}

function createPendingAttempt(id: string): PendingAttempt {
  let land = () => {}
  const landed = new Promise<void>(resolve => {
    land = resolve
  })
  return { id, ended: landed, end: land }
}

/** Tells whether a message is still the one that was sent, without keeping its text: it may have been edited. */
function hashContent({ destination, message }: MessageFields): string {
  return hashText(JSON.stringify([destination, message]))
}
