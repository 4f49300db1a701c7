import type { Message } from '../../../../domain/message/message.js'
import {
  findFirstTime,
  isBeyond,
  type MessageCriteria,
  matchesCriteria,
} from '../../../../domain/message/message-criteria.js'
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
  toIdPrefix,
} from './message-pages.js'
import { buildFilters, formatFilters, listRowFilters, type RowFilter } from './search-filters.js'

const rowsPerStatement = 500

/**
 * Searches the messages of a page in the database until `count` are found. If the criteria have a
 * number, the page is one of the messages to it. Otherwise the database leaves out most messages
 * that do not match, and then counts the ones that it looked at, in an index.
 */
export async function searchMessages(
  connection: Connection,
  query: MessageQuery,
  criteria: MessageCriteria,
  count: number,
): Promise<FoundMessages> {
  const firstTime = findFirstTime(criteria, query.order)
  const first = firstTime === undefined ? undefined : toIdPrefix(firstTime)
  const limits = { first, number: criteria.number }
  const filters = criteria.number === undefined ? listRowFilters(criteria) : []
  const search = { connection, query, criteria, count, limits, filters }
  const isFiltered = filters.length > 0 && query.statuses.length > 0
  return await (isFiltered ? searchFiltered(search) : searchAll(search))
}

interface Search {
  readonly connection: Connection
  readonly query: MessageQuery
  readonly criteria: MessageCriteria
  readonly count: number
  readonly limits: ListLimits
  readonly filters: readonly RowFilter[]
}

/** Searches messages of which most can match: all of them are read. */
async function searchAll(search: Search): Promise<FoundMessages> {
  const { connection, query, criteria, count, limits } = search
  const messages: Message[] = []
  let seen = 0
  let after = query.after
  while (seen < query.count && messages.length < count) {
    const most = seen === 0 ? count : rowsPerStatement
    const wanted = Math.min(most, query.count - seen)
    const page = { ...query, start: query.start + seen, count: wanted, after }
    const listed = await listMessages(connection, page, limits)
    for (const message of listed) {
      if (messages.length === count) break
      if (isBeyond(criteria, message.createdAt, query.order))
        return { messages, seen, isLast: true }
      seen += 1
      after = message.id
      if (matchesCriteria(criteria, message)) messages.push(message)
    }
    if (listed.length < wanted) break
  }
  return { messages, seen, last: after }
}

async function searchFiltered(search: Search): Promise<FoundMessages> {
  const { query, criteria, count } = search
  const messages: Message[] = []
  let seen = 0
  let after = await findPlaceBefore(search)
  if (after === 'none') return { messages, seen }
  while (seen < query.count && messages.length < count) {
    const page = { ...query, start: 0, count: query.count - seen, after }
    // Of several criteria, the database may leave in messages that do not match.
    const most = search.filters.length > 1 ? rowsPerStatement : count - messages.length
    const listed = await listFiltered(search, page, most)
    let end = listed.length === most ? listed.at(-1)?.id : undefined
    for (const message of listed) {
      if (isBeyond(criteria, message.createdAt, query.order))
        return { messages, seen, isLast: true }
      if (!matchesCriteria(criteria, message)) continue
      messages.push(message)
      end = messages.length === count ? message.id : end
      if (messages.length === count) break
    }
    const measured = await measurePage(search, page, end)
    seen += measured.seen
    after = measured.last?.id ?? after
    const isLast = measured.last && isBeyond(criteria, measured.last.createdAt, query.order)
    if (isLast === true) return { messages, seen, isLast }
    if (end === undefined) break
  }
  return { messages, seen, last: after }
}

const statements = new Map<string, Statement>()

function getStatement(name: string, build: () => string): Statement {
  const known = statements.get(name)
  if (known !== undefined) return known
  const statement = { name, text: build() }
  statements.set(name, statement)
  return statement
}

async function findPlaceBefore(search: Search): Promise<string | undefined | 'none'> {
  const { connection, query, limits } = search
  if (query.after !== undefined || query.start === 0) return query.after
  const page = { ...query, start: query.start - 1, count: 1 }
  const shape = getPageShape(page, limits)
  const statement = getStatement(`find_message_place_${formatShape(shape)}`, () =>
    buildPageRows(shape, 'id'),
  )
  const values = listPageValues(page, limits)
  const [row] = await connection.query<Pick<MessageRow, 'id'>>(statement, values)
  return row?.id ?? 'none'
}

async function listFiltered(
  { connection, limits, filters }: Search,
  page: MessageQuery,
  most: number,
): Promise<Message[]> {
  const shape = getPageShape(page, limits)
  const pageValues = listPageValues(page, limits)
  const values = [...pageValues, ...filters.flatMap(filter => filter.values), most]
  const name = `search_messages_${formatShape(shape)}_${formatFilters(filters)}`
  const statement = getStatement(
    name,
    () => `
select ${messageColumns} from (${buildPageRows(shape)}) as m
where ${buildFilters(filters, pageValues.length + 1)}
order by m.id ${shape.order} limit $${values.length}`,
  )
  return (await connection.query<MessageRow>(statement, values)).map(rowToMessage)
}

type MeasuredRow = MessageRow & { readonly seen: number; readonly last: string | null }

/** Counts the messages of a page up to `end`, or all of them, and reads the last one. */
async function measurePage(
  { connection, limits }: Search,
  page: MessageQuery,
  end: string | undefined,
): Promise<{ readonly seen: number; readonly last: Message | undefined }> {
  const shape = getPageShape(page, limits)
  const values = [...listPageValues(page, limits), end ?? null]
  const parameter = `$${values.length}::text`
  const [last, before] = shape.order === 'asc' ? ['max', '<='] : ['min', '>=']
  const statement = getStatement(
    `measure_messages_${formatShape(shape)}`,
    () => `
select ${messageColumns}, measured.seen, measured.last from (
  select count(*) as seen, ${last}(id) as last from (${buildPageRows(shape, 'id')}) as page
  where ${parameter} is null or id ${before} ${parameter}
) as measured
left join message m on m.account = $1 and m.id = measured.last`,
  )
  const [row] = await connection.query<MeasuredRow>(statement, values)
  if (row === undefined || row.last === null) return { seen: 0, last: undefined }
  return { seen: row.seen, last: row.id === null ? undefined : rowToMessage(row) }
}
