// The messages of the store in memory. Messages that can still be sent are objects; final ones are
// records of about 200 bytes outside of the heap, so that a million of them delay nothing.
//
// 1. `message-table` is a Map of messages by id. A message gets a number, its slot, when it is
//    added (`slots`, `slot-map`); `key-index` finds it by the id (`id-index`, `uuid-words`).
// 2. A message that becomes final, or deleted, is encoded (`message-codec`, `record-layout`,
//    `account-numbers`) into memory of `slabs`. `get` decodes it; decoded messages are cached.
// 3. When a data directory is read, `message-scanner` turns the lines of final messages into
//    records without making objects.
// 4. `record-search` searches records without decoding them; `group-numbers` has their groups.
//
// A message that no record can have stays an object: one with unknown fields, for example.
import type { Message } from '../../../../domain/message/message.js'
import {
  type MessageCriteria,
  matchesCriteria,
} from '../../../../domain/message/message-criteria.js'
import { LruMap } from '../../../../util/collections/lru-map.js'
import { AccountNumbers } from './account-numbers.js'
import { KeyIndex } from './key-index.js'
import {
  decodeMessage,
  encodeMessage,
  isEncodedStatus,
  type RecordFields,
  type RecordHead,
  readHead,
  readIndexedFields,
} from './message-codec.js'
import { MessageScanner } from './message-scanner.js'
import { readAccount } from './record-layout.js'
import { createRecordMatcher, hashNumber, readNumberHash } from './record-search.js'
import { Slabs } from './slabs.js'
import { SlotMap } from './slot-map.js'
import { objectPlace, Slots } from './slots.js'

export type MessageHead = RecordHead & Pick<Message, 'account'>

export type IndexedFields = RecordFields & Pick<Message, 'account'>

/** Weight of each half of the cache of decoded messages: about 10,000 of 110 characters. */
const cacheLimit = 4 << 20
/** The part of a decoded message's weight in the cache that is not its text or attempts. */
const messageWeight = 300

