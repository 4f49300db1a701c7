import type { Message } from '../../../../domain/message/message.js'
import { messageFilters } from '../../../../domain/message/message-filter.js'
import type { LaterPlace, MessageQuery } from '../../message-store.js'
import type { Connection, Statement } from '../connection/statement.js'
import { type MessageRow, messageColumns, rowToMessage } from '../message-rows/message-row.js'
import type { HeldQuery } from './message-times.js'

type Order = MessageQuery['order']

const statements = new Map<string, Statement>()

const buildAfter = (order: Order) => `and id ${order === 'asc' ? '>' : '<'} $4`

export interface PageShape {
  readonly statuses: number | 'all'
  readonly order: Order
  readonly start: 'first' | 'offset' | 'after'
}

export function formatShape({ statuses, order, start }: PageShape): string {
  return [statuses, order, ...(start === 'first' ? [] : [start])].join('_')
}

/**
 * The rows of a page of messages of the database with some of the statuses. Each status has its own
 * order in the index, so the page is the beginning of the merged orders. Behind an offset, only
 * identifiers are read until the page begins; otherwise that would be the larger part of the work.
 * Parameters: account, offset, count, the identifier before the page if there is one, the statuses.
 * @param wanted the columns
 */
export function buildPageRows(
  { statuses, order, start }: PageShape,
  wanted: '*' | 'id' = '*',
): string {
  const sorted = `order by id ${order}`
  const after = start === 'after' ? buildAfter(order) : ''
  const first = start === 'after' ? 5 : 4
  const columns = start === 'offset' ? 'id' : wanted
  const parts = Array.from(
    { length: statuses === 'all' ? 1 : statuses },
    (_, at) => `(select ${columns} from message where account = $1
      ${statuses === 'all' ? '' : `and status = $${at + first}::"char"`} ${after}
      ${sorted} limit $2::bigint + $3::bigint)`,
  )
  const page = `select ${columns} from (${parts.join(' union all ')}) as every
  ${sorted} offset $2::bigint limit $3::bigint`
  if (start !== 'offset' || wanted === 'id') return page
  return `select m.* from (${page}) as page join message m on m.account = $1 and m.id = page.id`
}

function getPageStatement(shape: PageShape): Statement {
  const name = `list_messages_${formatShape(shape)}`
  const known = statements.get(name)
  if (known !== undefined) return known
  const text = `
select ${messageColumns} from (${buildPageRows(shape)}) as m
order by m.id ${shape.order}`
  const statement = { name, text }
  statements.set(name, statement)
  return statement
}

function getNumberStatement(order: Order, isContinued: boolean): Statement {
  const name = `list_messages_to_${order}${isContinued ? '_after' : ''}`
  const known = statements.get(name)
  if (known !== undefined) return known
  const [number, statuses] = isContinued ? ['$5', '$6'] : ['$4', '$5']
  const text = `
select ${messageColumns} from message m
where account = $1 and number = ${number}::text and status = any(${statuses}::"char"[])
  ${isContinued ? buildAfter(order) : ''}
order by id ${order} offset $2::bigint limit $3::bigint`
  const statement = { name, text }
  statements.set(name, statement)
  return statement
}

export interface ListLimits {
  /** What the identifiers of all messages before the list begin with, without `after`. */
  readonly first?: string | undefined
  readonly number?: string | undefined
}

export async function listMessages(
  connection: Connection,
  query: MessageQuery,
  limits: ListLimits = {},
): Promise<Message[]> {
  const { statuses, order, before } = query
  if (statuses.length === 0) return []
  if (before !== undefined) return await listBefore(connection, query, before)
  const { number } = limits
  const shape = getPageShape(query, limits)
  const values = listPageValues(query, limits)
  const statement =
    number === undefined
      ? getPageStatement(shape)
      : getNumberStatement(order, shape.start === 'after')
  const rows = await connection.query<MessageRow>(statement, values)
  return rows.map(rowToMessage)
}

/** Reads a page from its end, in the other order. */
async function listBefore(
  connection: Connection,
  { order, before: _, ...query }: MessageQuery,
  after: string,
): Promise<Message[]> {
  const reversed = { ...query, order: order === 'asc' ? 'desc' : 'asc', after } as const
  return (await listMessages(connection, reversed)).toReversed()
}

export function getPageShape(
  { statuses, order, start, after }: MessageQuery,
  { first }: ListLimits,
): PageShape {
  const isAll = statuses.length === messageFilters.all.length
  const behind = (after ?? first) !== undefined ? 'after' : start > 0 ? 'offset' : 'first'
  return { statuses: isAll ? 'all' : statuses.length, order, start: behind }
}

/** The values of the parameters of {@link buildPageRows}, or of a page of messages to a number. */
export function listPageValues(
  { account, statuses, start, count, after }: MessageQuery,
  { first, number }: ListLimits,
): unknown[] {
  const values: unknown[] = [account, after === undefined ? start : 0, count]
  if ((after ?? first) !== undefined) values.push(after ?? first)
  if (number !== undefined) values.push(number, statuses)
  else if (statuses.length !== messageFilters.all.length) values.push(...statuses)
  return values
}

/** The beginning of the identifiers of that time, which are UUIDs of version 7 (RFC 9562, 5.7). */
export function toIdPrefix(at: number): string {
  const digits = Math.max(0, Math.floor(at)).toString(16).padStart(12, '0')
  return `${digits.slice(0, 8)}-${digits.slice(8)}`
}

const listLaterRows: Statement = {
  name: 'list_later_messages',
  text: `
select ${messageColumns} from message m
where m.account = $1 and m.available_at is not null and (m.available_at, m.id) > ($2::bigint, $3)
order by m.available_at, m.id limit $4`,
}

export async function listLater(
  connection: Connection,
  account: string,
  { at, id }: LaterPlace,
  count: number,
): Promise<Message[]> {
  const rows = await connection.query<MessageRow>(listLaterRows, [account, at, id, count])
  return rows.map(rowToMessage)
}

const listHeldRows: Statement = {
  name: 'list_held_messages',
  text: `
select ${messageColumns} from message m
where m.account = $1 and m.holder = $2 and m.lease_until > $3 and m.available_at is not null
order by m.lease_until desc, m.id desc limit $4`,
}

export async function listHeld(
  connection: Connection,
  { account, holder, now }: Omit<HeldQuery, 'since'>,
  count: number,
): Promise<Message[]> {
  const values = [account, holder, now, count]
  return (await connection.query<MessageRow>(listHeldRows, values)).map(rowToMessage)
}
