import { type ClientConfig, DatabaseError } from 'pg'
import { RelayError } from '../../../../errors.js'
import type { Clock } from '../../../../util/async/clock.js'
import type { CommitMetrics } from '../../commit-metrics.js'
import { type OpenClient, openClient } from './open-client.js'
import type { Outage } from './outage.js'
import {
  type Connection,
  type ConnectionOptions,
  getPreparedName,
  isWriting,
  LostConnection,
  type Statement,
} from './statement.js'

export interface ConnectionContext {
  readonly config: ClientConfig
  /** Whether statements are prepared; false behind some connection poolers. */
  prepare: boolean
  readonly outage: Outage
  readonly clock: Pick<Clock, 'after' | 'monotonic'>
  readonly commits: CommitMetrics
}

const statementTimeout = 10_000
const closeTimeout = 2000

/** A connection over one client of `pg`, which reconnects with the next statement. */
export class PgConnection implements Connection {
  readonly #context: ConnectionContext
  readonly #purpose: string
  readonly #options: ConnectionOptions
  readonly #onClosed: () => void
  #open: Promise<OpenClient> | undefined
  #isClosed = false

  constructor(
    context: ConnectionContext,
    purpose: string,
    options: ConnectionOptions,
    onClosed: () => void,
  ) {
    this.#context = context
    this.#purpose = purpose
    this.#options = options
    this.#onClosed = onClosed
  }

  get isOpen(): boolean {
    return this.#open !== undefined
  }

  async query<Row>(
    statement: Statement,
    values: readonly unknown[] = [],
    changes = 1,
  ): Promise<Row[]> {
    if (this.#isClosed) throw new RelayError('unavailable', 'The relay is stopping.')
    this.#open ??= this.#connect()
    const open = await this.#open
    const { clock, commits, outage } = this.#context
    const startedAt = clock.monotonic()
    const cancel = clock.after(this.#options.timeout ?? statementTimeout, () => {
      this.#drop(open)
      // If only this statement is slow, the outage ends with the first attempt to connect.
      outage.begin(startedAt)
    })
    try {
      const rows = await this.#run<Row>(open, statement, values)
      if (!isWriting(statement)) return rows
      outage.takeChange()
      commits.observe(clock.monotonic() - startedAt, changes)
      return rows
    } catch (error) {
      if (isReadOnly(error)) outage.refuseChange(startedAt)
      throw this.#toStatementError(open, error)
    } finally {
      cancel()
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true
    const open = await this.#open?.catch(() => undefined)
    this.#onClosed()
    if (open === undefined) return
    const cancel = this.#context.clock.after(closeTimeout, () => this.#drop(open))
    await open.client.end()
    cancel()
  }

  async #run<Row>(open: OpenClient, statement: Statement, values: readonly unknown[]) {
    const { client } = open
    const query = { text: statement.text, values: [...values] }
    if (!this.#context.prepare) return (await client.query(query)).rows as Row[]
    try {
      const { rows } = await client.query({ ...query, name: getPreparedName(statement) })
      return rows as Row[]
    } catch (error) {
      if (!isUnknownPreparedStatement(error)) throw error
      // A pooler gave this transaction to another connection of the server.
      this.#context.prepare = false
      return (await client.query(query)).rows as Row[]
    }
  }

  async #connect(): Promise<OpenClient> {
    const { outage, config, clock } = this.#context
    let startedAt = clock.monotonic()
    try {
      await outage.waitForEnd()
      startedAt = clock.monotonic()
      const open = await openClient({ ...config, application_name: `smsrelay ${this.#purpose}` })
      this.#watch(open)
      return open
    } catch (error) {
      this.#open = undefined
      if (error instanceof LostConnection) throw error
      outage.begin(startedAt)
      throw new LostConnection('The database cannot be reached.', { cause: error })
    }
  }

  #watch(open: OpenClient): void {
    const { onNotification } = this.#options
    open.client.on('error', () => this.#drop(open))
    open.client.on('end', () => this.#drop(open))
    if (onNotification === undefined) return
    open.client.on('notification', ({ channel, payload = '' }) => onNotification(channel, payload))
  }

  /** Forgets a client; its statements in progress are rejected. */
  #drop(open: OpenClient): void {
    if (open.isLost) return
    open.isLost = true
    open.socket.destroy()
    const wasOpen = this.#open !== undefined
    this.#open = undefined
    if (wasOpen && !this.#isClosed) this.#options.onLost?.()
  }

  #toStatementError(open: OpenClient, error: unknown): unknown {
    if (error instanceof DatabaseError && !isConnectionError(error)) return error
    // The error of a value that cannot be sent: the client is as good as before.
    if (!(error instanceof DatabaseError) && !open.isLost) return error
    this.#drop(open)
    return new LostConnection('The connection to the database was lost.', { cause: error })
  }
}

/** Whether a statement failed because the server became read-only, as after a failover. */
export function isReadOnly(error: unknown): boolean {
  return error instanceof DatabaseError && error.code === '25006'
}

/** Whether a pooler without support for prepared statements is between us and the server. */
function isUnknownPreparedStatement(error: unknown): boolean {
  return error instanceof DatabaseError && (error.code === '26000' || error.code === '42P05')
}

/**
 * Whether another connection can run the statement: the server ends (57P), it became read-only
 * after a failover (25006), a connection failed (08), or a table changed under a prepared
 * statement (0A000).
 */
function isConnectionError({ code = '' }: DatabaseError): boolean {
  return /^(?:08...|57P..|25006|0A000)$/.test(code)
}
