// The store of many nodes: records in PostgreSQL.
//
//   connection/, schema/      connections that survive failovers; the tables
//   groups/                   concurrent requests share statements
//   audit/                     entries of the audit log in the statements of their changes
//   messages/, message-rows/  messages, claims and idempotency keys
//   events/                   events, which are recorded with what causes them
//   records/, subscriptions/  smaller records, composed by record-stores; subscriptions
//   workers/, limits/         hints, leases of webhooks, periodic tasks; what nodes count together
//
// 1. Every change is one statement, which commits by itself and is guarded by the versions of the
//    rows that the decision saw. If a guard rejects it, the store reads again and decides again.
// 2. If the outcome of a statement is unknown, the same statement runs again; it recognises its own
//    operation.
// 3. No lock is held while a node thinks, so a node that stops at any point stops nobody else.

import { randomUUID } from 'node:crypto'
import type { Clock } from '../../../util/async/clock.js'
import { repeat } from '../../../util/async/repeat.js'
import type { Metrics } from '../../../util/collections/metrics.js'
import { createUuidGenerator } from '../../../util/crypto/uuid-v7.js'
import type { Store, StoreFailure } from '../store.js'
import { Database } from './connection/database.js'
import { DatabaseClock } from './connection/database-clock.js'
import { type DatabaseAccess, parseDatabaseUrl } from './connection/database-url.js'
import { toStartError } from './connection/start-error.js'
import type { Connection, Statement } from './connection/statement.js'
import { PostgresEvents } from './events/postgres-events.js'
import { PostgresLimits } from './limits/postgres-limits.js'
import { PostgresMessages } from './messages/postgres-messages.js'
import { createRecordStores } from './record-stores.js'
import { findDatabaseFailure, prepareSchema } from './schema/schema.js'
import { DatabaseNode } from './workers/database-node.js'

export interface PostgresStoreOptions {
  readonly clock: Clock
  readonly random: () => number
  /** Time of the records in milliseconds since the epoch. @default that of the database server */
  readonly now?: () => number
  /** Whether to create the tables of an empty database first. @default true */
  readonly migrate?: boolean | undefined
  readonly newId?: () => string
  readonly version?: string
  readonly onError?: (error: unknown) => void
  readonly metrics?: Metrics
  readonly deliveryLogBytes?: number | undefined
  readonly warn?: ((sentence: string) => void) | undefined
}

export interface PostgresStore extends Store {
  /** The time of the database server, for the whole node. */
  readonly clock: Clock
}

/** Milliseconds between adjustments of the clock, for machines that were suspended. */
const adjustInterval = 5000

const readSize: Statement = {
  name: 'read_size',
  text: 'select pg_database_size(current_database()) as bytes',
}

/** What the database's autovacuum has left to do, and when it was at the messages last. */
const readVacuum: Statement = {
  name: 'read_vacuum',
  text: `
select coalesce(sum(n_dead_tup), 0)::float8 as dead,
  coalesce(max(extract(epoch from greatest(last_vacuum, last_autovacuum)))
    filter (where relname = 'message'), 0)::float8 as at
from pg_stat_user_tables where schemaname = current_schema()`,
}

export async function openPostgresStore(
  access: DatabaseAccess,
  options: PostgresStoreOptions,
): Promise<PostgresStore> {
  const target = await parseDatabaseUrl(access)
  const database = new Database(target.config, { ...options, prepare: target.prepare })
  try {
    await prepareSchema(target.config, options)
    return await composeStore(database, options)
  } catch (error) {
    await database.close()
    throw toStartError(error, target.name)
  }
}

async function composeStore(
  database: Database,
  options: PostgresStoreOptions,
): Promise<PostgresStore> {
  const { newId = createUuidGenerator(), version, onError, deliveryLogBytes, warn } = options
  const other = database.connect('other')
  addDatabaseGauges(options.metrics, database, other)
  const { clock, adjusting } = await startClock(other, options.clock)
  const node = new DatabaseNode({ database, sender: other, clock, newId, version, onError })
  const { now = clock.now } = options
  const reads = database.connect('reads')
  const times = { now, monotonic: clock.monotonic }
  const messages = createMessages(database, reads, node, times)
  const context = { database, node, messages, newId, clock: times, deliveryLogBytes, warn }
  const records = createRecordStores(context)
  records.completeRemovals()
  const limits = new PostgresLimits(database, other)
  return {
    isShared: true,
    ...records.stores,
    messages,
    events: new PostgresEvents(database, reads),
    limits,
    workerLeases: node.workerLeases,
    watch: (listener, onGap) => node.watch(listener, onGap),
    runExclusively: async (name, work) => await node.runExclusively(name, work),
    deleteExpired: async now => {
      await messages.deleteExpiredKeys(now)
      await limits.deleteExpired(now)
    },
    isAway: () => database.isAway,
    findFailure: async () => findFailureOf(database, node) ?? (await findDatabaseFailure(other)),
    clock,
    close: async () => {
      await messages.close()
      await adjusting.stop()
      await records.close()
      await node.close()
      await database.close()
    },
  }
}

function addDatabaseGauges(
  metrics: Metrics | undefined,
  database: Database,
  connection: Connection,
): void {
  metrics?.addSource(() => {
    const { open, closed } = database.countConnections()
    metrics.set('pg_connections{state="open"}', open)
    metrics.set('pg_connections{state="closed"}', closed)
  })
  metrics?.addSource(async () => {
    metrics.remove('pg_database_bytes')
    const [row] = await connection.query<{ bytes: number }>(readSize)
    if (row !== undefined) metrics.set('pg_database_bytes', row.bytes)
  })
  metrics?.addSource(async () => {
    metrics.remove('pg_dead_rows')
    metrics.remove('pg_vacuum_timestamp_seconds')
    const [row] = await connection.query<{ dead: number; at: number }>(readVacuum)
    if (row === undefined) return
    metrics.set('pg_dead_rows', row.dead)
    metrics.set('pg_vacuum_timestamp_seconds', row.at)
  })
}

function findFailureOf({ isAway }: Database, { overdue }: DatabaseNode): StoreFailure | undefined {
  if (isAway) return { check: 'store', reason: 'The database cannot be reached.' }
  return overdue > 0 ? { check: 'store', reason: formatOverdue(overdue) } : undefined
}

function formatOverdue(milliseconds: number): string {
  return `The database has taken no change for ${Math.floor(milliseconds / 1000)} s.`
}

async function startClock(connection: Connection, ownClock: Clock) {
  const clock = new DatabaseClock(ownClock, connection)
  await clock.start()
  // A failure is that of an outage; the next adjustment follows.
  const adjusting = repeat(adjustInterval, async () => await clock.adjust(), {
    clock: ownClock,
    onError: () => {},
  })
  adjusting.start()
  return { clock, adjusting }
}

function createMessages(
  database: Database,
  reads: Connection,
  node: DatabaseNode,
  times: Pick<Clock, 'now' | 'monotonic'>,
): PostgresMessages {
  const messages = new PostgresMessages({
    reads,
    connect: purpose => database.connect(purpose),
    retry: async work => await database.retry(work),
    newOp: randomUUID,
    ...times,
    notify: change => node.notify(change),
  })
  node.watch(({ account, holders, foreign }) => {
    if (foreign?.messages === true) messages.handleForeignChange(account, holders)
  })
  return messages
}
