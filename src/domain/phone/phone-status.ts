// Phones as the relay sees them, and the texts that they receive.
// - phone-status: the record of a phone, and its condition by its signs of life
// - phone-observation: what a node has learned of a phone, and how nodes merge it
// - phone-network: what a phone reports about its network
// - phone-activity: what a phone did in each five minutes of its last day
// - received-text: a text that a phone received, and what it does
// - opt-out-keywords: the keywords with which a sender opts out and in again; the relay's
//   configuration can replace them

import type { AccountRecord } from '../account/account-record.js'
import type { PhoneNetworkReport } from './phone-network.js'

export interface PhoneRecord extends AccountRecord {
  readonly name: string
  readonly driver: string
  /** First NEXT of the phone; absent if it has only reported presence so far. */
  readonly firstNextAt?: number
  readonly lastNextAt?: number
  /** When the phone last sent a NEXT or reported presence. */
  readonly lastSeenAt: number
  readonly quietUntil?: number
  readonly lastSuccessAt?: number
  readonly lastFailureAt?: number
  readonly holder?: string
  readonly activity?: string
  readonly network?: PhoneNetworkReport
}

export const unknownPhone = { name: 'unnamed', driver: 'unknown' } as const

/** Milliseconds without a sign of life after which a phone is silent. */
export const silentAfter = 5 * 60 * 1000

/** Milliseconds without a sign of life after which the relay forgets a phone. */
export const phoneRetention = 30 * 24 * 60 * 60 * 1000

/** Milliseconds; a phone must report longer quiet hours again. */
export const maxQuietTime = 7 * 24 * 60 * 60 * 1000

/** Rule: most phones of an account; one more replaces the phone that was not seen for longest. */
export const maxPhones = 1000

/** Name of a phone or driver: no space at either end; not `.` or `..`, which URLs resolve. */
const label = /^(?!\.{1,2}$)[!-~](?:[ -~]{0,62}[!-~])?$/

/** Whether a text can name a phone or a driver: 1 to 64 printable ASCII characters. */
export function isPhoneLabel(text: string): boolean {
  return label.test(text)
}

/** A phone's signs of life; times in milliseconds since the epoch. */
export interface PhoneActivity {
  readonly silent: boolean
  readonly lastNextAt?: number | undefined
  readonly lastSeenAt?: number | undefined
  readonly quietUntil?: number | undefined
}

/**
 * Condition of a phone: it asks for messages, has quiet hours, is present without asking (it is
 * offline or has reached its rate), or gives no sign of life.
 */
export type PhoneCondition = 'alive' | 'quiet' | 'waiting' | 'silent'

export function getPhoneCondition(activity: PhoneActivity): PhoneCondition {
  const { silent, quietUntil, lastNextAt = Number.NEGATIVE_INFINITY, lastSeenAt } = activity
  if (silent) return 'silent'
  if (quietUntil !== undefined) return 'quiet'
  const isFetching = lastSeenAt === undefined || lastSeenAt - lastNextAt <= silentAfter
  return isFetching ? 'alive' : 'waiting'
}

/** Says that no phone is alive, and how to start one; undefined if a phone is. */
export function describeAbsence(
  phones: readonly { readonly name: string; readonly silent: boolean }[],
): { readonly problem: string; readonly step: string } | undefined {
  if (phones.some(phone => !phone.silent)) return undefined
  const [first, second] = phones
  const start = 'start one with the application key: smsrelay phone --driver NAME'
  if (first === undefined)
    return { problem: 'No phone has connected yet', step: `S${start.slice(1)}` }
  return {
    problem: second === undefined ? `The phone ${first.name} is silent` : 'All phones are silent',
    step: `Check that ${second === undefined ? 'it runs' : 'they run'}, or ${start}`,
  }
}
