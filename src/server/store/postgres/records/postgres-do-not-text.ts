import type { DoNotTextEntry } from '../../../../domain/account/account.js'
import { buildListKey, type ListPageQuery } from '../../../../domain/list-key.js'
import type { RecordChange } from '../../audit-store.js'
import type { AddedEntry, DoNotTextStore } from '../../do-not-text-store.js'
import { createChange } from '../audit/audited-statement.js'
import type { Statement } from '../connection/statement.js'
import { buildEventAppend } from '../events/append-events.js'
import { toEventCode } from '../events/event-code.js'
import { notifyOf, type RecordContext, runChange, runStatement } from './record-context.js'
import { buildPageText } from './record-table.js'

interface AddedRow {
  readonly doc: DoNotTextEntry | null
  readonly isNew: boolean
}

const readPage = { asc: createPageStatement('asc'), desc: createPageStatement('desc') }

/** Before and behind every list key, which begins with a digit. */
const endKeys = { asc: '', desc: '~' }

const countEntries: Statement = {
  name: 'do-not-text-count',
  text: `
    select count(*)::int as count
    from (select from do_not_text where scope = $1 limit $2) as counted`,
}

const findNumbers: Statement = {
  name: 'do-not-text-find',
  text: 'select doc from do_not_text where scope = $1 and number = any($2::text[])',
}

/**
 * The list of the whole relay belongs to no account and has no events. An entry is new if this
 * statement adds it, or an earlier run of the same operation did.
 */
const addEntries = createChange(
  'do-not-text-add',
  append => `
    with entry as (
      select * from unnest($3::text[], $4::text[], $5::text[], $6::text[]) with ordinality
        as entry (scope, number, list_key, doc, place)),
    added as (
      insert into do_not_text (scope, number, list_key, op, doc)
      select scope, number, list_key, $1, doc::json from entry order by scope, number
      on conflict do nothing returning scope, number),
    ${buildEventAppend(
      `select scope as account, number as object, ${toEventCode('number.blocked')} as name, place
      from entry join added using (scope, number) where scope <> '*'`,
      '$2::bigint',
    )}${append('exists (select from added)')}
    select listed.doc, added.scope is not null or coalesce(listed.op = $1, false) as "isNew"
    from entry left join added using (scope, number)
      left join do_not_text listed using (scope, number)
    order by place`,
)

const removeEntry = createChange(
  'do-not-text-remove',
  append => `
    with removed as (
      delete from do_not_text where scope = $1 and number = $2 returning scope, number),
    ${buildEventAppend(
      `select scope as account, number as object, ${toEventCode('number.unblocked')} as name,
        1 as place from removed where scope <> '*'`,
      '$3::bigint',
    )}${append('exists (select from removed)')}
    select 1 from removed`,
)

/** The Do Not Text lists in PostgreSQL. The statements that claim messages check them, too. */
export class PostgresDoNotText implements DoNotTextStore {
  readonly #context: RecordContext

  constructor(context: RecordContext) {
    this.#context = context
  }

  async getPage(
    scope: string,
    { count, after, order = 'asc' }: ListPageQuery,
  ): Promise<DoNotTextEntry[]> {
    return await this.#read(readPage[order], [scope, after ?? endKeys[order], count])
  }

  async count(scope: string, most: number): Promise<number> {
    const values = [scope, most]
    const [row] = await runStatement<{ count: number }>(this.#context, countEntries, values)
    return row?.count ?? 0
  }

  async findListed(scope: string, numbers: readonly string[]): Promise<DoNotTextEntry[]> {
    const found = await this.#read(findNumbers, [scope, numbers])
    const byNumber = new Map(found.map(entry => [entry.number, entry]))
    return numbers.map(number => byNumber.get(number)).filter(entry => entry !== undefined)
  }

  async add(entries: readonly DoNotTextEntry[], now: number): Promise<AddedEntry[]> {
    const values = [
      this.#context.createOperation(),
      now,
      entries.map(({ scope }) => scope),
      entries.map(({ number }) => number),
      entries.map(({ at, number }) => buildListKey(at, number)),
      entries.map(entry => JSON.stringify(entry)),
    ]
    const changes = await this.#findNew(entries)
    const { rows } = await runChange<AddedRow>(this.#context, addEntries, values, changes)
    const added = entries.filter((_, at) => rows[at]?.isNew)
    this.#context.audit?.confirm(added.map(toAddition))
    this.#notifyAdded(added)
    return entries.map((entry, at) => ({
      entry: rows[at]?.doc ?? entry,
      isNew: rows[at]?.isNew === true,
    }))
  }

  async remove(scope: string, number: string, now: number): Promise<DoNotTextEntry | undefined> {
    const [entry] = await this.findListed(scope, [number])
    if (entry === undefined) return undefined
    const changes = [{ kind: 'do_not_text', before: entry, after: undefined }] as const
    const values = [scope, number, now]
    const { rows, runs } = await runChange(this.#context, removeEntry, values, changes)
    // After a lost reply the entry may be gone because the first run has removed it.
    if (rows.length === 0 && runs === 1) return undefined
    this.#context.audit?.confirm(changes)
    if (scope !== '*') notifyOf(this.#context, scope, { events: ['number.unblocked'] })
    return entry
  }

  async #findNew(entries: readonly DoNotTextEntry[]): Promise<RecordChange[]> {
    const scope = entries[0]?.scope
    if (this.#context.audit === undefined || scope === undefined) return []
    const numbers = entries.map(({ number }) => number)
    const known = new Set((await this.findListed(scope, numbers)).map(({ number }) => number))
    return entries.filter(({ number }) => !known.has(number)).map(toAddition)
  }

  #notifyAdded(added: readonly DoNotTextEntry[]): void {
    const accounts = new Set(added.map(({ scope }) => scope).filter(scope => scope !== '*'))
    for (const account of accounts) notifyOf(this.#context, account, { events: ['number.blocked'] })
  }

  async #read(statement: Statement, values: readonly unknown[]): Promise<DoNotTextEntry[]> {
    const rows = await runStatement<{ doc: DoNotTextEntry }>(this.#context, statement, values)
    return rows.map(({ doc }) => doc)
  }
}

function createPageStatement(order: 'asc' | 'desc'): Statement {
  const page = { condition: 'scope = $1', keys: ['list_key'], order, first: 2 }
  return { name: `do-not-text-page-${order}`, text: buildPageText('do_not_text', page) }
}

function toAddition(after: DoNotTextEntry): RecordChange {
  return { kind: 'do_not_text', before: undefined, after }
}
