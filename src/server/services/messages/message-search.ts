import { setImmediate } from 'node:timers/promises'
import type { Account } from '../../../domain/account/account.js'
import type { Message } from '../../../domain/message/message.js'
import type { MessageFilter } from '../../../domain/message/message-filter.js'
import { parseSearchWords } from '../../../domain/message/search-words.js'
import type { MessageService } from './message-service.js'

/** The service's search among an account's messages, newest first. */
export interface MessageSearch {
  readonly filter: MessageFilter
  /** Offset of the first message that the service looks at, among those of the filter. */
  readonly start: number
  /** Most messages that the service finds. */
  readonly count: number
  /**
   * What the service searches for: part of a text, in any letter case, or at least three digits of
   * a number.
   */
  readonly words: string
}

export interface SearchResult {
  readonly messages: readonly Message[]
  /** Where the service continues the search; undefined if it examined all messages. */
  readonly next: number | undefined
  /** Number of messages that the service examined for the search. */
  readonly seen: number
}

const batchSize = 500
/** Messages that the service searches for one request: a few hundredths of a second of work. */
const maxSearched = 50_000

/**
 * Searches messages one by one, because texts have no index: in batches between which other
 * requests run, and at most 50,000 in one call.
 */
export async function searchMessages(
  service: Pick<MessageService, 'search'>,
  account: Account,
  { filter, start, count, words }: MessageSearch,
): Promise<SearchResult> {
  const parsed = parseSearchWords(words)
  const found: Message[] = []
  for (let at = start; at < start + maxSearched; ) {
    const page = { filter, start: at, count: batchSize, order: 'desc' } as const
    const { messages, seen } = await service.search(account, page, parsed, count - found.length)
    found.push(...messages)
    at += seen
    if (found.length === count) return { messages: found, next: at, seen: at - start }
    if (seen < batchSize) return { messages: found, next: undefined, seen: at - start }
    await setImmediate()
  }
  return { messages: found, next: start + maxSearched, seen: maxSearched }
}
