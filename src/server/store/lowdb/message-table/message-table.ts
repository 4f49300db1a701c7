// The messages of the store in memory. Messages that can still be sent are objects; final ones are
// records of about 200 bytes outside of the heap, so that a million of them delay nothing.
//
// 1. `message-table` is a Map of messages by id. A message gets a number, its slot, when it is
//    added (`slots`); `id-index` finds it by the id (`uuid-words`).
// 2. A message that becomes final, or deleted, is encoded (`message-codec`, `record-layout`,
//    `account-numbers`) into memory of `slabs`. `get` decodes it; decoded messages are cached.
// 3. When a data directory is read, `message-scanner` turns the lines of final messages into
//    records without making objects.
// 4. `record-search` searches records without decoding them.
//
// A message that no record can have stays an object: one with unknown fields, for example.
import type { Message } from '../../../../domain/message/message.js'
import { matchesSearch, type SearchWords } from '../../../../domain/message/search-words.js'
import { LruMap } from '../../../../util/collections/lru-map.js'
import { AccountNumbers } from './account-numbers.js'
import { IdIndex } from './id-index.js'
import {
  decodeMessage,
  encodeMessage,
  isEncodedStatus,
  type RecordHead,
  readHead,
} from './message-codec.js'
import { MessageScanner } from './message-scanner.js'
import { readAccount } from './record-layout.js'
import { RecordSearch } from './record-search.js'
import { Slabs } from './slabs.js'
import { objectPlace, Slots } from './slots.js'
import { createUuidWords, formatUuid, parseUuid } from './uuid-words.js'

/** The fields of a message that indexes need. */
export type MessageHead = RecordHead & Pick<Message, 'account'>

/** Weight of each half of the cache of decoded messages: about 10,000 of 110 characters. */
const cacheLimit = 4 << 20
/** The part of a decoded message's weight in the cache that is not its text. */
const messageWeight = 300

