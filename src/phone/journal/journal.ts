// The journal of a phone: its attempts to send, so that no message is sent twice.
//
// 1. `file-journal` locks the directory, reads the file `journal` (`journal-format`) and gives
//    every attempt without an end the outcome `unknown`.
// 2. The dispatcher reports the outcomes of the earlier run: `unreported`.
// 3. Before it calls the driver: `begin`, which is on the disk when it resolves.
// 4. After the driver has answered: `record`. After the relay has answered the report: `settle`.
//
// Records of the same turn of the event loop are written together, with one sync.
// `attempt-history` derives from the records what is open and what was sent. `token-files` holds
// the phone's token. Without a directory the journal is in memory.
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

export interface Journal {
  /** Outcomes of an earlier run of this phone that the relay does not know. */
  unreported(): readonly FinishedAttempt[]
  /**
   * Records in the journal that the driver is about to be called. If the message was sent or tried
   * before, resolves to that attempt, to be reported instead. Rejects if the record cannot be
   * written.
   */
  begin(message: MessageFields, key: string): Promise<FinishedAttempt | undefined>
  record(attempt: Attempt, outcome: AttemptOutcome): Promise<void>
  cancel(attempt: Attempt): Promise<void>
  /** Records in the journal that the relay has answered the report. */
  settle(attempt: Attempt): Promise<void>
}

export function createMemoryJournal(maxRemembered?: number): Journal {
  const doNothing = async () => {}
  return new AttemptJournal(new AttemptHistory(maxRemembered), {
    append: doNothing,
    appendWithRetry: doNothing,
  })
}

export class AttemptJournal implements Journal {
  readonly #history: AttemptHistory
  readonly #log: LogWriter<AttemptRecord>

  constructor(history: AttemptHistory, log: LogWriter<AttemptRecord>) {
    this.#history = history
    this.#log = log
  }

  unreported(): readonly FinishedAttempt[] {
    return [...this.#history.listOpen()].flatMap(({ id, key, outcome }) =>
      outcome === undefined ? [] : [{ id, key, outcome }],
    )
  }

  async begin(message: MessageFields, key: string): Promise<FinishedAttempt | undefined> {
    const { id } = message
    const content = hashContent(message)
    const finished = this.#history.findFinished(id, content)
    if (finished !== undefined) return finished
    const record: AttemptRecord = { do: 'begin', key, id, content }
    this.#history.apply(record)
    try {
      await this.#log.append(record)
      return undefined
    } catch (error) {
      await this.#write({ do: 'cancel', key }, true)
      throw error
    }
  }

  async record({ key }: Attempt, outcome: AttemptOutcome): Promise<void> {
    await this.#write({ do: 'end', key, outcome }, true)
  }

  async cancel({ key }: Attempt): Promise<void> {
    await this.#write({ do: 'cancel', key }, true)
  }

  async settle({ key }: Attempt): Promise<void> {
    await this.#write({ do: 'settle', key }, false)
  }

  async #write(record: AttemptRecord, durable: boolean): Promise<void> {
    this.#history.apply(record)
    await this.#log.appendWithRetry(record, durable)
  }
}

/**
 * Identifies a message's recipient and text, which may be edited, without storing them in the
 * journal.
 */
function hashContent({ destination, message }: MessageFields): string {
  return hashText(JSON.stringify([destination, message]))
}
