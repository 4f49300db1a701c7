import type { LimitChange, LimitKind, LimitStates, LimitStore } from '../../limit-store.js'

interface LimitRecord {
  readonly state: LimitStates[LimitKind]
  readonly until: number
}

const maxRecords = 10_000

export class LowdbLimits implements LimitStore {
  readonly #maxRecords: number
  /** Records by kind and key, in the order of their last changes. */
  readonly #kinds = new Map<LimitKind, Map<string, LimitRecord>>()

  constructor(max = maxRecords) {
    this.#maxRecords = max
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
    if (after !== before)
      this.#replace(kind, key, after === undefined ? undefined : { state: after, until })
    return { before, after }
  }

  deleteExpired(now: number): void {
    for (const records of this.#kinds.values()) {
      for (const [key, { until }] of records) {
        if (until <= now) records.delete(key)
      }
    }
  }

  #find<K extends LimitKind>(kind: K, key: string): LimitStates[K] | undefined {
    return this.#kinds.get(kind)?.get(key)?.state as LimitStates[K] | undefined
  }

  #replace(kind: LimitKind, key: string, record: LimitRecord | undefined): void {
    const records = this.#kinds.get(kind) ?? new Map<string, LimitRecord>()
    this.#kinds.set(kind, records)
    records.delete(key)
    if (record === undefined) return
    records.set(key, record)
    for (const oldest of records.keys()) {
      if (records.size <= this.#maxRecords) return
      records.delete(oldest)
    }
  }
}
