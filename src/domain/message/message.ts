// The states of a message, as pure functions: a message and facts in, a MessageChange out. The
// services call them inside a store transaction (docs/reference/interface.md 3).
// - message: the record, its states, copies with changes
// - edit-message: create, edit, delete, undelete, lock, unlock, retry
// - claim: NEXT, leases that end, messages that are blocked
// - report: success, failure and release by a phone
// - attempts: what is stored of a message's attempts and leases
// - delivery-status: receipts of networks on sent messages
// - message-filter, queue-depth, message-counts, search-words: views of many messages
// - message-retention: how long records are stored

import type { EventName } from '../webhook/event.js'

/** The seven states of a message, by letter (docs/reference/interface.md 3). */
export const statusNames = {
  N: 'new',
  S: 'sent',
  E: 'error',
  F: 'failed',
  D: 'deleted',
  L: 'locked',
  B: 'blocked',
} as const

export type Status = keyof typeof statusNames

/** How a message was created (docs/reference/interface.md 2.2). */
export const sources = ['website', 'api', 'url', 'email'] as const

export type Source = (typeof sources)[number]

export interface Lease {
  readonly holder: string
  /** End of the message's lease, milliseconds since the epoch. */
  readonly until: number
  /**
   * Number of the message among those that its holder claimed in batches. Absent after a claim of a
   * single message, and after users changed the message.
   */
  readonly claim?: number
}

export interface Message {
  readonly id: string
  readonly account: string
  readonly destination: string
  /**
   * Canonical number of the message's recipient: E.164, or the digits of a short code or test
   * number.
   */
  readonly number: string
  readonly text: string
  readonly source: Source
  readonly status: Status
  readonly createdAt: number
  readonly sendAt: number
  readonly statusAt: number
  /** Attempts to send the message that ended in error, from 0 to 5. */
  readonly failures: number
  /** The message is not due again before this time. */
  readonly retryAt?: number
  /**
   * The message's lease until a report or a release: what users do with the message does not end
   * it.
   */
  readonly lease?: Lease
  /** When the phone claimed the message of this lease, if it has renewed the lease since. */
  readonly leasedAt?: number
  /** The last token that claimed the message; it can still report after its lease. */
  readonly lastHolder?: string
  readonly parts?: number
  readonly error?: string
  /**
   * Idempotency keys of the last reports on the message, one a line, so that a repeated report
   * counts once; of a sent message that of the success.
   */
  readonly reportKey?: string
  /** State of the message before deletion, for undelete. */
  readonly before?: Status
  readonly phone?: string
  /**
   * What receipts say of a sent message: a letter for each part, a space, the time, and the reason
   * after another space (`delivery-status`).
   */
  readonly delivery?: string
  /**
   * The last attempts that failed, one a line: the time, `f` or `u` (unknown) and the name of the
   * phone with spaces between them, a tab, the error, a tab, and the milliseconds since the claim
   * (`attempts`).
   */
  readonly attempts?: string
  /**
   * The last leases that the phone released, one a line: the time, the milliseconds since the
   * claim and the name of the phone with spaces between them. If the message is sent, the last
   * line has only the milliseconds from the claim until the success (`attempts`).
   */
  readonly leases?: string
  readonly confirmsOptOut?: true
  /** Whether the phone of the recipient shows the text at once without storing it (class 0). */
  readonly flash?: true
}

/** A decision on a message: its new form, or `null` to remove it, and the events to record. */
export interface MessageChange {
  /** The message as decided; absent if it does not change. */
  readonly message?: Message | null
  readonly events?: readonly EventName[]
}

/** Send attempts before a message is Failed (docs/reference/interface.md 8). */
export const maxAttempts = 5

/**
 * Delay of a message's retry for each failure so far, in milliseconds (docs/reference/interface.md
 * 8).
 */
export const retryStep = 15 * 60 * 1000

export function isWaiting(message: Message): boolean {
  return message.status === 'N' || message.status === 'E'
}

export function isFinal(message: Message): boolean {
  return message.status === 'S' || message.status === 'F' || message.status === 'B'
}

export function isStopped(message: Message, facts: { readonly blocked: boolean }): boolean {
  return facts.blocked && message.confirmsOptOut !== true
}

export function getDueTime(message: Message): number {
  return Math.max(message.sendAt, message.retryAt ?? 0)
}

export function getAvailableTime(message: Message): number {
  return Math.max(getDueTime(message), message.lease?.until ?? 0)
}

type FixedField = 'id' | 'account' | 'source' | 'createdAt' | 'status' | 'statusAt'

/** New values for fields of a message; undefined removes an optional field. */
export type Revision = {
  readonly [K in Exclude<keyof Message, FixedField>]?: Message[K] | undefined
}

type MutableMessage = { -readonly [K in keyof Message]: Message[K] }

const optionalFields = [
  'retryAt',
  'lease',
  'leasedAt',
  'lastHolder',
  'parts',
  'error',
  'reportKey',
  'before',
  'confirmsOptOut',
  'flash',
  'phone',
  'delivery',
  'attempts',
  'leases',
] as const satisfies readonly (keyof Revision)[]

export const noLease = { lease: undefined, leasedAt: undefined } as const satisfies Revision

/**
 * When the phone that has a message claimed it, in milliseconds since the epoch; undefined if that
 * is not known.
 * @param length of leases, in milliseconds
 */
export function getLeaseStart(
  { lease, leasedAt }: Pick<Message, 'lease' | 'leasedAt'>,
  length: number | undefined,
): number | undefined {
  if (lease === undefined || length === undefined) return leasedAt
  return leasedAt ?? lease.until - length
}

/** Copies a message with changes, field by field: spreading takes ten times as long (hot path). */
export function reviseMessage(message: Message, changes: Revision): Message {
  const copy: MutableMessage = {
    id: message.id,
    account: message.account,
    destination: message.destination,
    number: message.number,
    text: message.text,
    source: message.source,
    status: message.status,
    createdAt: message.createdAt,
    sendAt: message.sendAt,
    statusAt: message.statusAt,
    failures: message.failures,
  }
  for (const name of optionalFields) if (!(name in changes)) setField(copy, name, message[name])
  for (const name in changes) {
    setField(copy, name as keyof Revision, changes[name as keyof Revision])
  }
  return copy
}

function setField<K extends keyof Message>(
  message: MutableMessage,
  name: K,
  value: Message[K] | undefined,
): void {
  if (value !== undefined) message[name] = value
}

/**
 * Copies a message with another state and changes; `statusAt` moves only with the status letter.
 */
export function changeStatus(
  message: Message,
  status: Status,
  now: number,
  changes: Revision = {},
): Message {
  const copy: MutableMessage = reviseMessage(message, changes)
  if (status !== message.status) {
    copy.status = status
    copy.statusAt = now
  }
  return copy
}
