import type { Message, Source } from './message.js'
import { matchesSearch, type SearchWords } from './search-words.js'

export interface MessageCriteria {
  readonly words?: SearchWords | undefined
  /** The messages were created at this time or later, in milliseconds since the epoch. */
  readonly since?: number | undefined
  /** The messages were created before this time, in milliseconds since the epoch. */
  readonly until?: number | undefined
  readonly number?: string | undefined
  readonly phone?: string | undefined
  readonly source?: Source | undefined
  /** Part of the messages' last error, in lower case. */
  readonly reason?: string | undefined
}

/** Milliseconds by which clocks that differ, or are set, may disturb the order of creation. */
const clockTolerance = 60 * 60 * 1000

export function matchesCriteria(criteria: MessageCriteria, message: Message): boolean {
  const { words, number, phone, source, reason } = criteria
  if (!isCreatedWithin(criteria, message.createdAt)) return false
  if (words !== undefined && !matchesSearch(words, message)) return false
  if (number !== undefined && message.number !== number) return false
  if (phone !== undefined && message.phone !== phone) return false
  if (source !== undefined && message.source !== source) return false
  return reason === undefined || (message.error?.toLowerCase().includes(reason) ?? false)
}

export function isCreatedWithin(
  { since = -Infinity, until = Infinity }: Pick<MessageCriteria, 'since' | 'until'>,
  createdAt: number,
): boolean {
  return createdAt >= since && createdAt < until
}

/**
 * Whether a message shows that no later message of a list in order of creation can match: it was
 * created too early or, in ascending order, too late.
 */
export function isBeyond(
  { since = -Infinity, until = Infinity }: Pick<MessageCriteria, 'since' | 'until'>,
  createdAt: number,
  order: 'asc' | 'desc',
): boolean {
  return order === 'desc' ? createdAt < since - clockTolerance : createdAt >= until + clockTolerance
}

/**
 * The time, in milliseconds since the epoch, with which a list in order of creation begins if only
 * messages of some times are wanted; undefined: with its first message.
 */
export function findFirstTime(
  { since, until }: Pick<MessageCriteria, 'since' | 'until'>,
  order: 'asc' | 'desc',
): number | undefined {
  if (order === 'asc') return since === undefined ? undefined : since - clockTolerance
  return until === undefined ? undefined : until + clockTolerance
}
