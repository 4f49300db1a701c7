// The journal of a phone: its attempts to send, so that no message is sent twice.
//
// 1. `file-journal` locks the directory, reads the file `journal` (`journal-format`) and gives
//    every attempt without an end the outcome `unknown`.
// 2. A worker reports the outcomes of its earlier run: `unreported`.
// 3. Before it calls the driver: `begin`, which is on the disk when it resolves.
// 4. After the driver has answered: `record`. After the relay has answered the report: `settle`.
//
// `attempt-history` derives from these records what is open and what was sent. `token-files` holds
// the workers' tokens. Without a directory the journal is in memory.
import type { MessageFields } from '../../contract/message-schema.js'
import { hashText } from '../../util/crypto/secrets.js'
import type { LogWriter } from '../../util/files/batched-log.js'
import type { AttemptOutcome } from '../driver-port/attempt-outcome.js'
import {
  type Attempt,
  AttemptHistory,
  type AttemptRecord,
  type FinishedAttempt,
} from './attempt-history.js'

/** The journaled attempts of one phone worker; in memory, or on disk (`openFileJournal`). */
export interface Journal {
  /** Outcomes of an earlier run of this phone worker that the relay does not know. */
  unreported(): readonly FinishedAttempt[]
  /**
   * Records in the journal that the driver is about to be called. If the message was sent or tried
   * before, resolves to that attempt, to be reported instead. Waits while another worker sends the
   * same message. Rejects if the record cannot be written.
   */
  begin(message: MessageFields, key: string): Promise<FinishedAttempt | undefined>
  record(attempt: Attempt, outcome: AttemptOutcome): Promise<void>
  /** Records in the journal that the driver was not called. */
  cancel(attempt: Attempt): Promise<void>
  /** Records in the journal that the relay has answered the report. */
  settle(attempt: Attempt): Promise<void>
}

/** Creates a phone's {@link Journal} in memory that remembers `maxRemembered` sent messages. */
export function createMemoryJournal(maxRemembered?: number): Journal {
  const doNothing = async () => {}
  return new AttemptJournal(new AttemptHistory(maxRemembered), {
    append: doNothing,
    appendWithRetry: doNothing,
  }).worker(0)
}

interface PendingAttempt {
  readonly id: string
  readonly ended: Promise<void>
  readonly end: () => void
}

/** The attempts of all workers of a phone: in a history and in the journal file. */
export class AttemptJournal {
  readonly #history: AttemptHistory
  readonly #log: LogWriter<AttemptRecord>
  readonly #pending = new Map<string, PendingAttempt>()

  constructor(history: AttemptHistory, log: LogWriter<AttemptRecord>) {
    this.#history = history
    this.#log = log
  }

  worker(worker: number): Journal {
    return {
      unreported: () => this.#listUnreported(worker),
      begin: async (message, key) => await this.#begin(message, key, worker),
      record: async ({ key }, outcome) => {
        await this.#end(key, { do: 'end', key, outcome })
      },
      cancel: async ({ key }) => await this.#end(key, { do: 'cancel', key }),
      settle: async ({ key }) => await this.#write({ do: 'settle', key }, false),
    }
  }

  #listUnreported(worker: number): FinishedAttempt[] {
    return [...this.#history.listOpen()].flatMap(({ id, key, outcome, worker: owner }) =>
      owner !== worker || outcome === undefined ? [] : [{ id, key, outcome }],
    )
  }

  async #begin(
    message: MessageFields,
    key: string,
    worker: number,
  ): Promise<FinishedAttempt | undefined> {
    const { id } = message
    for (;;) {
      const pending = this.#findPending(id)
      if (pending === undefined) break
      await pending.ended
    }
    const content = hashContent(message)
    const finished = this.#history.findFinished(id, content)
    if (finished !== undefined) return finished
    // No await between the look-up and here, so that only one of two phone workers can continue.
    this.#pending.set(key, createPendingAttempt(id))
    const record: AttemptRecord = { do: 'begin', key, id, content, worker }
    this.#history.apply(record)
    try {
      await this.#log.append(record)
      return undefined
    } catch (error) {
      await this.#end(key, { do: 'cancel', key })
      throw error
    }
  }

  #findPending(id: string): PendingAttempt | undefined {
    return [...this.#pending.values()].find(pending => pending.id === id)
  }

  async #end(key: string, record: AttemptRecord): Promise<void> {
    await this.#write(record, true)
    this.#pending.get(key)?.end()
    this.#pending.delete(key)
  }

  async #write(record: AttemptRecord, durable: boolean): Promise<void> {
    this.#history.apply(record)
    await this.#log.appendWithRetry(record, durable)
  }
}

function createPendingAttempt(id: string): PendingAttempt {
  let end = () => {}
  const ended = new Promise<void>(resolve => {
    end = resolve
  })
  return { id, ended, end }
}

/**
 * Identifies a message's recipient and text, which may be edited, without storing them in the
 * journal.
 */
function hashContent({ destination, message }: MessageFields): string {
  return hashText(JSON.stringify([destination, message]))
}
