import { setImmediate } from 'node:timers/promises'
import { type CountedGroup, getGroupKey } from '../../../../domain/message/message-counts.js'
import {
  findFirstTime,
  isBeyond,
  isCreatedWithin,
} from '../../../../domain/message/message-criteria.js'
import { messageFilters } from '../../../../domain/message/message-filter.js'
import type { CountedGroups, GroupQuery } from '../../message-store.js'
import type { MessageTable } from '../message-table/message-table.js'
import type { MessageListIndex } from './message-list.js'

/** Messages that are counted in one turn of the event loop: a few milliseconds of work. */
const batchSize = 5000

/** Counts the messages of a period by groups, in batches between which other requests run. */
export async function countGroups(
  list: MessageListIndex,
  messages: MessageTable,
  query: GroupQuery,
): Promise<CountedGroups> {
  const found = new Map<string, CountedGroup>()
  const first = findFirstTime(query, 'desc') ?? Number.POSITIVE_INFINITY
  const isBefore = (slot: number): boolean => messages.getHead(slot).createdAt >= first
  for (let start = 0; start < query.max; start += batchSize) {
    const count = Math.min(batchSize, query.max - start)
    const slots = list.getPage(messageFilters.all, start, count, 'desc', { isBefore })
    for (const slot of slots) {
      const { createdAt } = messages.getHead(slot)
      if (isBeyond(query, createdAt, 'desc'))
        return { groups: [...found.values()], isComplete: true }
      if (isCreatedWithin(query, createdAt)) addTo(found, messages, slot, query)
    }
    if (slots.length < count) return { groups: [...found.values()], isComplete: true }
    await setImmediate()
  }
  return { groups: [...found.values()], isComplete: false }
}

function addTo(
  found: Map<string, CountedGroup>,
  messages: MessageTable,
  slot: number,
  { by }: GroupQuery,
): void {
  const fields = messages.getGroupedFields(slot)
  const delivery = fields.delivery?.split(' ', 1)[0]
  const key = getGroupKey(fields, by)
  const name = `${fields.status} ${delivery ?? ''} ${key}`
  const count = (found.get(name)?.count ?? 0) + 1
  found.set(name, { key, status: fields.status, delivery, count })
}
