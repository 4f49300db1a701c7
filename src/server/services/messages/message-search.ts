import { setImmediate } from 'node:timers/promises'
import type { Account } from '../../../domain/account/account.js'
import type { Message } from '../../../domain/message/message.js'
import type { MessageFilter } from '../../../domain/message/message-filter.js'
import type { MessageService } from './message-service.js'

/** A search among an account's messages, newest first. */
export interface MessageSearch {
  readonly filter: MessageFilter
  /** Offset of the first message to search, among those of the filter. */
  readonly start: number
  /** Messages to find at most. */
  readonly count: number
  /**
   * Searched words: part of a message's text, in any letter case, or at least three digits of a
   * number.
   */
  readonly words: string
}

export interface SearchResult {
  readonly messages: readonly Message[]
  /** Offset at which the message search continues; undefined if all messages were searched. */
  readonly next: number | undefined
  /** Number of messages that were searched. */
  readonly seen: number
}

const batchSize = 500
/** Messages that one request searches: a few hundredths of a second of work. */
const maxSearched = 50_000

/**
 * Searches messages one by one, because texts have no index: in batches between which other
 * requests run, and at most 50,000 in one call.
 */
export async function searchMessages(
  messages: Pick<MessageService, 'list'>,
  account: Account,
  { filter, start, count, words }: MessageSearch,
): Promise<SearchResult> {
  const matches = createMatcher(words)
  const found: Message[] = []
  for (let at = start; at < start + maxSearched; ) {
    const page = { filter, start: at, count: batchSize, order: 'desc' } as const
    const listed = await messages.list(account, page)
    for (const message of listed) {
      at += 1
      if (matches(message)) found.push(message)
      if (found.length === count) return { messages: found, next: at, seen: at - start }
    }
    if (listed.length < batchSize) return { messages: found, next: undefined, seen: at - start }
    await setImmediate()
  }
  return { messages: found, next: start + maxSearched, seen: maxSearched }
}

function createMatcher(words: string): (message: Message) => boolean {
  const part = words.trim().toLowerCase()
  const digits = /^[+\d\s().\-/]+$/.test(part) ? part.replace(/\D/g, '') : ''
  return ({ text, number }) =>
    text.toLowerCase().includes(part) || (digits.length >= 3 && number.includes(digits))
}
