import type { AttemptOutcome } from '../driver-port/attempt-outcome.js'

/** One attempt of the phone to send one message; `key` is the idempotency key of its report. */
export interface Attempt {
  readonly id: string
  readonly key: string
}

export interface FinishedAttempt extends Attempt {
  readonly outcome: AttemptOutcome
}

export interface StartedAttempt extends Attempt {
  /** Hash of the message's recipient and text. */
  readonly content: string
}

/** A journaled attempt whose outcome the relay does not know. */
export interface OpenAttempt extends StartedAttempt {
  /** Absent while the driver is sending the message. */
  readonly outcome?: AttemptOutcome
}

export type AttemptRecord =
  | ({ readonly do: 'begin' } & StartedAttempt)
  | { readonly do: 'end'; readonly key: string; readonly outcome: AttemptOutcome }
  | { readonly do: 'cancel'; readonly key: string }
  | { readonly do: 'settle'; readonly key: string }
  | ({ readonly do: 'sent'; readonly content: string; readonly parts: number } & Attempt)

interface SentMessage extends Attempt {
  readonly content: string
  readonly parts: number
}

/**
 * The state that the journal's {@link AttemptRecord}s lead to: the open attempts, and the last sent
 * messages. A message that may be unsent is forgotten after its report: the relay decides on a
 * retry.
 */
export class AttemptHistory {
  readonly #open = new Map<string, OpenAttempt>()
  readonly #keys = new Map<string, readonly string[]>()
  readonly #sent = new Map<string, SentMessage>()
  readonly #maxRemembered: number

  constructor(maxRemembered = 10_000) {
    this.#maxRemembered = maxRemembered
  }

  /** Applies a record of the phone's journal; ignores one about an attempt that is not open. */
  apply(record: AttemptRecord): void {
    if (record.do === 'begin') {
      const { do: _, ...started } = record
      this.#open.set(record.key, started)
      this.#keys.set(record.id, [...(this.#keys.get(record.id) ?? []), record.key])
    } else if (record.do === 'sent') {
      const { id, key, content, parts } = record
      this.#remember({ id, key, content, parts })
    } else {
      const attempt = this.#open.get(record.key)
      if (attempt !== undefined) this.#change(attempt, record)
    }
  }

  listOpen(): Iterable<OpenAttempt> {
    return this.#open.values()
  }

  /** The journaled attempt to report instead of sending this content again. */
  findFinished(id: string, content: string): FinishedAttempt | undefined {
    for (const key of this.#keys.get(id) ?? []) {
      const attempt = this.#open.get(key)
      if (attempt?.content !== content || attempt.outcome === undefined) continue
      return { id, key, outcome: attempt.outcome }
    }
    const sent = this.#sent.get(id)
    if (sent?.content !== content) return undefined
    return { id, key: sent.key, outcome: { result: 'sent', parts: sent.parts } }
  }

  *records(): Iterable<AttemptRecord> {
    for (const sent of this.#sent.values()) yield { do: 'sent', ...sent }
    for (const { outcome, ...started } of this.#open.values()) {
      yield { do: 'begin', ...started }
      if (outcome !== undefined) yield { do: 'end', key: started.key, outcome }
    }
  }

  #change(attempt: OpenAttempt, record: Exclude<AttemptRecord, { do: 'begin' | 'sent' }>): void {
    if (record.do === 'end') {
      this.#open.set(record.key, { ...attempt, outcome: record.outcome })
      return
    }
    this.#open.delete(record.key)
    const keys = (this.#keys.get(attempt.id) ?? []).filter(key => key !== record.key)
    if (keys.length > 0) this.#keys.set(attempt.id, keys)
    else this.#keys.delete(attempt.id)
    if (record.do === 'settle' && attempt.outcome?.result === 'sent') {
      const { id, key, content, outcome } = attempt
      this.#remember({ id, key, content, parts: outcome.parts })
    }
  }

  #remember(sent: SentMessage): void {
    this.#sent.delete(sent.id)
    this.#sent.set(sent.id, sent)
    const oldest = this.#sent.keys().next()
    if (this.#sent.size > this.#maxRemembered && oldest.done !== true)
      this.#sent.delete(oldest.value)
  }
}
