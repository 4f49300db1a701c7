import { setImmediate } from 'node:timers/promises'
import type { Account, DoNotTextEntry } from '../../../domain/account/account.js'
import { buildListKey } from '../../../domain/list-key.js'
import { maxCounted } from '../../../domain/message/message-counts.js'
import { matchesSearch, parseSearchWords } from '../../../domain/message/search-words.js'
import { toCanonicalNumber } from '../../../domain/sms/phone-number.js'
import { formatLimitedCount } from '../../../util/text/plural.js'
import type {
  DoNotTextScope,
  DoNotTextService,
} from '../../services/messages/do-not-text-service.js'
import { isGlobalEntry } from './do-not-text-labels.js'

export interface DoNotTextListPage {
  readonly entries: readonly DoNotTextEntry[]
  /** The list key before the next page; undefined if this is the last one. */
  readonly next: string | undefined
  /** Number of entries that a search has examined for the page. */
  readonly seen: number
}

export interface DoNotTextListQuery {
  /** List key before the page; undefined for the first one. */
  readonly after: string | undefined
  /** A number, or a part of a number or note; empty: all entries. */
  readonly words: string
  readonly count: number
}

/** Entries that a search reads at once, and those that it examines for one page. */
const batchSize = 500
const searchSizes = { first: 1000, later: 20_000 }

/**
 * Loads a page of the account's own list together with that of the whole relay, newest first. A
 * whole number is found by its key; other words are searched for in a limited number of entries.
 */
export async function loadDoNotText(
  doNotText: DoNotTextService,
  account: Account,
  { after, words, count }: DoNotTextListQuery,
): Promise<DoNotTextListPage> {
  if (words === '') {
    const { entries, next } = await readEntries(doNotText, account, after, count)
    return { entries, next, seen: entries.length }
  }
  const number = after === undefined ? toCanonicalNumber(words, account.country) : undefined
  const listed = number === undefined ? [] : await doNotText.findListed(account, [number])
  if (listed.length > 0) return { entries: listed, next: undefined, seen: listed.length }
  return await searchEntries(doNotText, account, { after, words, count })
}

async function searchEntries(
  doNotText: DoNotTextService,
  account: Account,
  { after, words, count }: DoNotTextListQuery,
): Promise<DoNotTextListPage> {
  const search = parseSearchWords(words)
  const matches = (entry: DoNotTextEntry): boolean =>
    matchesSearch(search, {
      number: entry.number,
      text: isGlobalEntry(entry) ? '' : (entry.note ?? ''),
    })
  const found: DoNotTextEntry[] = []
  const most = after === undefined ? searchSizes.first : searchSizes.later
  let next = after
  for (let seen = 0; ; await setImmediate()) {
    const batch = await readEntries(doNotText, account, next, batchSize)
    found.push(...batch.entries.filter(matches))
    seen += batch.entries.length
    next = batch.next
    const entries = cutPage(found, count)
    if (entries.length < found.length) return { entries, next: getLastKey(entries), seen }
    if (next === undefined || seen >= most || found.length >= count) return { entries, next, seen }
  }
}

async function readEntries(
  doNotText: DoNotTextService,
  account: Account,
  after: string | undefined,
  count: number,
): Promise<Omit<DoNotTextListPage, 'seen'>> {
  const query = { order: 'desc', after, count: count + 1 } as const
  const lists = await Promise.all(listScopes(account).map(scope => doNotText.getPage(scope, query)))
  const all = lists.flat().sort((a, b) => (getKey(a) > getKey(b) ? -1 : 1))
  const entries = cutPage(all, count)
  return { entries, next: entries.length < all.length ? getLastKey(entries) : undefined }
}

export async function countDoNotText(
  doNotText: DoNotTextService,
  account: Account,
): Promise<string> {
  const counts = listScopes(account).map(scope => doNotText.count(scope, maxCounted + 1))
  const total = (await Promise.all(counts)).reduce((sum, count) => sum + count, 0)
  return `${formatLimitedCount(total, maxCounted)} ${total === 1 ? 'number' : 'numbers'}`
}

function listScopes({ id, country }: Account): DoNotTextScope[] {
  return [id, '*'].map(scope => ({ scope, country }))
}

function cutPage(entries: readonly DoNotTextEntry[], count: number): readonly DoNotTextEntry[] {
  const last = entries[count - 1]
  return last === undefined ? entries : entries.filter(each => getKey(each) >= getKey(last))
}

function getKey({ at, number }: DoNotTextEntry): string {
  return buildListKey(at, number)
}

function getLastKey(entries: readonly DoNotTextEntry[]): string | undefined {
  const last = entries.at(-1)
  return last && getKey(last)
}
