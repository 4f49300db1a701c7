import type { AttemptOutcome } from '../driver-port/attempt-outcome.js'

/** One attempt at one message; the key is the idempotency key of its report. */
export interface Attempt {
  readonly id: string
  readonly key: string
}

/** An attempt that has an outcome. */
export interface FinishedAttempt extends Attempt {
  readonly outcome: AttemptOutcome
}

/** What was to be sent, without its text, and by which of the loops of this phone. */
export interface StartedAttempt extends Attempt {
  /** Tells whether a message is still the same. */
  readonly content: string
  readonly worker: number
}

/** An attempt whose outcome the relay does not know. */
export interface OpenAttempt extends StartedAttempt {
  /** Absent while the driver is at work, or when it never came to an end. */
  readonly outcome?: AttemptOutcome
}

/** What happens to attempts, as a journal notes it. */
export type AttemptRecord =
  | ({ readonly do: 'begin' } & StartedAttempt)
  | { readonly do: 'end'; readonly key: string; readonly outcome: AttemptOutcome }
  | { readonly do: 'cancel'; readonly key: string }
  | { readonly do: 'settle'; readonly key: string }
  | ({ readonly do: 'sent'; readonly content: string; readonly parts: number } & Attempt)

/** A message that was sent, and the relay has answered. */
interface SentMessage extends Attempt {
  readonly content: string
  readonly parts: number
}

/**
 * What follows from a row of {@link Note}s: the attempts the relay does not know the outcome of, and the last `most`
 * messages that were sent. Whatever was not surely sent is forgotten once it is reported: when the relay hands it out
 * again, somebody has decided that it may go.
 */
export class AttemptHistory {
  readonly #open = new Map<string, OpenAttempt>()
  readonly #sent = new Map<string, SentMessage>()
  readonly #most: number

  constructor(most = 10_000) {
    this.#most = most
  }

  /** Follows a note; one about an attempt that is not open changes nothing. */
  apply(note: AttemptRecord): void {
    if (note.do === 'begin') {
      const { do: _, ...intent } = note
      this.#open.set(note.key, intent)
    } else if (note.do === 'sent') {
      const { id, key, content, parts } = note
      this.#remember({ id, key, content, parts })
    } else {
      const attempt = this.#open.get(note.key)
      if (attempt !== undefined) this.#change(attempt, note)
    }
  }

  /** The attempts the relay does not know the outcome of, oldest first. */
  listOpen(): Iterable<OpenAttempt> {
    return this.#open.values()
  }

  /** The outcome of an earlier attempt that is to be reported instead of sending this content again. */
  findFinished(id: string, content: string): FinishedAttempt | undefined {
    for (const { outcome, ...attempt } of this.#open.values()) {
      if (attempt.id !== id || attempt.content !== content || outcome === undefined) continue
      return { id, key: attempt.key, outcome }
    }
    const sent = this.#sent.get(id)
    if (sent?.content !== content) return undefined
    return { id, key: sent.key, outcome: { result: 'sent', parts: sent.parts } }
  }

  /** The shortest row of notes that leads here. */
  *records(): Iterable<AttemptRecord> {
    for (const sent of this.#sent.values()) yield { do: 'sent', ...sent }
    for (const { outcome, ...intent } of this.#open.values()) {
      yield { do: 'begin', ...intent }
      if (outcome !== undefined) yield { do: 'end', key: intent.key, outcome }
    }
  }

  #change(attempt: OpenAttempt, note: Exclude<AttemptRecord, { do: 'begin' | 'sent' }>): void {
    if (note.do === 'end') {
      this.#open.set(note.key, { ...attempt, outcome: note.outcome })
      return
    }
    this.#open.delete(note.key)
    if (note.do === 'settle' && attempt.outcome?.result === 'sent') {
      const { id, key, content, outcome } = attempt
      this.#remember({ id, key, content, parts: outcome.parts })
    }
  }

  #remember(sent: SentMessage): void {
    this.#sent.delete(sent.id)
    this.#sent.set(sent.id, sent)
    const oldest = this.#sent.keys().next()
    if (this.#sent.size > this.#most && oldest.done !== true) this.#sent.delete(oldest.value)
  }
}
