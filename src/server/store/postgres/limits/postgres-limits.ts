// Limits in PostgreSQL: what nodes count together, such as failed sign-in attempts.
//
// 1. Requests for one row form a group, and the groups of a turn share statements.
// 2. `limit-group` decides on the requests of a group in order, on the last known image of its row.
// 3. `limit-statements` reads the rows that have no image, and writes all changed rows. A row that
//    another node changed since is left as it is; its group is read again and decides again.
// 4. A request that changes nothing is settled only on an image that was read after it came.
import { randomUUID } from 'node:crypto'
import { DatabaseError } from 'pg'
import { LruMap } from '../../../../util/collections/lru-map.js'
import type { LimitChange, LimitKind, LimitStates, LimitStore } from '../../limit-store.js'
import type { Database } from '../connection/database.js'
import type { Connection, Statement } from '../connection/statement.js'
import {
  decideGroup,
  type LimitGroup,
  type LimitImage,
  type LimitOutcome,
  type LimitRequest,
  type LimitState,
} from './limit-group.js'
import { deleteLimits, readLimits, writeLimits } from './limit-statements.js'

const maxRowsPerStatement = 500
const maxRowsPerDeletion = 10_000
const maxRecords = 100_000
const maxImages = 2000

interface DecidedGroup {
  readonly group: LimitGroup
  readonly outcome: LimitOutcome
  /** Names the change of the row, so that the same statement recognises it when it runs again. */
  readonly op: string
}

/**
 * Limits in PostgreSQL. All requests of a node for one row share its statements, so a flood of
 * requests needs few of them. A row is first changed on its last known image; the statement is
 * guarded, so an image that is out of date costs only another round.
 */
export class PostgresLimits implements LimitStore {
  readonly #database: Database
  readonly #connection: Connection
  readonly #maxRecords: number
  readonly #images = new LruMap<string, LimitImage>(maxImages, () => 1)
  readonly #waiting = new Map<string, LimitGroup>()
  #isRunning = false

  constructor(database: Database, connection: Connection, max = maxRecords) {
    this.#database = database
    this.#connection = connection
    this.#maxRecords = max
  }

  async get<K extends LimitKind>(kind: K, key: string): Promise<LimitStates[K] | undefined> {
    const decide = (state: LimitStates[K] | undefined) => state ?? null
    return (await this.#request(kind, key, { decide, until: 0, isRead: true })).after
  }

  async change<K extends LimitKind>(
    kind: K,
    key: string,
    until: number,
    decide: (state: LimitStates[K] | undefined) => LimitStates[K] | null,
  ): Promise<LimitChange<K>> {
    return await this.#request(kind, key, { decide, until, isRead: false })
  }

  async deleteExpired(now: number): Promise<void> {
    const values = [now, this.#maxRecords, maxRowsPerDeletion]
    let deleted: unknown[]
    do {
      deleted = await this.#query(deleteLimits, values)
    } while (deleted.length === maxRowsPerDeletion)
  }

  async #request<K extends LimitKind>(
    kind: K,
    key: string,
    { isRead, ...change }: LimitCall<K>,
  ): Promise<LimitChange<K>> {
    return await new Promise<LimitChange<K>>((resolve, reject) => {
      const name = toName({ kind, key })
      const image = this.#images.get(name)
      const group = this.#waiting.get(name) ?? { kind, key, requests: [], image, isFresh: false }
      group.requests.push({ ...change, resolve, reject } as unknown as LimitRequest)
      // Nothing would check an image that no request changes.
      if (isRead) group.image = undefined
      this.#waiting.set(name, group)
      if (!this.#isRunning) void this.#run()
    })
  }

  /** Serves the waiting groups, many at a time, until none waits. */
  async #run(): Promise<void> {
    this.#isRunning = true
    // The requests of one turn of the event loop share statements.
    await Promise.resolve()
    while (this.#waiting.size > 0) {
      const groups = [...this.#waiting.values()].slice(0, maxRowsPerStatement)
      for (const group of groups) this.#waiting.delete(toName(group))
      await this.#serve(groups)
    }
    this.#isRunning = false
  }

  async #serve(groups: readonly LimitGroup[]): Promise<void> {
    try {
      await this.#tryToServe(groups)
    } catch (error) {
      // One row may be the cause; the others must not fail with it.
      if (error instanceof DatabaseError && groups.length > 1) {
        for (const group of groups) await this.#serve([group])
      } else {
        for (const { requests } of groups) for (const each of requests) each.reject(error)
      }
    }
  }

  /** Settles groups, or puts them back if their images turn out to be out of date. */
  async #tryToServe(groups: readonly LimitGroup[]): Promise<void> {
    await this.#read(groups.filter(({ image }) => image === undefined))
    const changed: DecidedGroup[] = []
    for (const group of groups) {
      const outcome = decideGroup(group)
      if (outcome.isChanged) changed.push({ group, outcome, op: randomUUID() })
      else if (group.isFresh) outcome.settle()
      else this.#putBack(group)
    }
    const written = await this.#write(changed)
    for (const { group, outcome, op } of changed) {
      const name = toName(group)
      if (!written.has(name)) this.#putBack(group)
      else {
        this.#images.set(name, outcome.state === undefined ? {} : { op, state: outcome.state })
        outcome.settle()
      }
    }
  }

  #putBack(group: LimitGroup): void {
    const name = toName(group)
    this.#images.delete(name)
    const requests = [...group.requests, ...(this.#waiting.get(name)?.requests ?? [])]
    this.#waiting.set(name, { ...group, requests, image: undefined, isFresh: false })
  }

  async #read(groups: readonly LimitGroup[]): Promise<void> {
    if (groups.length === 0) return
    const values = [groups.map(({ kind }) => kind), groups.map(({ key }) => key)]
    const rows = await this.#query<LimitRow>(readLimits, values)
    const images = new Map(rows.map(row => [toName(row), { op: row.op, state: row.doc }]))
    for (const group of groups) {
      group.image = images.get(toName(group)) ?? {}
      group.isFresh = true
      this.#images.set(toName(group), group.image)
    }
  }

  /** Resolves to the names of the rows whose guards allowed the change. */
  async #write(changes: readonly DecidedGroup[]): Promise<ReadonlySet<string>> {
    if (changes.length === 0) return new Set()
    const values = [
      changes.map(({ group }) => group.kind),
      changes.map(({ group }) => group.key),
      changes.map(({ group }) => group.image?.op ?? null),
      changes.map(({ op }) => op),
      changes.map(({ outcome }) => outcome.until),
      changes.map(({ outcome: { state } }) => (state === undefined ? null : JSON.stringify(state))),
    ]
    const rows = await this.#query<Pick<LimitRow, 'kind' | 'key'>>(
      writeLimits,
      values,
      changes.length,
    )
    return new Set(rows.map(toName))
  }

  async #query<Row>(statement: Statement, values: readonly unknown[], changes = 1) {
    return await this.#database.retry(
      async () => await this.#connection.query<Row>(statement, values, changes),
    )
  }
}

interface LimitCall<K extends LimitKind> {
  readonly decide: (state: LimitStates[K] | undefined) => LimitStates[K] | null
  readonly until: number
  readonly isRead: boolean
}

interface LimitRow {
  readonly kind: LimitKind
  readonly key: string
  readonly op: string
  readonly doc: LimitState
}

function toName({ kind, key }: Pick<LimitRow, 'kind' | 'key'>): string {
  return `${kind}: ${key}`
}
