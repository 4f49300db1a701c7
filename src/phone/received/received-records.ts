import type { IncomingText } from '../driver-port/driver.js'

export interface ReceivedPart extends Omit<IncomingText, 'ref'> {
  readonly key: string
  readonly cameAt: number
}

export type ReceivedRecord =
  | ({ readonly do: 'came' } & ReceivedPart)
  /** The relay has these parts of received texts, or they are no longer to be forwarded. */
  | { readonly do: 'gone'; readonly keys: readonly string[] }
  /** A driver has looked for received texts since this time. */
  | { readonly do: 'since'; readonly name: string; readonly at: number }

/** The state of the phone's {@link ReceivedRecord}s; it remembers the last `maxGone` keys. */
export class ReceivedRecords {
  readonly #parts = new Map<string, ReceivedPart>()
  readonly #gone = new Set<string>()
  readonly #firstRuns = new Map<string, number>()
  readonly #maxGone: number

  constructor(maxGone = 10_000) {
    this.#maxGone = maxGone
  }

  apply(record: ReceivedRecord): void {
    if (record.do === 'since') this.#firstRuns.set(record.name, record.at)
    else if (record.do === 'gone') for (const key of record.keys) this.#markGone(key)
    else {
      const { do: _, ...part } = record
      if (!this.#gone.has(part.key)) this.#parts.set(part.key, part)
    }
  }

  removePart(key: string): void {
    this.#parts.delete(key)
  }

  has(key: string): boolean {
    return this.#parts.has(key) || this.#gone.has(key)
  }

  isPart(key: string): boolean {
    return this.#parts.has(key)
  }

  isGone(key: string): boolean {
    return this.#gone.has(key)
  }

  parts(): Iterable<ReceivedPart> {
    return this.#parts.values()
  }

  get isEmpty(): boolean {
    return this.#parts.size === 0
  }

  getFirstRun(name: string): number | undefined {
    return this.#firstRuns.get(name)
  }

  /** The shortest sequence of records that results in this state of received texts. */
  *toRecords(): Iterable<ReceivedRecord> {
    for (const [name, at] of this.#firstRuns) yield { do: 'since', name, at }
    if (this.#gone.size > 0) yield { do: 'gone', keys: [...this.#gone] }
    for (const part of this.#parts.values()) yield { do: 'came', ...part }
  }

  #markGone(key: string): void {
    this.#parts.delete(key)
    this.#gone.delete(key)
    this.#gone.add(key)
    const [oldest] = this.#gone
    if (this.#gone.size > this.#maxGone && oldest !== undefined) this.#gone.delete(oldest)
  }
}
