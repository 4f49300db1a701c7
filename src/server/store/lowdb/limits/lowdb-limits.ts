// Limits of the embedded store.
//
// 1. They are in memory, so they begin again when the process starts: counts of failures and uses.
// 2. What forms of the dashboard did, showed and contained must outlive the process. `form-log`
//    writes these records before a form goes on, and reads them when the store is opened.
// 3. The number of records and the length of texts are bounded; the oldest are deleted first.
import type { LimitChange, LimitKind, LimitStates, LimitStore } from '../../limit-store.js'
import { type FormLine, FormLog, formKinds, isFormKind } from './form-log.js'

interface LimitRecord {
  readonly state: LimitStates[LimitKind]
  readonly until: number
}

const maxRecords = 10_000

/** Characters of all records that are texts. */
const maxTextLength = 64 * 1024 * 1024

/** Kinds of records that are texts, in the order in which they are deleted for others. */
const textKinds: readonly LimitKind[] = ['form input', 'session record']

interface OpenOptions {
  /** Milliseconds since the epoch. */
  readonly now: () => number
  readonly warn?: (sentence: string) => void
}

/**
 * Limits of the embedded store: in memory, so they begin again when the process starts. Only forms
 * are logged in a file.
 */
export class LowdbLimits implements LimitStore {
  readonly #maxRecords: number
  /** Records by kind and key, in the order of their last changes. */
  readonly #kinds = new Map<LimitKind, Map<string, LimitRecord>>()
  readonly #maxTextLength: number
  #textLength = 0
  #log: FormLog | undefined

  /**
   * @param max records of a kind; the one whose last change is oldest is deleted first
   * @param maxText characters of all records that are texts; the oldest are deleted first
   */
  constructor(max = maxRecords, maxText = maxTextLength) {
    this.#maxRecords = max
    this.#maxTextLength = maxText
  }

  /** Opens limits whose forms are in the file at `path`, which may be missing; never rejects. */
  static async open(path: string, { now, warn }: OpenOptions): Promise<LowdbLimits> {
    const limits = new LowdbLimits()
    limits.#log = await FormLog.open({
      path,
      list: () => limits.#listForms(now()),
      apply: line => limits.#apply(line, now()),
      ...(warn && { warn }),
    })
    return limits
  }

  async close(): Promise<void> {
    await this.#log?.close()
  }

  /** The store's number of records for limits, for tests of its bound. */
  get size(): number {
    return [...this.#kinds.values()].reduce((sum, records) => sum + records.size, 0)
  }

  async get<K extends LimitKind>(kind: K, key: string): Promise<LimitStates[K] | undefined> {
    return this.#find(kind, key)
  }

  async change<K extends LimitKind>(
    kind: K,
    key: string,
    until: number,
    decide: (state: LimitStates[K] | undefined) => LimitStates[K] | null,
  ): Promise<LimitChange<K>> {
    const before = this.#find(kind, key)
    const after = decide(before) ?? undefined
    if (after !== before) {
      this.#replace(kind, key, after === undefined ? undefined : { state: after, until })
      if (isFormKind(kind))
        await this.#log?.append({ kind, key, until, state: (after ?? null) as FormLine['state'] })
    }
    return { before, after }
  }

  async deleteExpired(now: number): Promise<void> {
    for (const records of this.#kinds.values()) {
      for (const [key, { until }] of records) {
        if (until <= now) this.#delete(records, key)
      }
    }
  }

  *#listForms(now: number): Iterable<FormLine> {
    for (const kind of formKinds) {
      for (const [key, { state, until }] of this.#kinds.get(kind) ?? []) {
        if (until > now) yield { kind, key, until, state: state as FormLine['state'] }
      }
    }
  }

  /** Applies a line that an earlier process wrote; a form that it worked on is lost. */
  #apply({ kind, key, until, state }: FormLine, now: number): void {
    if (state === null || until <= now) this.#replace(kind, key, undefined)
    else if (typeof state === 'object' && 'run' in state)
      this.#replace(kind, key, { state: { ...state, until: now }, until })
    else this.#replace(kind, key, { state, until })
  }

  #find<K extends LimitKind>(kind: K, key: string): LimitStates[K] | undefined {
    return this.#kinds.get(kind)?.get(key)?.state as LimitStates[K] | undefined
  }

  #replace(kind: LimitKind, key: string, record: LimitRecord | undefined): void {
    const records = this.#kinds.get(kind) ?? new Map<string, LimitRecord>()
    this.#kinds.set(kind, records)
    this.#delete(records, key)
    if (record === undefined) return
    records.set(key, record)
    this.#textLength += measureText(record)
    const hasManyRecords = () => records.size > this.#maxRecords
    this.#deleteOldest(records, hasManyRecords)
    const hasMuchText = () => this.#textLength > this.#maxTextLength
    for (const each of textKinds) this.#deleteOldest(this.#kinds.get(each), hasMuchText)
  }

  #deleteOldest(records = new Map<string, LimitRecord>(), isFull: () => boolean): void {
    for (const oldest of records.keys()) {
      if (!isFull()) return
      this.#delete(records, oldest)
    }
  }

  #delete(records: Map<string, LimitRecord>, key: string): void {
    this.#textLength -= measureText(records.get(key))
    records.delete(key)
  }
}

function measureText(record: LimitRecord | undefined): number {
  return typeof record?.state === 'string' ? record.state.length : 0
}
