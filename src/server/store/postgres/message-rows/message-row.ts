import type { Lease, Message } from '../../../../domain/message/message.js'

/** The fields of a message that have no column, or only one that finds it. */
export type MessageDoc = Omit<Message, 'id' | 'account' | 'lease' | 'lastHolder'>

export interface MessageRow {
  readonly account: string
  readonly id: string
  readonly version: number
  readonly holder: string | null
  readonly lease_until: number | null
  readonly lease_claim: number | null
  readonly last_holder: string | null
  readonly doc: MessageDoc
}

export const messageColumns =
  'm.account, m.id, m.version, m.holder, m.lease_until, m.lease_claim, m.last_holder, m.doc'

export type MutableMessage = { -readonly [K in keyof Message]: Message[K] }

/** Makes a message of its document in the database, which becomes part of it. */
export function toMessage(account: string, id: string, doc: MessageDoc): MutableMessage {
  const message = doc as MutableMessage
  message.account = account
  message.id = id
  return message
}

export function rowToMessage(row: MessageRow): Message {
  const message = toMessage(row.account, row.id, row.doc)
  const lease = toLease(row.holder, row.lease_until, row.lease_claim)
  if (lease !== undefined) message.lease = lease
  if (row.last_holder !== null) message.lastHolder = row.last_holder
  return message
}

export function toLease(
  holder: string | null,
  until: number | null,
  claim: number | null,
): Lease | undefined {
  if (holder === null || until === null) return undefined
  return claim === null ? { holder, until } : { holder, until, claim }
}

/** The document of a message for the database; fields that are undefined are not stored. */
export function toDoc(message: Message): object {
  return {
    destination: message.destination,
    number: message.number,
    text: message.text,
    source: message.source,
    status: message.status,
    createdAt: message.createdAt,
    sendAt: message.sendAt,
    statusAt: message.statusAt,
    failures: message.failures,
    retryAt: message.retryAt,
    parts: message.parts,
    error: message.error,
    reportKey: message.reportKey,
    before: message.before,
    phone: message.phone,
    delivery: message.delivery,
    attempts: message.attempts,
    leases: message.leases,
    leasedAt: message.leasedAt,
    confirmsOptOut: message.confirmsOptOut,
    flash: message.flash,
  }
}
