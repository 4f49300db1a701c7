import { IdIndex } from './id-index.js'
import type { Slots } from './slots.js'
import { createUuidWords, formatUuid, parseUuid, type UuidWords } from './uuid-words.js'

export class KeyIndex {
  readonly #slots: Slots
  readonly #slotsById: IdIndex
  readonly #otherSlots = new Map<string, number>()
  readonly #otherKeys = new Map<number, string>()
  readonly #id = createUuidWords()
  /** The key that was parsed last, and whether it is a UUID, which is then in `#id`. */
  #parsed: string | undefined
  #isUuid = false
  readonly #readId = createUuidWords()

  constructor(slots: Slots) {
    this.#slots = slots
    this.#slotsById = new IdIndex(slots)
  }

  /** The message table's slot for a key; -1 if it is missing. */
  find(key: string): number {
    return this.#parse(key) ? this.findId(this.#id) : (this.#otherSlots.get(key) ?? -1)
  }

  findId(id: UuidWords): number {
    return this.#slotsById.find(id)
  }

  /** Adds a key that is missing to the next slot, or to `slot` again after it was removed. */
  add(key: string, slot?: number): number {
    if (this.#parse(key)) return this.addId(this.#id, slot)
    const added = this.#slots.add(this.#id, slot)
    this.#otherSlots.set(key, added)
    this.#otherKeys.set(added, key)
    return added
  }

  addId(id: UuidWords, slot?: number): number {
    const added = this.#slots.add(id, slot)
    this.#slotsById.add(id, added)
    return added
  }

  remove(key: string, slot: number): void {
    if (this.#parse(key)) this.#slotsById.remove(this.#id)
    else {
      this.#otherSlots.delete(key)
      this.#otherKeys.delete(slot)
    }
    this.#slots.remove(slot)
  }

  getKey(slot: number): string {
    const key = this.#otherKeys.size === 0 ? undefined : this.#otherKeys.get(slot)
    if (key !== undefined) return key
    this.#slots.readId(slot, this.#readId)
    return formatUuid(this.#readId)
  }

  #parse(key: string): boolean {
    if (key === this.#parsed) return this.#isUuid
    this.#parsed = key
    this.#isUuid = parseUuid(key, this.#id)
    return this.#isUuid
  }
}
