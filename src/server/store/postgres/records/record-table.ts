import { DatabaseError } from 'pg'
import { type ListPageQuery, parseListKey } from '../../../../domain/list-key.js'
import { KeyedQueue } from '../../../../util/async/keyed-queue.js'
import type { AuditedKind, RecordChange } from '../../audit-store.js'
import { type ChangeStatement, createChange } from '../audit/audited-statement.js'
import type { Statement } from '../connection/statement.js'
import { type RecordContext, runChange, runStatement } from './record-context.js'

/** SQLSTATE of a row with a value that another row has. */
export const uniqueViolation = '23505'

export interface RecordColumn<T> {
  readonly name: string
  readonly get: (record: T) => string | number | null | undefined
}

export interface RecordTableOptions<T> {
  readonly name: string
  readonly kind: AuditedKind
  readonly columns: readonly RecordColumn<T>[]
  readonly createTakenError?: (record: T) => Error
}

/** Before and behind every record. */
const firstPlace = { at: -1, id: '' }
const lastPlace = { at: Number.MAX_SAFE_INTEGER, id: '' }

interface StoredRecord {
  readonly id: string
  readonly createdAt?: number
}

interface RecordRow<T> {
  readonly version: number
  readonly doc: T
}

/** Decides on a record of a table: `null` removes it, the same object changes nothing. */
type DecideRecord<T> = (current: T | undefined) => T | null | undefined

/**
 * A table whose rows hold whole records of a store as JSON, with a version and the operation that
 * wrote them last.
 */
export class RecordTable<T extends StoredRecord> {
  readonly #context: RecordContext
  readonly #options: RecordTableOptions<T>
  /** Changes of one record by this process follow each other, instead of losing races. */
  readonly #queue = new KeyedQueue()
  readonly #statements: ReturnType<typeof createStatements>
  readonly #lists = new Map<string, Statement>()

  constructor(context: RecordContext, options: RecordTableOptions<T>) {
    this.#context = context
    this.#options = options
    const columns = options.columns.map(({ name }) => name)
    this.#statements = createStatements(options.name, columns)
  }

