import { digest } from '../../util/crypto/secrets.js'
import type { DriverListener, IncomingText } from '../driver-port/driver.js'
import type { PhoneEvent } from '../events/phone-events.js'
import type { Notebook } from '../journal/journal.js'
import { Gathering, type WholeText } from './part-assembler.js'
import { type Piece, ReceivedBook, type ReceivedNote } from './received-records.js'

/** Where texts that come in are kept: what is known of them, and how it is noted. */
export interface ReceivedStore extends Notebook<ReceivedNote> {
  readonly book: ReceivedBook
}

/** What an {@link Intake} works with. */
export interface IntakeOptions {
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
const waitsForParts = 86_400_000

/** A {@link ReceivedStore} that a crash forgets. */
export function memoryReceived(): ReceivedStore {
  const nothing = async () => {}
  return { book: new ReceivedBook(), must: nothing, note: nothing }
}

/** Keeps texts that come in from the moment a driver has them until somebody has taken them on, in their order. */
export class Intake implements DriverListener {
  readonly #options: IntakeOptions
  readonly #store: ReceivedStore
  readonly #gathering = new Gathering()
  readonly #whole: WholeText[] = []
  readonly #coming = new Map<string, Promise<void>>()
  #wake: () => void = () => {}

  constructor(options: IntakeOptions) {
    this.#options = options
    this.#store = options.store ?? memoryReceived()
    for (const piece of this.#store.book.pieces()) this.#push(this.#gathering.add(piece))
  }

  async received({ ref, ...text }: IncomingText): Promise<void> {
    const key =
      ref === undefined ? crypto.randomUUID() : digest(JSON.stringify([text.line ?? '', ref]))
    const coming = this.#coming.get(key)
    if (coming !== undefined || this.#store.book.knows(key)) return await coming
    const kept = this.#keep({ ...text, key, cameAt: this.#options.time() })
    this.#coming.set(key, kept)
    try {
      await kept
    } finally {
      this.#coming.delete(key)
    }
  }

  reported({ to, state }: Parameters<DriverListener['reported']>[0]): void {
    this.#options.onEvent({ event: 'reported', to, state })
  }

  async since(name: string): Promise<number> {
    const { book } = this.#store
    const before = book.since(name)
    if (before !== undefined) return before
    const note = { do: 'since', name, at: this.#options.time() } as const
    book.apply(note)
    await this.#store.note(note, true)
    return note.at
  }

  /** Whether parts wait for the rest of their text. */
  get hasParts(): boolean {
    return this.#gathering.waits
  }

  /** The oldest text that is whole, where texts are taken on. */
  next(): WholeText | undefined {
    for (const text of this.#gathering.stale(this.#options.time() - waitsForParts)) {
      this.#arrived(text)
    }
    return this.#options.forward ? this.#whole[0] : undefined
  }

  /** Notes that the text {@link next} gave is taken on, or of no use to anybody. */
  async gone({ key, keys }: WholeText): Promise<void> {
    if (this.#whole[0]?.key === key) this.#whole.shift()
    await this.#forget(keys)
  }

  /** Waits for another text, or a part of one, or the signal to be aborted. */
  async changed(signal: AbortSignal): Promise<void> {
    await new Promise<void>(resolve => {
      this.#wake = resolve
      signal.addEventListener('abort', () => resolve(), { once: true })
      if (signal.aborted) resolve()
    })
  }

  async #keep(piece: Piece): Promise<void> {
    const note = { do: 'came', ...piece } as const
    // Before it is written, as the file may be written anew meanwhile.
    this.#store.book.apply(note)
    try {
      await this.#store.must(note)
    } catch (error) {
      this.#store.book.forget(piece.key)
      throw error
    }
    const whole = this.#gathering.add(piece)
    if (whole !== undefined) this.#arrived(whole)
    else this.#wake()
  }

  #arrived(whole: WholeText): void {
    const { onEvent, forward } = this.#options
    onEvent({ event: 'received', from: whole.from, text: whole.text })
    if (forward) this.#push(whole)
    else void this.#forget(whole.keys)
  }

  #push(whole: WholeText | undefined): void {
    if (whole === undefined) return
    this.#whole.push(whole)
    this.#wake()
  }

  async #forget(keys: readonly string[]): Promise<void> {
    const note = { do: 'gone', keys } as const
    this.#store.book.apply(note)
    await this.#store.note(note, true)
  }
}
