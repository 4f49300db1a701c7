import type { Status } from '../../../src/domain/message/message.js'

/** A page of messages, found without an index. */
export function getPage<T extends { status: Status }>(
  all: readonly T[],
  statuses: readonly Status[],
  start: number,
  count: number,
  order: 'asc' | 'desc',
): T[] {
  const chosen = all.filter(each => statuses.includes(each.status))
  return (order === 'asc' ? chosen : chosen.toReversed()).slice(start, start + count)
}
