import type { Message } from '../../../../domain/message/message.js'
import {
  findFirstTime,
  isBeyond,
  type MessageCriteria,
  matchesCriteria,
} from '../../../../domain/message/message-criteria.js'
import type { SearchWords } from '../../../../domain/message/search-words.js'
import type { FoundMessages, MessageQuery } from '../../message-store.js'
import type { Connection, Statement } from '../connection/statement.js'
import { type MessageRow, messageColumns, rowToMessage } from '../message-rows/message-row.js'
import {
  buildPageRows,
  formatShape,
  getPageShape,
  type ListLimits,
  listMessages,
  listPageValues,
  type PageShape,
  toIdPrefix,
} from './message-pages.js'

/** Messages of a search in one statement without words, whose rows all come here. */
const searchPage = 500

/**
 * Searches the messages of a page in the database, in parts, until `count` are found. If the
 * criteria have a number, the page is one of the messages to it.
 */
export async function searchMessages(
  connection: Connection,
  query: MessageQuery,
  criteria: MessageCriteria,
  count: number,
): Promise<FoundMessages> {
  const messages: Message[] = []
  let seen = 0
  let last = query.after
  const firstTime = findFirstTime(criteria, query.order)
  const first = firstTime === undefined ? undefined : toIdPrefix(firstTime)
  const { number, words } = criteria
  const filter = number === undefined && words !== undefined ? toRowFilter(words) : undefined
  const most = filter === undefined ? searchPage : query.count
  while (seen < query.count && messages.length < count) {
    const wanted = Math.min(most, query.count - seen)
    const page = { ...query, start: query.start + seen, count: wanted, after: last }
    const rows = await readPage(connection, page, { first, number }, filter)
    const before = seen
    for (const { message, place } of rows) {
      if (messages.length === count) break
      if (isBeyond(criteria, message.createdAt, query.order))
        return { messages, seen, isLast: true }
      seen = before + place
      last = message.id
      if (matchesCriteria(criteria, message)) messages.push(message)
    }
    if ((rows.at(-1)?.place ?? 0) < wanted) break
  }
  return { messages, seen, last }
}

/** A message of a page, and its number in the page, from 1. */
interface PlacedMessage {
  readonly message: Message
  readonly place: number
}

/** Reads the messages of a page that can match, and the last one. */
async function readPage(
  connection: Connection,
  query: MessageQuery,
  limits: ListLimits,
  filter: RowFilter | undefined,
): Promise<PlacedMessage[]> {
  if (filter === undefined || query.statuses.length === 0) {
    const listed = await listMessages(connection, query, limits)
    return listed.map((message, at) => ({ message, place: at + 1 }))
  }
  const values = [...listPageValues(query, limits), filter.part, filter.digits, filter.others]
  const isCased = /[a-z]/.test(filter.part)
  const statement = getFilteredStatement(getPageShape(query, limits), isCased, values.length)
  const rows = await connection.query<MessageRow & { readonly place: number }>(statement, values)
  return rows.map(row => ({ message: rowToMessage(row), place: row.place }))
}

/** What the rows of messages that can match have; the store still checks each of them. */
interface RowFilter {
  /** Part of the document, with its letters from A to Z in lower case. */
  readonly part: string
  /** Digits of the number; null: no number can match. */
  readonly digits: string | null
  /** Letters beyond ASCII that have letters from A to Z in lower case. */
  readonly others: readonly string[]
}

/** Kelvin sign and I with a dot: Unicode's lower case of them begins with an ASCII letter. */
const otherLetters = [
  ['k', '\u{212a}'],
  ['i', '\u{130}'],
] as const

/**
 * The filter of rows for words; undefined if the database cannot tell. It compares the longest part
 * that JSON and each collation leave as it is: letters beyond ASCII have no lower case there.
 */
function toRowFilter({ part, digits }: SearchWords): RowFilter | undefined {
  const plain = part.match(/[ !#-[\]-~]+/g) ?? []
  const [longest] = plain.sort((a, b) => b.length - a.length)
  if (longest === undefined) return undefined
  const others = otherLetters.filter(([letter]) => longest.includes(letter))
  return { part: longest, digits: digits ?? null, others: others.map(([, other]) => other) }
}

const statements = new Map<string, Statement>()

/** @param last number of the last parameter of the statement; the last three are the filter */
function getFilteredStatement(shape: PageShape, isCased: boolean, last: number): Statement {
  const name = `search_messages_${formatShape(shape)}${isCased ? '_cased' : ''}`
  const known = statements.get(name)
  if (known !== undefined) return known
  const [part, digits, others] = [last - 2, last - 1, last].map(number => `$${number}`)
  const plain = 'm.doc::text collate "C"'
  // The lower case takes five times as long as the comparison.
  const text = `
select ${messageColumns}, m.place
from (
  select *, row_number() over (order by id ${shape.order}) as place, count(*) over () as total
  from (${buildPageRows(shape)}) as page
) as m
where strpos(${isCased ? `lower(${plain})` : plain}, ${part}::text) > 0
  or strpos(m.number, ${digits}::text) > 0
  or exists (select from unnest(${others}::text[]) as other where strpos(${plain}, other) > 0)
  or m.place = m.total
order by m.place`
  const statement = { name, text }
  statements.set(name, statement)
  return statement
}
