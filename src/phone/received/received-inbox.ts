import { hashText } from '../../util/crypto/secrets.js'
import type { LogWriter } from '../../util/files/batched-log.js'
import type { DriverListener, IncomingText } from '../driver-port/driver.js'
import type { PhoneEvent } from '../events/phone-events.js'
import { type CompleteText, PartAssembler } from './part-assembler.js'
import { type ReceivedPart, type ReceivedRecord, ReceivedRecords } from './received-records.js'

/** Where texts that come in are kept: what is known of them, and how it is noted. */
export interface ReceivedStore extends LogWriter<ReceivedRecord> {
  readonly records: ReceivedRecords
}

/** What an {@link Intake} works with. */
export interface ReceivedInboxOptions {
  /** @default memory, which a crash forgets */
  readonly store?: ReceivedStore
  /** Told of each text when it is whole, and of delivery reports. */
  readonly onEvent: (event: PhoneEvent) => void
  /** Whether texts are kept until somebody has taken them on. */
  readonly forward: boolean
  /** Milliseconds since the epoch. */
  readonly time: () => number
}

/** Longest that the rest of a text in parts is waited for, in milliseconds. */
const partsTimeout = 86_400_000

/** A {@link ReceivedStore} that a crash forgets. */
export function createMemoryReceivedStore(): ReceivedStore {
  const nothing = async () => {}
  return { records: new ReceivedRecords(), append: nothing, appendWithRetry: nothing }
}

/** Keeps texts that come in from the moment a driver has them until somebody has taken them on, in their order. */
export class ReceivedInbox implements DriverListener {
  readonly #options: ReceivedInboxOptions
  readonly #store: ReceivedStore
  readonly #gathering = new PartAssembler()
  readonly #whole: CompleteText[] = []
  readonly #coming = new Map<string, Promise<void>>()
  #wake: () => void = () => {}

  constructor(options: ReceivedInboxOptions) {
    this.#options = options
    this.#store = options.store ?? createMemoryReceivedStore()
    for (const piece of this.#store.records.parts()) this.#push(this.#gathering.add(piece))
  }

  async onText({ ref, ...text }: IncomingText): Promise<void> {
    const key =
      ref === undefined ? crypto.randomUUID() : hashText(JSON.stringify([text.line ?? '', ref]))
    const coming = this.#coming.get(key)
    if (coming !== undefined || this.#store.records.has(key)) return await coming
    const kept = this.#keep({ ...text, key, cameAt: this.#options.time() })
    this.#coming.set(key, kept)
    try {
      await kept
    } finally {
      this.#coming.delete(key)
    }
  }

  onReceipt({ to, state }: Parameters<DriverListener['onReceipt']>[0]): void {
    this.#options.onEvent({ event: 'reported', to, state })
  }

  async getFirstRun(name: string): Promise<number> {
    const { records: book } = this.#store
    const before = book.getFirstRun(name)
    if (before !== undefined) return before
    const note = { do: 'since', name, at: this.#options.time() } as const
    book.apply(note)
    await this.#store.appendWithRetry(note, true)
    return note.at
  }

  /** Whether parts wait for the rest of their text. */
  get hasIncomplete(): boolean {
    return this.#gathering.hasIncomplete
  }

  /** The oldest text that is whole, where texts are taken on. */
  getNext(): CompleteText | undefined {
    for (const text of this.#gathering.takeExpired(this.#options.time() - partsTimeout)) {
      this.#arrived(text)
    }
    return this.#options.forward ? this.#whole[0] : undefined
  }

  /** Notes that the text {@link next} gave is taken on, or of no use to anybody. */
  async remove({ key, keys }: CompleteText): Promise<void> {
    if (this.#whole[0]?.key === key) this.#whole.shift()
    await this.#forget(keys)
  }

  /** Waits for another text, or a part of one, or the signal to be aborted. */
  async waitForChange(signal: AbortSignal): Promise<void> {
    await new Promise<void>(resolve => {
      this.#wake = resolve
      signal.addEventListener('abort', () => resolve(), { once: true })
      if (signal.aborted) resolve()
    })
  }

  async #keep(piece: ReceivedPart): Promise<void> {
    const note = { do: 'came', ...piece } as const
    // Before it is written, as the file may be written anew meanwhile.
    this.#store.records.apply(note)
    try {
      await this.#store.append(note)
    } catch (error) {
      this.#store.records.removePart(piece.key)
      throw error
    }
    const whole = this.#gathering.add(piece)
    if (whole !== undefined) this.#arrived(whole)
    else this.#wake()
  }

  #arrived(whole: CompleteText): void {
    const { onEvent, forward } = this.#options
    onEvent({ event: 'received', from: whole.from, text: whole.text })
    if (forward) this.#push(whole)
    else void this.#forget(whole.keys)
  }

  #push(whole: CompleteText | undefined): void {
    if (whole === undefined) return
    this.#whole.push(whole)
    this.#wake()
  }

  async #forget(keys: readonly string[]): Promise<void> {
    const note = { do: 'gone', keys } as const
    this.#store.records.apply(note)
    await this.#store.appendWithRetry(note, true)
  }
}