export class MessageTable {
  readonly #slots = new Slots()
  readonly #keys = new KeyIndex(this.#slots)
  readonly #slabs = new Slabs(this.#slots)
  readonly #accounts = new AccountNumbers()
  readonly #scanner = new MessageScanner(this.#accounts)
  readonly #objects = new SlotMap<Message>()
  readonly #decoded = new LruMap<number, Message>(
    cacheLimit,
    ({ text, attempts = '' }) => messageWeight + text.length + attempts.length,
  )
  /** Lets an undo put a message back in its slot, which is its place in lists. */
  readonly #removedSlots = new WeakMap<Message, number>()
  /** The message table's last look-up, since a request looks up its message several times. */
  #lastKey: string | undefined
  #lastSlot = -1
  /** The message table's message of the last look-up; undefined if it was not read. */
  #lastMessage: Message | undefined

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
    if (slot === -1) return undefined
    this.#lastMessage ??= this.getAt(slot, key)
    return this.#lastMessage
  }

  set(key: string, message: Message): this {
    let slot = this.findSlot(key)
    if (slot === -1) slot = this.#keys.add(key, this.#removedSlots.get(message))
    else this.#freeRecord(slot)
    const place = key === message.id ? this.#encode(slot, message) : undefined
    if (place === undefined) this.#objects.set(slot, message)
    else {
      this.#slots.setPlace(slot, place)
      this.#objects.delete(slot)
    }
    this.#rememberLookUp(key, slot, message)
    return this
  }

  delete(key: string): boolean {
    const slot = this.findSlot(key)
    if (slot === -1) return false
    const message = this.#lastMessage ?? this.#objects.get(slot) ?? this.#decoded.get(slot)
    if (message !== undefined) this.#removedSlots.set(message, slot)
    this.#freeRecord(slot)
    this.#objects.delete(slot)
    this.#keys.remove(key, slot)
    this.#rememberLookUp(key, -1, undefined)
    return true
  }

  *keys(): Generator<string, undefined> {
    for (const slot of this.#slots) yield this.#keys.getKey(slot)
  }

  *values(): Generator<Message, undefined> {
    for (const slot of this.#slots) yield this.#read(slot) as Message
  }

  *entries(): Generator<[string, Message], undefined> {
    for (const slot of this.#slots) {
      const key = this.#keys.getKey(slot)
      yield [key, this.#read(slot, key) as Message]
    }
  }

  [Symbol.iterator](): Generator<[string, Message], undefined> {
    return this.entries()
  }

  slots(): Iterable<number> {
    return this.#slots
  }

  /** The slot of a message; -1 if it is missing. Slots are in order of insertion. */
  findSlot(key: string): number {
    if (key === this.#lastKey) return this.#lastSlot
    const slot = this.#keys.find(key)
    this.#rememberLookUp(key, slot, undefined)
    return slot
  }

  /** The message of a slot, whose key is then found without a search. */
  load(slot: number, key: string): Message | undefined {
    if (key !== this.#lastKey) this.#rememberLookUp(key, slot, undefined)
    return this.get(key)
  }

  getAt(slot: number, key?: string): Message | undefined {
    const message = this.#objects.get(slot) ?? this.#decoded.get(slot)
    if (message !== undefined) return message
    const decoded = this.#read(slot, key)
    if (decoded !== undefined) this.#decoded.set(slot, decoded)
    return decoded
  }

  getObject(slot: number): Message | undefined {
    return this.#objects.get(slot)
  }

  /** What most indexes need of a message, without decoding it; the slot must have one. */
  getHead(slot: number): MessageHead {
    return this.#readFields(slot, readHead)
  }

  /** What all indexes need of a message, without decoding it; the slot must have one. */
  getIndexedFields(slot: number): IndexedFields {
    return this.#readFields(slot, readIndexedFields)
  }

  /** The {@link hashNumber} of the recipient of a message's slot; the slot must have one. */
  getNumberHash(slot: number): number {
    const place = this.#slots.getPlace(slot)
    if (place <= objectPlace) return hashNumber(this.#objects.get(slot)?.number ?? '')
    return readNumberHash(this.#slabs.getBytes(place), this.#slabs.getOffset(place))
  }

  /** Returns a function that says whether the message of a slot meets the criteria. */
  createMatcher(criteria: MessageCriteria): (slot: number) => boolean {
    const matchesRecord = createRecordMatcher(criteria)
    const needsFields = (criteria.phone ?? criteria.reason) !== undefined
    return slot => {
      const place = this.#slots.getPlace(slot)
      if (place <= objectPlace) return this.#matchesObject(slot, criteria)
      if (!matchesRecord(this.#slabs.getBytes(place), this.#slabs.getOffset(place))) return false
      return !needsFields || matchesCriteria(criteria, this.#read(slot) as Message)
    }
  }

  #matchesObject(slot: number, criteria: MessageCriteria): boolean {
    const message = this.#objects.get(slot)
    return message !== undefined && matchesCriteria(criteria, message)
  }

  /**
   * Sets the message of a snapshot's line, JSON from `start` to `end`; false, without a change, if
   * the line is not a final message of the usual form.
   */
  setFromLine(block: Buffer, start: number, end: number): boolean {
    if (!this.#scanner.scan(block, start, end)) return false
    this.#lastKey = undefined
    let slot = this.#keys.findId(this.#scanner.id)
    if (slot === -1) slot = this.#keys.addId(this.#scanner.id)
    else this.#freeRecord(slot)
    this.#objects.delete(slot)
    this.#slots.setPlace(slot, this.#scanner.write(slot, this.#slabs))
    return true
  }

  #rememberLookUp(key: string, slot: number, message: Message | undefined): void {
    this.#lastKey = key
    this.#lastSlot = slot
    this.#lastMessage = message
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

  #readFields<T extends object>(slot: number, read: (bytes: Buffer, at: number) => T) {
    const place = this.#slots.getPlace(slot)
    if (place <= objectPlace) return this.#objects.get(slot) as Message
    const [bytes, at] = [this.#slabs.getBytes(place), this.#slabs.getOffset(place)]
    return Object.assign(read(bytes, at), { account: this.#accounts.getId(readAccount(bytes, at)) })
  }

  /** As {@link getAt}, past the message table's cache. */
  #read(slot: number, key = this.#keys.getKey(slot)): Message | undefined {
    const place = this.#slots.getPlace(slot)
    if (place <= objectPlace) return this.#objects.get(slot)
    const [bytes, at] = [this.#slabs.getBytes(place), this.#slabs.getOffset(place)]
    const account = this.#accounts.getId(readAccount(bytes, at))
    return decodeMessage(bytes, at, key, account)
  }
}
