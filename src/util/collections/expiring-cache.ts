import { LruMap } from './lru-map.js'

interface Entry<V> {
  readonly loadedAt: number
  readonly value: Promise<V>
}

export interface ExpiringCacheOptions<V> {
  readonly load: (key: string) => Promise<V>
  readonly lifetime: number
  readonly size: number
  readonly monotonic: () => number
}

/** A cache of loaded values that expire; requests for one key at the same time share its load. */
export class ExpiringCache<V> {
  readonly #options: ExpiringCacheOptions<V>
  #entries: LruMap<string, Entry<V>>

  constructor(options: ExpiringCacheOptions<V>) {
    this.#options = options
    this.#entries = this.#createEntries()
  }

  async get(key: string): Promise<V> {
    const { monotonic, lifetime, load } = this.#options
    const loadedAt = monotonic()
    const known = this.#entries.get(key)
    if (known !== undefined && loadedAt - known.loadedAt < lifetime) return await known.value
    const entry = { loadedAt, value: load(key) }
    this.#entries.set(key, entry)
    entry.value.catch(() => {
      if (this.#entries.get(key) === entry) this.#entries.delete(key)
    })
    return await entry.value
  }

  /** Drops a value, also one that is being loaded: it may be older than the caller's change. */
  delete(key: string): void {
    this.#entries.delete(key)
  }

  clear(): void {
    this.#entries = this.#createEntries()
  }

  #createEntries(): LruMap<string, Entry<V>> {
    return new LruMap(this.#options.size, () => 1)
  }
}
