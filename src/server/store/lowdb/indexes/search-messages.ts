import type { Message } from '../../../../domain/message/message.js'
import {
  findFirstTime,
  isBeyond,
  type MessageCriteria,
} from '../../../../domain/message/message-criteria.js'
import type { FoundMessages, MessageQuery } from '../../message-store.js'
import type { MessageTable } from '../message-table/message-table.js'
import { hashNumber } from '../message-table/record-search.js'
import type { MessageListIndex } from './message-list.js'
import type { PageLimits } from './message-list-block.js'

/**
 * Searches a page of the embedded store's messages until `count` are found. If the criteria have a
 * number, the page is one of the messages to it.
 */
export function searchMessages(
  list: MessageListIndex,
  messages: MessageTable,
  query: MessageQuery,
  criteria: MessageCriteria,
  count: number,
): FoundMessages {
  const { statuses, start, count: size, order } = query
  const matches = messages.createMatcher(criteria)
  const hasTimes = (criteria.since ?? criteria.until) !== undefined
  const slots = list.getPage(statuses, start, size, order, createLimits(messages, query, criteria))
  const found: Message[] = []
  let seen = 0
  for (; seen < slots.length && found.length < count; seen += 1) {
    const slot = slots[seen] as number
    if (hasTimes && isBeyond(criteria, messages.getHead(slot).createdAt, order))
      return { messages: found, seen, isLast: true }
    const message = matches(slot) ? messages.getAt(slot) : undefined
    if (message !== undefined) found.push(message)
  }
  return { messages: found, seen }
}

function createLimits(
  messages: MessageTable,
  { order }: MessageQuery,
  criteria: MessageCriteria,
): PageLimits {
  const { number } = criteria
  const first = findFirstTime(criteria, order)
  const isBefore = (slot: number): boolean => {
    const { createdAt } = messages.getHead(slot)
    return order === 'asc' ? createdAt < (first ?? 0) : createdAt >= (first ?? 0)
  }
  return {
    isBefore: first === undefined ? undefined : isBefore,
    number:
      number === undefined
        ? undefined
        : {
            hash: hashNumber(number),
            has: messages.createMatcher({ number }),
          },
  }
}
