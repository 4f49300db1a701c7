import { sources } from '../../../../domain/message/message.js'
import type { AccountNumbers } from './account-numbers.js'
import { areEqual, copyWords, createPattern, hasPattern } from './byte-words.js'
import { field, LineFields } from './line-fields.js'
import { isEncodedStatus } from './message-codec.js'
import {
  hasAttempts,
  hasDelivery,
  hasEscapes,
  hasLeases,
  hasNonAscii,
  hasPhone,
  isShort,
  isTime,
  maxNumbersLength,
  present,
  statuses,
  writeLength,
  writeNumbers,
  writeShort,
} from './record-layout.js'
import { maxRecordLength, type Slabs } from './slabs.js'
import { createUuidWords, parseUuidBytes } from './uuid-words.js'

const lineStart = createPattern('[["message","')
const keyEnd = createPattern('",{"')
const idLength = 36
const closingBracket = 0x5d
const optionalNames = ['retryAt', 'parts', 'before', 'lastHolder', 'error', 'reportKey'] as const
const strings = [
  ...[field.destination, field.number, field.text],
  ...[field.lastHolder, field.error, field.reportKey, field.phone, field.delivery],
  ...[field.attempts, field.leases],
]
const statusCodes = statuses.map(status => status.charCodeAt(0))
const sourcePatterns = sources.map(name => createPattern(`${name}"`))

/**
 * Turns a line of a snapshot with a final message into a record without making the message. It
 * refuses a line that is not of the usual form, or that no record can have.
 */
export class MessageScanner {
  readonly #accounts: AccountNumbers
  readonly #fields = new LineFields()
  /** The id of the message in the scanned line, after {@link scan}. */
  readonly id = createUuidWords()
  #account = 0
  #status = 0
  #source = 0
  #before = 0
  #maxLength = 0
  #lastAccount = createPattern('none')
  #lastNumber = 0

  constructor(accounts: AccountNumbers) {
    this.#accounts = accounts
  }

  /** Reads the JSON of a line, from `start` to `end`; returns whether it is a final message. */
  scan(block: Buffer, start: number, end: number): boolean {
    const keyAt = start + lineStart.length
    const objectAt = keyAt + idLength + 2
    const fields = this.#fields
    this.#maxLength = maxNumbersLength + end - start
    const at = fields.find(block, objectAt, end)
    if (at !== end - 2 || block[at] !== closingBracket || block[at + 1] !== closingBracket)
      return false
    if (!hasPattern(fields.view, start, end, lineStart)) return false
    if (!hasPattern(fields.view, objectAt - 2, end, keyEnd)) return false
    if (fields.end(field.id) !== fields.start(field.id) + idLength) return false
    if (!areEqual(fields.view, keyAt, fields.start(field.id), idLength)) return false
    if (!parseUuidBytes(block, keyAt, this.id)) return false
    return this.#readNames(block, end) && this.#hasRecordNumbers() && this.#hasValidEscapes(block)
  }

  write(slot: number, slabs: Slabs): number {
    const fields = this.#fields
    const { bytes, view, at } = slabs.reserve(this.#maxLength)
    const presentFields = this.#listPresent()
    let end = writeNumbers(bytes, at, {
      slot,
      account: this.#account,
      status: this.#status,
      source: this.#source,
      flags: this.#listFlags(),
      present: presentFields,
      createdAt: fields.start(field.createdAt),
      statusAt: fields.start(field.statusAt),
      sendAt: fields.start(field.sendAt),
      failures: fields.start(field.failures),
      retryAt: fields.start(field.retryAt),
      parts: fields.start(field.parts),
      before: this.#before,
    })
    for (let nth = 0; nth < strings.length; nth += 1) {
      const index = strings[nth] as number
      if (!fields.has(index)) continue
      if (index === field.number && (presentFields & present.number) === 0) continue
      const length = fields.end(index) - fields.start(index)
      end = writeShort(bytes, end, length)
      copyWords(fields.view, fields.start(index), view, end, length)
      end += length
    }
    return slabs.commit(writeLength(bytes, at, end))
  }

  /** Reads the account and the fields that have a few values; false if one has another. */
  #readNames(block: Buffer, end: number): boolean {
    const fields = this.#fields
    this.#status = this.#readStatus(field.status)
    const status = statuses[this.#status]
    if (status === undefined || !isEncodedStatus(status)) return false
    this.#before = fields.has(field.before) ? this.#readStatus(field.before) : 0
    const sourceAt = fields.start(field.source)
    this.#source = sourcePatterns.findIndex(each => hasPattern(fields.view, sourceAt, end, each))
    this.#account = this.#readAccount(block, end)
    return this.#before !== -1 && this.#source !== -1 && this.#account !== -1
  }

  #readStatus(index: number): number {
    const start = this.#fields.start(index)
    if (this.#fields.end(index) !== start + 1) return -1
    return statusCodes.indexOf(this.#fields.view.getUint8(start))
  }

  /** The number of the account; -1 if its id is not of the usual form. */
  #readAccount(block: Buffer, lineEnd: number): number {
    const start = this.#fields.start(field.account)
    const end = this.#fields.end(field.account)
    if (hasPattern(this.#fields.view, start, lineEnd, this.#lastAccount)) return this.#lastNumber
    const id = block.toString('utf8', start, end)
    if (!/^[\w-]{3,}$/.test(id)) return -1
    this.#lastAccount = createPattern(`${id}"`)
    this.#lastNumber = this.#accounts.getNumber(id)
    return this.#lastNumber
  }

  #hasRecordNumbers(): boolean {
    const fields = this.#fields
    return (
      isTime(fields.start(field.createdAt)) &&
      isTime(fields.start(field.sendAt)) &&
      isTime(fields.start(field.statusAt)) &&
      isShort(fields.start(field.failures)) &&
      (!fields.has(field.retryAt) || isTime(fields.start(field.retryAt))) &&
      (!fields.has(field.parts) || isShort(fields.start(field.parts))) &&
      this.#maxLength <= maxRecordLength
    )
  }

  #hasValidEscapes(block: Buffer): boolean {
    if (!this.#fields.hasEscapes) return true
    try {
      for (const index of strings) {
        if (!this.#fields.has(index)) continue
        const [start, end] = [this.#fields.start(index), this.#fields.end(index)]
        JSON.parse(`"${block.toString('utf8', start, end)}"`)
      }
      return true
    } catch {
      return false
    }
  }

  #listFlags(): number {
    const fields = this.#fields
    return (
      (fields.hasNonAscii ? hasNonAscii : 0) |
      (fields.hasEscapes ? hasEscapes : 0) |
      (fields.has(field.phone) ? hasPhone : 0) |
      (fields.has(field.delivery) ? hasDelivery : 0) |
      (fields.has(field.attempts) ? hasAttempts : 0) |
      (fields.has(field.leases) ? hasLeases : 0)
    )
  }

  #listPresent(): number {
    const fields = this.#fields
    const [number, destination] = [fields.start(field.number), fields.start(field.destination)]
    const length = fields.end(field.number) - number
    const isSameNumber =
      length === fields.end(field.destination) - destination &&
      areEqual(fields.view, number, destination, length)
    let found = isSameNumber ? 0 : present.number
    if (fields.start(field.sendAt) !== fields.start(field.createdAt)) found |= present.sendAt
    for (const name of optionalNames) if (fields.has(field[name])) found |= present[name]
    return found
  }
}