  async get(id: string): Promise<T | undefined> {
    return (await this.#read(id))?.doc
  }

  async list(condition = 'true', values: readonly unknown[] = []): Promise<T[]> {
    const { name } = this.#options
    const text = `select doc from ${name} where ${condition} order by created_at, id`
    const statement = this.#remember(text, 'list')
    const rows = await runStatement<{ doc: T }>(this.#context, statement, values)
    return rows.map(({ doc }) => doc)
  }

  async getPage(
    { count, after, order = 'asc' }: ListPageQuery,
    condition = 'true',
    values: readonly unknown[] = [],
  ): Promise<T[]> {
    const place = order === 'asc' ? firstPlace : lastPlace
    const start = (after === undefined ? undefined : parseListKey(after)) ?? place
    const keys = ['created_at', 'id']
    const page = { condition, keys, order, first: values.length + 1 }
    const text = buildPageText(this.#options.name, page)
    const statement = this.#remember(text, `page-${order}`)
    const all = [...values, start.at, start.id, count]
    return (await runStatement<{ doc: T }>(this.#context, statement, all)).map(({ doc }) => doc)
  }

  async count(condition: string, values: readonly unknown[]): Promise<number> {
    const text = `select count(*)::int as count from ${this.#options.name} where ${condition}`
    const statement = this.#remember(text, 'count')
    const [row] = await runStatement<{ count: number }>(this.#context, statement, values)
    return row?.count ?? 0
  }

  #remember(text: string, name: string): Statement {
    const statement = this.#lists.get(text) ?? { name: `${this.#options.name}-${name}`, text }
    this.#lists.set(text, statement)
    return statement
  }

  async insert(record: T): Promise<boolean> {
    const op = this.#context.createOperation()
    const createdAt = record.createdAt ?? this.#context.now()
    const values = [record.id, op, JSON.stringify(record), ...this.#getColumns(record), createdAt]
    return await this.#put(this.#statements.insert, values, [undefined, record])
  }

  async change(id: string, decide: DecideRecord<T>): Promise<T | undefined> {
    return await this.#queue.run(id, async () => await this.#change(id, decide))
  }

  async #change(id: string, decide: DecideRecord<T>): Promise<T | undefined> {
    for (;;) {
      const row = await this.#read(id)
      const decided = decide(row?.doc) ?? undefined
      if (decided === row?.doc) return decided
      if (await this.#write(id, row, decided)) return decided
    }
  }

  async #read(id: string): Promise<RecordRow<T> | undefined> {
    return (await runStatement<RecordRow<T>>(this.#context, this.#statements.read, [id]))[0]
  }

  async #write(
    id: string,
    row: RecordRow<T> | undefined,
    decided: T | undefined,
  ): Promise<boolean> {
    if (decided === undefined) return row === undefined || (await this.#delete(row))
    if (row === undefined) return await this.insert(decided)
    const op = this.#context.createOperation()
    const values = [id, op, JSON.stringify(decided), ...this.#getColumns(decided), row.version]
    return await this.#put(this.#statements.update, values, [row.doc, decided])
  }

  async #put(
    statement: ChangeStatement,
    values: readonly unknown[],
    [before, after]: readonly [T | undefined, T],
  ): Promise<boolean> {
    try {
      const changes = [this.#describe(before, after)]
      const { rows } = await runChange(this.#context, statement, values, changes)
      if (rows.length > 0) this.#context.audit?.confirm(changes)
      return rows.length > 0
    } catch (error) {
      const isTaken = error instanceof DatabaseError && error.code === uniqueViolation
      throw isTaken ? (this.#options.createTakenError?.(after) ?? error) : error
    }
  }

  #describe(before: T | undefined, after: T | undefined): RecordChange {
    return { kind: this.#options.kind, before, after } as unknown as RecordChange
  }

  async #delete({ version, doc }: RecordRow<T>): Promise<boolean> {
    const changes = [this.#describe(doc, undefined)]
    const values = [doc.id, version]
    const { rows, runs } = await runChange<{ isGone: boolean }>(
      this.#context,
      this.#statements.delete,
      values,
      changes,
    )
    // The row may be gone because the first run has deleted it.
    const isDone = rows.some(({ isGone }) => !isGone || runs > 1)
    if (isDone) this.#context.audit?.confirm(changes)
    return isDone
  }

  #getColumns(record: T): unknown[] {
    return this.#options.columns.map(column => column.get(record) ?? null)
  }
}

interface KeyedPage {
  readonly condition: string
  readonly keys: readonly string[]
  readonly order: 'asc' | 'desc'
  /**
   * Number of the first parameter: the keys of the record before the page, then the number of
   * records.
   */
  readonly first: number
}

export function buildPageText(table: string, { condition, keys, order, first }: KeyedPage): string {
  const places = keys.map((_, at) => `$${first + at}`)
  return `
    select doc from ${table}
    where ${condition} and (${keys}) ${order === 'asc' ? '>' : '<'} (${places})
    order by ${keys.map(key => `${key} ${order}`)} limit $${first + keys.length}`
}

function createStatements(name: string, columns: readonly string[]) {
  const places = columns.map((_, at) => `$${at + 4}`)
  const last = `$${columns.length + 4}`
  const sets = columns.map((column, at) => `, ${column} = ${places[at]}`).join('')
  return {
    read: { name: `${name}-read`, text: `select version, doc from ${name} where id = $1` },
    insert: createChange(
      `${name}-insert`,
      append => `
    with inserted as (
      insert into ${name} (${['id', 'op', 'doc', ...columns, 'created_at', 'version']})
      values (${['$1', '$2', '$3', ...places, last, '1']})
      on conflict (id) do nothing returning id)${append('exists (select from inserted)')}
    select id from inserted union all select id from ${name} where id = $1 and op = $2`,
    ),
    update: createChange(
      `${name}-update`,
      append => `
    with updated as (
      update ${name} set op = $2, doc = $3${sets}, version = version + 1
      where id = $1 and version = ${last} returning id)${append('exists (select from updated)')}
    select id from updated union all select id from ${name} where id = $1 and op = $2`,
    ),
    delete: createChange(
      `${name}-delete`,
      append => `
    with deleted as (delete from ${name} where id = $1 and version = $2 returning id)
      ${append('exists (select from deleted)')}
    select false as "isGone" from deleted union all
    select true where not exists (select from ${name} where id = $1)`,
    ),
  }
}
