import {
  type Message,
  type Source,
  type Status,
  sources,
} from '../../../../domain/message/message.js'
import type { GroupedFields } from '../../../../domain/message/message-counts.js'
import { removableStatuses } from '../../../../domain/message/message-retention.js'
import { callingCodeLength } from '../../../../domain/sms/calling-code.js'
import {
  hasAttempts,
  hasDelivery,
  hasLeases,
  hasNonAscii,
  hasPhone,
  isShort,
  isTime,
  maxNumbersLength,
  present,
  RecordReader,
  readCreatedAt,
  readDelivery,
  readFailures,
  readSource,
  readStatus,
  readStatusAt,
  setFlag,
  statuses,
  writeLength,
  writeNumbers,
  writeShort,
} from './record-layout.js'
import { maxRecordLength, type Slabs } from './slabs.js'

const recordFields: Record<keyof Message, boolean> = {
  ...{ id: true, account: true, destination: true, number: true, text: true, source: true },
  ...{ status: true, createdAt: true, sendAt: true, statusAt: true, failures: true },
  ...{ retryAt: true, lease: false, lastHolder: true, parts: true, error: true },
  ...{ reportKey: true, before: true, confirmsOptOut: false, phone: true, delivery: true },
  ...{ attempts: true, leases: true, leasedAt: false, flash: false },
}
const loneSurrogate = /[\ud800-\udfff]/u

export function isEncodedStatus(status: Status): boolean {
  return (removableStatuses as readonly Status[]).includes(status)
}

/**
 * Encodes a message; returns the place of its record, undefined if it has a value that
 * no record can have.
 *
 * @param account number of the account
 */
export function encodeMessage(
  message: Message,
  slot: number,
  account: number,
  slabs: Slabs,
): number | undefined {
  if (!hasRecordFields(message)) return undefined
  const strings = listStrings(message)
  let chars = 0
  for (const text of strings) chars += text.length
  const maxLength = maxNumbersLength + 3 * chars + 2 * strings.length
  if (maxLength > maxRecordLength) return undefined
  const { bytes, at } = slabs.reserve(maxLength)
  const stringsAt = writeMessageNumbers(bytes, at, message, slot, account)
  let end = stringsAt
  for (const text of strings) {
    const length = writeText(bytes, end + 2, text)
    end = writeShort(bytes, end, length) + length
  }
  if (end - stringsAt > chars + 2 * strings.length) {
    if (strings.some(text => loneSurrogate.test(text))) return undefined
    setFlag(bytes, at, hasNonAscii)
  }
  return slabs.commit(writeLength(bytes, at, end))
}

/** Up to this length, ASCII is written byte by byte, which takes less time than a call of Node. */
const maxShortText = 24

/** Writes a string as UTF-8; returns its length in bytes. */
function writeText(bytes: Buffer, at: number, text: string): number {
  if (text.length > maxShortText) return bytes.write(text, at)
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index)
    if (code > 0x7f) return bytes.write(text, at)
    bytes[at + index] = code
  }
  return text.length
}

function hasRecordFields(message: Message): boolean {
  const { createdAt, statusAt, sendAt, retryAt = 0, parts = 0, failures } = message
  return (
    isTime(createdAt) &&
    isTime(statusAt) &&
    isTime(sendAt) &&
    isTime(retryAt) &&
    isShort(parts) &&
    isShort(failures) &&
    sources.includes(message.source) &&
    hasKnownFields(message)
  )
}

function hasKnownFields(message: Message): boolean {
  for (const name in message) {
    if (recordFields[name as keyof Message]) continue
    if (message[name as keyof Message] !== undefined) return false
  }
  return true
}

function listStrings({
  destination,
  number,
  text,
  lastHolder,
  error,
  reportKey,
  phone,
  delivery,
  attempts,
  leases,
}: Message): string[] {
  const strings = number === destination ? [destination, text] : [destination, number, text]
  if (lastHolder !== undefined) strings.push(lastHolder)
  if (error !== undefined) strings.push(error)
  if (reportKey !== undefined) strings.push(reportKey)
  if (phone !== undefined) strings.push(phone)
  if (delivery !== undefined) strings.push(delivery)
  if (attempts !== undefined) strings.push(attempts)
  if (leases !== undefined) strings.push(leases)
  return strings
}

