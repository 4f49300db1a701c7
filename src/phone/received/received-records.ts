import type { IncomingText } from '../driver-port/driver.js'

/** A text, or a part of one, as kept until the relay has it. */
export interface ReceivedPart extends Omit<IncomingText, 'ref'> {
  /** Tells it from all others; the idempotency key of its report. */
  readonly key: string
  /** When it reached the phone, in milliseconds since the epoch. */
  readonly cameAt: number
}

/** What happens to texts that come in, as it is noted. */
export type ReceivedRecord =
  | ({ readonly do: 'came' } & ReceivedPart)
  /** The relay has them, or nobody is to get them any more. */
  | { readonly do: 'gone'; readonly keys: readonly string[] }
  /** A driver has begun to look for texts at this time. */
  | { readonly do: 'since'; readonly name: string; readonly at: number }

/** What follows from a row of {@link ReceivedNote}s; of the last `most` texts that are gone it knows that they were here. */
export class ReceivedRecords {
  readonly #pieces = new Map<string, ReceivedPart>()
  readonly #gone = new Set<string>()
  readonly #since = new Map<string, number>()
  readonly #most: number

  constructor(most = 10_000) {
    this.#most = most
  }

  /** Follows a note. */
  apply(note: ReceivedRecord): void {
    if (note.do === 'since') this.#since.set(note.name, note.at)
    else if (note.do === 'gone') for (const key of note.keys) this.#leave(key)
    else {
      const { do: _, ...piece } = note
      if (!this.#gone.has(piece.key)) this.#pieces.set(piece.key, piece)
    }
  }

  /** Takes back that a piece came. */
  removePart(key: string): void {
    this.#pieces.delete(key)
  }

  /** Whether a piece is here, or was. */
  has(key: string): boolean {
    return this.#pieces.has(key) || this.#gone.has(key)
  }

  /** What is kept, oldest first. */
  parts(): Iterable<ReceivedPart> {
    return this.#pieces.values()
  }

  /** When a driver began to look for texts, in milliseconds since the epoch. */
  getFirstRun(name: string): number | undefined {
    return this.#since.get(name)
  }

  /** The shortest row of notes that leads here. */
  *toRecords(): Iterable<ReceivedRecord> {
    for (const [name, at] of this.#since) yield { do: 'since', name, at }
    if (this.#gone.size > 0) yield { do: 'gone', keys: [...this.#gone] }
    for (const piece of this.#pieces.values()) yield { do: 'came', ...piece }
  }

  #leave(key: string): void {
    this.#pieces.delete(key)
    this.#gone.delete(key)
    this.#gone.add(key)
    const [oldest] = this.#gone
    if (this.#gone.size > this.#most && oldest !== undefined) this.#gone.delete(oldest)
  }
}
