import type { EventName } from '../webhook/event.js'

/** The seven states of a message, by letter (SPEC.md section 3). */
export const statusNames = {
  N: 'new',
  S: 'sent',
  E: 'error',
  F: 'failed',
  D: 'deleted',
  L: 'locked',
  B: 'blocked',
} as const

/** One letter of {@link statusNames}. */
export type Status = keyof typeof statusNames

/** How a message came to be (SPEC.md section 2.2). */
export const sources = ['website', 'api', 'url', 'email'] as const

/** One of {@link sources}. */
export type Source = (typeof sources)[number]

/** The right of one token to send a message, for a time. */
export interface Lease {
  /** Identifier of the token that holds it. */
  readonly holder: string
  /** Milliseconds since the epoch. */
  readonly until: number
}

/** A message as it is kept; all times are milliseconds since the epoch. Never changed, only replaced. */
export interface Message {
  readonly id: string
  readonly account: string
  /** The recipient as given. */
  readonly destination: string
  /** The recipient's canonical form: E.164, or the digits of a short code or test number. */
  readonly number: string
  readonly text: string
  readonly source: Source
  readonly status: Status
  readonly createdAt: number
  readonly sendAt: number
  readonly statusAt: number
  /** Send attempts that ended in error, 0 to 5. */
  readonly failures: number
  /** Not handed out before this time. */
  readonly retryAt?: number
  readonly lease?: Lease
  /** The token that was last given the message, which may still report on it after its lease. */
  readonly lastHolder?: string
  /** Number of parts the sent message needed. */
  readonly parts?: number
  /** What the last failed attempt said. */
  readonly error?: string
  /** Idempotency key of the last report, so that a repeated report is not counted twice. */
  readonly reportKey?: string
  /** The state before a deletion, for undelete. */
  readonly before?: Status
}

/** What a decision does to a message: its new form, or `null` to remove it, and the events that causes. */
export interface MessageChange {
  /** Absent: the message stays as it is. */
  readonly message?: Message | null
  readonly events?: readonly EventName[]
}

/** Send attempts before a message is abandoned (SPEC.md section 8). */
export const maxAttempts = 5

/** Extra delay of a retry for each failure so far, in milliseconds (SPEC.md section 8). */
export const retryStep = 15 * 60 * 1000

/** Whether a message waits to be sent: New or Error. */
export function isWaiting(message: Message): boolean {
  return message.status === 'N' || message.status === 'E'
}

/** Whether a message is in a state that cannot change: Sent, Failed or Blacklisted (SPEC.md section 3). */
export function isFinal(message: Message): boolean {
  return message.status === 'S' || message.status === 'F' || message.status === 'B'
}

/** The time a waiting message became or becomes due, in milliseconds since the epoch. */
export function getDueTime(message: Message): number {
  return Math.max(message.sendAt, message.retryAt ?? 0)
}

/** The time from which a waiting message may be handed out: when it is due and no lease holds it. */
export function getAvailableTime(message: Message): number {
  return Math.max(getDueTime(message), message.lease?.until ?? 0)
}

type FixedField = 'id' | 'account' | 'source' | 'createdAt' | 'status' | 'statusAt'

/** New values for fields of a message; undefined takes an optional one away. */
export type Revision = {
  readonly [K in Exclude<keyof Message, FixedField>]?: Message[K] | undefined
}

type MutableMessage = { -readonly [K in keyof Message]: Message[K] }

const optionalFields = [
  'retryAt',
  'lease',
  'lastHolder',
  'parts',
  'error',
  'reportKey',
  'before',
] as const satisfies readonly (keyof Revision)[]

/** The message with changes. Copied field by field: spreading takes ten times as long, on the way of every report. */
export function reviseMessage(message: Message, changes: Revision): Message {
  const copy: MutableMessage = {
    id: message.id,
    account: message.account,
    destination: changes.destination ?? message.destination,
    number: changes.number ?? message.number,
    text: changes.text ?? message.text,
    source: message.source,
    status: message.status,
    createdAt: message.createdAt,
    sendAt: changes.sendAt ?? message.sendAt,
    statusAt: message.statusAt,
    failures: changes.failures ?? message.failures,
  }
  for (const name of optionalFields) {
    setOptional(copy, name, name in changes ? changes[name] : message[name])
  }
  return copy
}

function setOptional<K extends keyof Message>(
  message: MutableMessage,
  name: K,
  value: Message[K] | undefined,
): void {
  if (value !== undefined) message[name] = value
}

/** The message in another state, with changes; `statusAt` moves only when the letter changes. */
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