export class MessageTable {
  readonly #slots = new Slots()
  readonly #slotsById = new IdIndex(this.#slots)
  readonly #slabs = new Slabs(this.#slots)
  readonly #accounts = new AccountNumbers()
  readonly #scanner = new MessageScanner(this.#accounts)
  /** By slot: the messages that are not encoded. */
  readonly #objects = new Map<number, Message>()
  /** The message table's slots of ids that are not UUIDs, and the ids of such slots. */
  readonly #otherSlots = new Map<string, number>()
  readonly #otherKeys = new Map<number, string>()
  readonly #decoded = new LruMap<number, Message>(
    cacheLimit,
    ({ text }) => messageWeight + text.length,
  )
  /** Lets an undo put a message back in its slot, which is its place in lists. */
  readonly #removedSlots = new WeakMap<Message, number>()
  /** The last {@link findSlot}: a request looks up its message several times. */
  #lastKey: string | undefined
  #lastSlot = -1
  #isUuid = false
  /** Its key, if it was a UUID. */
  readonly #id = createUuidWords()
  readonly #otherId = createUuidWords()

  get size(): number {
    return this.#slots.size
  }

  /** Bytes of the message table's memory for records. */
  get recordBytes(): number {
    return this.#slabs.size
  }

  has(key: string): boolean {
    return this.findSlot(key) !== -1
  }

  get(key: string): Message | undefined {
    const slot = this.findSlot(key)
    return slot === -1 ? undefined : this.getAt(slot, key)
  }

  set(key: string, message: Message): this {
    let slot = this.findSlot(key)
    if (slot === -1) slot = this.#add(key, this.#removedSlots.get(message))
    else this.#freeRecord(slot)
    const place = key === message.id ? this.#encode(slot, message) : undefined
    if (place === undefined) this.#objects.set(slot, message)
    else {
      this.#slots.setPlace(slot, place)
      this.#objects.delete(slot)
      this.#decoded.set(slot, message)
    }
    return this
  }

  delete(key: string): boolean {
    const slot = this.findSlot(key)
    if (slot === -1) return false
    const message = this.#objects.get(slot) ?? this.#decoded.get(slot)
    if (message !== undefined) this.#removedSlots.set(message, slot)
    if (this.#isUuid) this.#slotsById.remove(this.#id)
    else {
      this.#otherSlots.delete(key)
      this.#otherKeys.delete(slot)
    }
    this.#freeRecord(slot)
    this.#objects.delete(slot)
    this.#slots.remove(slot)
    this.#lastKey = undefined
    return true
  }

  *keys(): Generator<string, undefined> {
    for (const slot of this.#slots) yield this.#getKey(slot)
  }

  *values(): Generator<Message, undefined> {
    for (const slot of this.#slots) yield this.#read(slot) as Message
  }

  *entries(): Generator<[string, Message], undefined> {
    for (const slot of this.#slots) {
      const key = this.#getKey(slot)
      yield [key, this.#read(slot, key) as Message]
    }
  }

  [Symbol.iterator](): Generator<[string, Message], undefined> {
    return this.entries()
  }

  /** The message table's slots in order of insertion. */
  slots(): Iterable<number> {
    return this.#slots
  }

  /** The slot of a message; -1 if it is missing. Slots are in order of insertion. */
  findSlot(key: string): number {
    if (key === this.#lastKey) return this.#lastSlot
    this.#isUuid = parseUuid(key, this.#id)
    this.#lastKey = key
    this.#lastSlot = this.#isUuid
      ? this.#slotsById.find(this.#id)
      : (this.#otherSlots.get(key) ?? -1)
    return this.#lastSlot
  }

  /** The message of a slot; `key` saves work if it is known. */
  getAt(slot: number, key?: string): Message | undefined {
    const message = this.#objects.get(slot) ?? this.#decoded.get(slot)
    if (message !== undefined) return message
    const decoded = this.#read(slot, key)
    if (decoded !== undefined) this.#decoded.set(slot, decoded)
    return decoded
  }

  /** The message of a slot, if it is not encoded. */
  getObject(slot: number): Message | undefined {
    return this.#objects.get(slot)
  }

  /** What indexes need of a message, without decoding it; the slot must have one. */
  getHead(slot: number): MessageHead {
    const place = this.#slots.getPlace(slot)
    if (place <= objectPlace) return this.#objects.get(slot) as Message
    const bytes = this.#slabs.getBytes(place)
    const at = this.#slabs.getOffset(place)
    return { account: this.#accounts.getId(readAccount(bytes, at)), ...readHead(bytes, at) }
  }

  /** Returns a function that says whether the message of a slot has the words. */
  createMatcher(words: SearchWords): (slot: number) => boolean {
    const search = new RecordSearch(words)
    return slot => {
      const place = this.#slots.getPlace(slot)
      if (place > objectPlace)
        return search.matches(this.#slabs.getBytes(place), this.#slabs.getOffset(place))
      const message = this.#objects.get(slot)
      return message !== undefined && matchesSearch(words, message)
    }
  }

  /**
   * Sets the message of a snapshot's line, JSON from `start` to `end`; false, without a change, if
   * the line is not a final message of the usual form.
   */
  setFromLine(block: Buffer, start: number, end: number): boolean {
    if (!this.#scanner.scan(block, start, end)) return false
    this.#id.set(this.#scanner.id)
    this.#isUuid = true
    this.#lastKey = undefined
    let slot = this.#slotsById.find(this.#id)
    if (slot === -1) slot = this.#add('', undefined)
    else this.#freeRecord(slot)
    this.#objects.delete(slot)
    this.#slots.setPlace(slot, this.#scanner.write(slot, this.#slabs))
    return true
  }

  /** Adds the id that {@link findSlot} did not find to the message table. */
  #add(key: string, removedSlot: number | undefined): number {
    const slot = this.#slots.add(this.#id, removedSlot)
    if (this.#isUuid) this.#slotsById.add(this.#id, slot)
    else {
      this.#otherSlots.set(key, slot)
      this.#otherKeys.set(slot, key)
    }
    this.#lastKey = undefined
    return slot
  }

  #encode(slot: number, message: Message): number | undefined {
    if (!isEncodedStatus(message.status)) return undefined
    const account = this.#accounts.getNumber(message.account)
    return encodeMessage(message, slot, account, this.#slabs)
  }

  #freeRecord(slot: number): void {
    const place = this.#slots.getPlace(slot)
    if (place <= objectPlace) return
    this.#slots.setPlace(slot, objectPlace)
    this.#slabs.free(place)
    this.#decoded.delete(slot)
  }

  #getKey(slot: number): string {
    const key = this.#otherKeys.get(slot)
    if (key !== undefined) return key
    this.#slots.readId(slot, this.#otherId)
    return formatUuid(this.#otherId)
  }

  /** As {@link getAt}, past the message table's cache. */
  #read(slot: number, key = this.#getKey(slot)): Message | undefined {
    const place = this.#slots.getPlace(slot)
    if (place <= objectPlace) return this.#objects.get(slot)
    const bytes = this.#slabs.getBytes(place)
    const at = this.#slabs.getOffset(place)
    const account = this.#accounts.getId(readAccount(bytes, at))
    return decodeMessage(bytes, at, key, account)
  }
}
