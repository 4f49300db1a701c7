import { setImmediate } from 'node:timers/promises'
import type { Account } from '../../../domain/account/account.js'
import type { Message } from '../../../domain/message/message.js'
import type { MessageFilter } from '../../../domain/message/message-filter.js'
import type { MessageService } from './message-service.js'

/** What to look for among an account's messages, the newest first. */
export interface MessageSearch {
  readonly filter: MessageFilter
  /** Offset among the messages of the filter to begin at. */
  readonly start: number
  /** Messages found at most. */
  readonly count: number
  /** Part of a text, in any letter case, or at least three digits of a number. */
  readonly words: string
}

/** What was found. */
export interface SearchResult {
  readonly messages: readonly Message[]
  /** Where to go on; undefined when everything was looked through. */
  readonly next: number | undefined
  /** Messages that were looked through. */
  readonly seen: number
}

const sliceSize = 500
/** Looked through for one request: reading them takes some hundredths of a second. */
const maxSearched = 50_000

/**
 * Looks through messages in slices between which others run, and through a bounded number of them: there is no index
 * of texts.
 */
export async function searchMessages(
  messages: Pick<MessageService, 'list'>,
  account: Account,
  { filter, start, count, words }: MessageSearch,
): Promise<SearchResult> {
  const matches = createMatcher(words)
  const found: Message[] = []
  for (let at = start; at < start + maxSearched; ) {
    const page = { filter, start: at, count: sliceSize, order: 'desc' } as const
    const listed = await messages.list(account, page)
    for (const message of listed) {
      at += 1
      if (matches(message)) found.push(message)
      if (found.length === count) return { messages: found, next: at, seen: at - start }
    }
    if (listed.length < sliceSize) return { messages: found, next: undefined, seen: at - start }
    await setImmediate()
  }
  return { messages: found, next: start + maxSearched, seen: maxSearched }
}

function createMatcher(words: string): (message: Message) => boolean {
  const wanted = words.trim().toLowerCase()
  const digits = /^[+\d\s().\-/]+$/.test(wanted) ? wanted.replace(/\D/g, '') : ''
  return ({ text, number }) =>
    text.toLowerCase().includes(wanted) || (digits.length >= 3 && number.includes(digits))
}
