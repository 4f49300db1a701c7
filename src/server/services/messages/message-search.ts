import { setImmediate } from 'node:timers/promises'
import type { Account } from '../../../domain/account/account.js'
import type { Message } from '../../../domain/message/message.js'
import type { MessageCriteria } from '../../../domain/message/message-criteria.js'
import type { MessageFilter } from '../../../domain/message/message-filter.js'
import { parseSearchWords } from '../../../domain/message/search-words.js'
import type { MessageService } from './message-service.js'

export interface MessageSearch extends Omit<MessageCriteria, 'words'> {
  readonly filter: MessageFilter
  readonly start: number
  readonly count: number
  readonly order?: 'asc' | 'desc'
  /** Most messages that the service looks at. @default 50,000 */
  readonly most?: number
  /**
   * What the service searches for: part of a text, in any letter case, or at least three digits of
   * a number. @default any text
   */
  readonly words?: string
}

export interface SearchResult {
  readonly messages: readonly Message[]
  readonly next: number | undefined
  readonly seen: number
}

const batchSize = 500
/** Messages that the service searches for one request: a few hundredths of a second of work. */
const maxSearched = 50_000

type SearchService = Pick<MessageService, 'search' | 'searchSizes'>

/**
 * Searches messages one by one, because texts have no index: in batches between which other
 * requests run, and a limited number in one call.
 */
export async function searchMessages(
  service: SearchService,
  account: Account,
  search: MessageSearch,
): Promise<SearchResult> {
  const { filter, start, count, order = 'desc', words = '', ...others } = search
  const { most = maxSearched } = others
  const sizes = service.searchSizes
  const criteria = { ...others, words: words === '' ? undefined : parseSearchWords(words) }
  const found: Message[] = []
  let after: string | undefined
  for (let at = start; at < start + most; ) {
    const size = Math.min(at === start ? sizes.first : sizes.later, start + most - at)
    const page = { filter, start: at, count: size, order, after }
    const result = await service.search(account, page, criteria, count - found.length)
    found.push(...result.messages)
    at += result.seen
    after = result.last
    const isEnd = result.isLast === true || result.seen < size
    if (found.length === count) return { messages: found, next: at, seen: at - start }
    if (isEnd) return { messages: found, next: undefined, seen: at - start }
    await setImmediate()
  }
  return { messages: found, next: start + most, seen: most }
}

export async function* findMessageBatches(
  service: SearchService,
  account: Account,
  search: Omit<MessageSearch, 'start' | 'count' | 'most'>,
): AsyncGenerator<readonly Message[]> {
  const { filter, order = 'desc', words = '', ...others } = search
  const criteria = { ...others, words: words === '' ? undefined : parseSearchWords(words) }
  let after: string | undefined
  // New messages move the offsets of older ones, so a batch may begin with messages of the last.
  let known = new Set<string>()
  for (let start = 0; ; ) {
    const size = service.searchSizes.later
    const page = { filter, start, count: size, order, after }
    const result = await service.search(account, page, criteria, batchSize)
    const before = known
    yield result.messages.filter(each => !before.has(each.id))
    const isEnd = result.messages.length < batchSize && result.seen < size
    if (result.isLast === true || isEnd) return
    known = new Set(result.messages.map(each => each.id))
    start += result.seen
    after = result.last
    await setImmediate()
  }
}
