import type { AccountRecord } from '../account/account-record.js'

/** What the service knows of a phone, as kept; times in milliseconds since the epoch. */
export interface PhoneRecord extends AccountRecord {
  readonly name: string
  readonly driver: string
  /** Absent where it has only said that it is there so far. */
  readonly firstNextAt?: number
  /** When it last asked for a message, or waited for one. */
  readonly lastNextAt?: number
  /** When it last did so or said that it is there; absent in what was kept before phones said so. */
  readonly lastSeenAt?: number
  /** Until when it is at rest, or was. */
  readonly quietUntil?: number
  readonly lastSuccessAt?: number
  readonly lastFailureAt?: number
}

/** How a phone is known that says nothing of itself. */
export const unknownPhone = { name: 'unnamed', driver: 'unknown' } as const

/** Milliseconds without a sign of life, while the service runs, after which a phone counts as silent. */
export const silentAfter = 5 * 60 * 1000

/** Milliseconds without a sign of life after which a phone is forgotten. */
export const phoneRetention = 30 * 24 * 60 * 60 * 1000

/** Milliseconds that a phone is at rest at most, unless it says so again. */
export const maxQuietTime = 7 * 24 * 60 * 60 * 1000

/** Phones of an account that are known; the one that was not seen for longest makes room for another. */
export const maxPhones = 1000

/** Printable ASCII, 64 characters at most, no space at its ends; what a URL takes for a path of its own is none. */
const label = /^(?!\.{1,2}$)[!-~](?:[ -~]{0,62}[!-~])?$/

/** Whether a text can name a phone or a driver: 1 to 64 printable characters of ASCII. */
export function isPhoneLabel(text: string): boolean {
  return label.test(text)
}

/** What is known of a phone by the signs of life it gives; times in milliseconds since the epoch. */
export interface PhoneActivity {
  readonly silent: boolean
  readonly lastNextAt?: number | undefined
  readonly lastSeenAt?: number | undefined
  /** The end of its rest, while it is at rest. */
  readonly quietUntil?: number | undefined
}

/** How a phone is doing: it asks, is at rest, is there and does not ask (no line, no room in its rate), or is not there. */
export type PhoneCondition = 'alive' | 'quiet' | 'waiting' | 'silent'

/** How a phone is doing. */
export function getPhoneCondition(signs: PhoneActivity): PhoneCondition {
  const { silent, quietUntil, lastNextAt = Number.NEGATIVE_INFINITY, lastSeenAt } = signs
  if (silent) return 'silent'
  if (quietUntil !== undefined) return 'quiet'
  const asks = lastSeenAt === undefined || lastSeenAt - lastNextAt <= silentAfter
  return asks ? 'alive' : 'waiting'
}
