import { mergeActivities, observeActivity } from './phone-activity.js'
import type { PhoneNetworkReport } from './phone-network.js'
import { type PhoneRecord, unknownPhone } from './phone-status.js'

/**
 * What one node has learned of a phone since it stored it last; times in milliseconds since the
 * epoch.
 */
export interface PhoneObservation {
  /** Driver of the phone; absent in an observation without a sign of life. */
  driver?: string
  firstNextAt?: number
  lastNextAt?: number
  /** Last sign of life of the phone; absent if it only reported outcomes. */
  lastSeenAt?: number
  activeSince?: number
  quietUntil?: number
  lastSuccessAt?: number
  lastFailureAt?: number
  holder?: string
  activity?: string
  network?: PhoneNetworkReport
}

type PhoneIdentity = Pick<PhoneRecord, 'id' | 'account' | 'name'>

const latestTimes = ['lastNextAt', 'lastSeenAt', 'lastSuccessAt', 'lastFailureAt'] as const

export function observeNext(phone: PhoneObservation, now: number): void {
  phone.firstNextAt ??= now
  phone.lastNextAt = now
  observePresence(phone, now)
  phone.activity = observeActivity(phone.activity, now, 'a')
}

export function observePresence(phone: PhoneObservation, now: number, quietUntil?: number): void {
  phone.lastSeenAt = now
  const isQuiet = quietUntil !== undefined && quietUntil > now
  phone.activity = observeActivity(phone.activity, now, isQuiet ? 'q' : 'p')
  if (quietUntil !== undefined) phone.quietUntil = quietUntil
  else if (phone.quietUntil !== undefined) phone.quietUntil = Math.min(phone.quietUntil, now)
  else phone.activeSince ??= now
}

/**
 * Merges two observations of a phone, in any order and also of different nodes: the latest of each
 * time; driver and quiet hours as of the last sign of life.
 */
export function mergeObservations(one: PhoneObservation, other: PhoneObservation) {
  const isNewer = (other.lastSeenAt ?? 0) >= (one.lastSeenAt ?? 0)
  const [older, newer] = isNewer ? [one, other] : [other, one]
  const merged: PhoneObservation = { ...older, ...newer }
  for (const name of latestTimes) {
    const time = Math.max(older[name] ?? 0, newer[name] ?? 0)
    if (time > 0) merged[name] = time
  }
  if (older.activity !== undefined && newer.activity !== undefined) {
    merged.activity = mergeActivities(older.activity, newer.activity)
  }
  const firstNextAt = findEarliest(older.firstNextAt, newer.firstNextAt)
  if (firstNextAt !== undefined) merged.firstNextAt = firstNextAt
  const activeSince = findEarliest(older.activeSince, newer.activeSince)
  if (newer.quietUntil === undefined && older.quietUntil !== undefined) {
    const end = newer.activeSince ?? newer.lastSeenAt ?? older.quietUntil
    merged.quietUntil = Math.min(older.quietUntil, end)
  } else if (newer.quietUntil === undefined && activeSince !== undefined) {
    merged.activeSince = activeSince
  }
  return merged
}

/**
 * Adds an observation to the record of a phone; undefined if there is neither a record nor a sign
 * of life.
 */
export function addToPhoneRecord(
  record: PhoneRecord | undefined,
  { id, account, name }: PhoneIdentity,
  observation: PhoneObservation,
): PhoneRecord | undefined {
  const {
    activeSince,
    driver = unknownPhone.driver,
    ...times
  } = mergeObservations(record ?? {}, observation)
  const { lastSeenAt } = times
  return lastSeenAt === undefined ? undefined : { ...times, lastSeenAt, id, account, name, driver }
}

function findEarliest(one: number | undefined, other: number | undefined): number | undefined {
  return one === undefined || other === undefined ? (one ?? other) : Math.min(one, other)
}