function writeMessageNumbers(
  bytes: Buffer,
  at: number,
  message: Message,
  slot: number,
  account: number,
): number {
  const { sendAt, number, retryAt, parts, before, lastHolder, error, reportKey } = message
  const flags =
    (message.phone === undefined ? 0 : hasPhone) |
    (message.delivery === undefined ? 0 : hasDelivery) |
    (message.attempts === undefined ? 0 : hasAttempts) |
    (message.leases === undefined ? 0 : hasLeases)
  const fields =
    (sendAt === message.createdAt ? 0 : present.sendAt) |
    (number === message.destination ? 0 : present.number) |
    (retryAt === undefined ? 0 : present.retryAt) |
    (parts === undefined ? 0 : present.parts) |
    (before === undefined ? 0 : present.before) |
    (lastHolder === undefined ? 0 : present.lastHolder) |
    (error === undefined ? 0 : present.error) |
    (reportKey === undefined ? 0 : present.reportKey)
  return writeNumbers(bytes, at, {
    slot,
    account,
    sendAt,
    status: statuses.indexOf(message.status),
    source: sources.indexOf(message.source),
    flags,
    present: fields,
    createdAt: message.createdAt,
    statusAt: message.statusAt,
    failures: message.failures,
    retryAt: retryAt ?? 0,
    parts: parts ?? 0,
    before: before === undefined ? 0 : statuses.indexOf(before),
  })
}

/** The fields of a stored record that most indexes need. */
export type RecordHead = Pick<GroupedFields, 'status' | 'createdAt' | 'delivery'> &
  Pick<Message, 'statusAt'>

export function readHead(bytes: Buffer, at: number): RecordHead {
  return {
    status: readStatus(bytes, at),
    createdAt: readCreatedAt(bytes, at),
    statusAt: readStatusAt(bytes, at),
    delivery: readDelivery(bytes, at),
  }
}

/** The fields of a record that all indexes need; of the number perhaps only the beginning. */
export type RecordFields = RecordHead & GroupedFields

export function readIndexedFields(bytes: Buffer, at: number): RecordFields {
  const reader = new RecordReader(bytes, at)
  reader.skipNumbers()
  if (reader.has(present.number)) reader.skipString()
  const number = reader.readStart(callingCodeLength)
  reader.skipToPhone()
  return {
    status: readStatus(bytes, at),
    createdAt: readCreatedAt(bytes, at),
    statusAt: readStatusAt(bytes, at),
    source: sources[readSource(bytes, at)] as Source,
    number,
    phone: reader.hasFlag(hasPhone) ? reader.readString() : undefined,
    delivery: reader.hasFlag(hasDelivery) ? reader.readString() : undefined,
  }
}

export function decodeMessage(bytes: Buffer, at: number, id: string, account: string): Message {
  const reader = new RecordReader(bytes, at)
  const createdAt = readCreatedAt(bytes, at)
  const sendAt = reader.has(present.sendAt) ? reader.readTime() : createdAt
  const retryAt = reader.has(present.retryAt) ? reader.readTime() : undefined
  const parts = reader.has(present.parts) ? reader.readShort() : undefined
  const before = reader.has(present.before) ? reader.readStatus() : undefined
  const destination = reader.readString()
  const message: { -readonly [K in keyof Message]: Message[K] } = {
    id,
    account,
    destination,
    number: reader.has(present.number) ? reader.readString() : destination,
    text: reader.readString(),
    source: sources[readSource(bytes, at)] as Source,
    status: readStatus(bytes, at),
    createdAt,
    sendAt,
    statusAt: readStatusAt(bytes, at),
    failures: readFailures(bytes, at),
  }
  if (retryAt !== undefined) message.retryAt = retryAt
  if (reader.has(present.lastHolder)) message.lastHolder = reader.readString()
  if (parts !== undefined) message.parts = parts
  if (reader.has(present.error)) message.error = reader.readString()
  if (reader.has(present.reportKey)) message.reportKey = reader.readString()
  if (before !== undefined) message.before = before
  if (reader.hasFlag(hasPhone)) message.phone = reader.readString()
  if (reader.hasFlag(hasDelivery)) message.delivery = reader.readString()
  if (reader.hasFlag(hasAttempts)) message.attempts = reader.readString()
  if (reader.hasFlag(hasLeases)) message.leases = reader.readString()
  return message
}
