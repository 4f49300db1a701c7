// The connections of one node to the database.
// - statement: the interface that the other folders of the store use
// - pg-connection, open-client: one connection over a client of `pg`
// - outage: notices that the database cannot be reached, and when it can be reached again
// - database: opens connections, and repeats work after errors that pass
//
// 1. A statement whose connection ends has an unknown outcome. `retry` repeats the work; its
//    statements recognise what they did before.
// 2. When no connection can be opened, one task tries again every half second or sooner, and
//    statements wait for it. After 10 s of an outage they fail at once, as `unavailable`.
// 3. So do changes after 10 s in which the server was read-only, so that they do not queue.

import { type ClientConfig, DatabaseError } from 'pg'
import { RelayError } from '../../../../errors.js'
import { getBackoff } from '../../../../util/async/backoff.js'
import type { Clock } from '../../../../util/async/clock.js'
import { Metrics } from '../../../../util/collections/metrics.js'
import { CommitMetrics } from '../../commit-metrics.js'
import { openClient } from './open-client.js'
import { Outage } from './outage.js'
import { type ConnectionContext, isReadOnly, PgConnection } from './pg-connection.js'
import { type Connection, type ConnectionOptions, LostConnection } from './statement.js'

export interface DatabaseOptions {
  readonly clock: Clock
  readonly random: () => number
  /** Whether statements are prepared. @default true */
  readonly prepare?: boolean
  readonly metrics?: Metrics
}

/** Milliseconds for which work is repeated. */
const patience = 10_000
const delays = { first: 10, max: 500 }
/** Seconds after which a client tries again. */
const retryAfter = 2

/** A PostgreSQL database, through as many connections as its users ask for. */
export class Database {
  readonly #options: DatabaseOptions
  readonly #context: ConnectionContext
  readonly #connections = new Set<PgConnection>()

  constructor(config: ClientConfig, options: DatabaseOptions) {
    this.#options = options
    const { clock, prepare = true, metrics = new Metrics() } = options
    const probe = async () => {
      const { client } = await openClient(config)
      await client.end()
    }
    const outage = new Outage({ ...options, probe })
    this.#context = { config, prepare, outage, clock, commits: new CommitMetrics(metrics) }
  }

  /**
   * Creates a connection of the database, which is opened with its first statement. The server
   * lists it with its purpose, in `pg_stat_activity`.
   */
  connect(purpose: string, options: ConnectionOptions = {}): Connection {
    const connection: PgConnection = new PgConnection(this.#context, purpose, options, () => {
      this.#connections.delete(connection)
    })
    this.#connections.add(connection)
    return connection
  }

  /**
   * Repeats work on the database after lost connections and serialization failures. Throws
   * `unavailable` after 10 s, at once in a long outage and if the server lacks disk space, memory
   * or connections.
   */
  async retry<T>(work: () => Promise<T>): Promise<T> {
    const { clock } = this.#options
    const end = clock.monotonic() + patience
    let cancel = () => {}
    const expired = new Promise<never>((_, reject) => {
      cancel = clock.after(patience, () => reject(unavailableError()))
    })
    try {
      return await Promise.race([this.#repeat(work, end), expired])
    } finally {
      cancel()
    }
  }

  get isAway(): boolean {
    return this.#context.outage.isPresent
  }

  countConnections(): { readonly open: number; readonly closed: number } {
    const open = [...this.#connections].filter(({ isOpen }) => isOpen).length
    return { open, closed: this.#connections.size - open }
  }

  async close(): Promise<void> {
    await this.#context.outage.close()
    await Promise.all([...this.#connections].map(async each => await each.close()))
  }

  /** Whether all work has failed for so long as this that it need not be repeated. */
  #isHopeless(error: unknown): boolean {
    const { outage } = this.#context
    return outage.isLong || (outage.isLongReadOnly && isReadOnly((error as Error).cause))
  }

  async #repeat<T>(work: () => Promise<T>, end: number): Promise<T> {
    const { clock, random } = this.#options
    for (let failures = 1; ; failures += 1) {
      try {
        return await work()
      } catch (error) {
        if (isOutOfResources(error)) throw unavailableError(error)
        if (!isTemporary(error)) throw error
        if (this.#isHopeless(error) || clock.monotonic() >= end) throw unavailableError(error)
        await clock.sleep(getBackoff(failures, random(), delays))
      }
    }
  }
}

/** Whether the same statement can succeed: it was not done, or nobody knows whether it was. */
function isTemporary(error: unknown): boolean {
  if (error instanceof LostConnection) return true
  // Serialization failure, deadlock, and a statement that an operator canceled.
  return error instanceof DatabaseError && /^(?:40001|40P01|57014)$/.test(error.code ?? '')
}

function isOutOfResources(error: unknown): boolean {
  return error instanceof DatabaseError && /^53/.test(error.code ?? '')
}

function unavailableError(cause?: unknown): RelayError {
  return new RelayError('unavailable', 'The database is not available at present.', {
    hint: 'Try again later.',
    retryAfter,
    cause,
  })
}
