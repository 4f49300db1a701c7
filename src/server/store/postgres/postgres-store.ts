// The store of many nodes: records in PostgreSQL.
//
//   connection/  connections that survive kills, outages and failovers
//   schema/      the tables, and their changes from version to version
//   workers/     what the nodes share: hints about changes, leases of webhooks, periodic tasks
//
// 1. Every change is one statement, which commits by itself and is guarded by the versions of the
//    rows that the decision saw. If a guard rejects it, the store reads again and decides again.
// 2. If the outcome of a statement is unknown, the same statement runs again; it recognises its own
//    operation.
// 3. No lock is held while a node thinks, so a node that stops at any point stops nobody else.

import type { Clock } from '../../../util/async/clock.js'
import { repeat } from '../../../util/async/repeat.js'
import { createUuidGenerator } from '../../../util/crypto/uuid-v7.js'
import type { Store } from '../store.js'
import { Database } from './connection/database.js'
import { DatabaseClock } from './connection/database-clock.js'
import { type DatabaseAccess, parseDatabaseUrl } from './connection/database-url.js'
import { toStartError } from './connection/start-error.js'
import { prepareSchema } from './schema/migrate.js'
import { DatabaseNode } from './workers/database-node.js'

export interface PostgresStoreOptions {
  /** The clock of this machine. */
  readonly clock: Clock
  readonly random: () => number
  /** Time of the records in milliseconds since the epoch. @default that of the database server */
  readonly now?: () => number
  /** Whether to bring the schema to the newest version first. @default true */
  readonly migrate?: boolean | undefined
  /** Creates the identifiers of this node in the store. @default UUIDs of version 7 */
  readonly newId?: () => string
  /** Version of the program, which the store shows for this node. @default unknown */
  readonly version?: string
  /** Called with errors of the store's work in the background, which is tried again. */
  readonly onError?: (error: unknown) => void
}

export interface PostgresStore extends Store {
  /** The time of the database server, for the whole node. */
  readonly clock: Clock
}

/** Milliseconds between adjustments of the clock. */
const adjustInterval = 30_000

/** Opens the store in a database. Throws `usage` and `unavailable`. */
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
  { clock: ownClock, newId = createUuidGenerator(), version, onError }: PostgresStoreOptions,
): Promise<PostgresStore> {
  const clock = new DatabaseClock(ownClock, database.connect('other'))
  await clock.start()
  // A failure is that of an outage; the next adjustment follows.
  const adjusting = repeat(adjustInterval, async () => await clock.adjust(), {
    clock: ownClock,
    onError: () => {},
  })
  adjusting.start()
  const node = new DatabaseNode({ database, clock, newId, version, onError })
  return {
    isShared: true,
    messages: createMissingPart('messages'),
    accounts: createMissingPart('accounts'),
    tokens: createMissingPart('tokens'),
    subscriptions: createMissingPart('subscriptions'),
    events: createMissingPart('events'),
    doNotText: createMissingPart('doNotText'),
    secretUrls: createMissingPart('secretUrls'),
    mailboxes: createMissingPart('mailboxes'),
    phones: createMissingPart('phones'),
    receivedTexts: createMissingPart('receivedTexts'),
    statistics: createMissingPart('statistics'),
    limits: createMissingPart('limits'),
    deliveryLog: createMissingPart('deliveryLog'),
    workerLeases: node.workerLeases,
    watch: (listener, onGap) => node.watch(listener, onGap),
    runExclusively: async (name, work) => await node.runExclusively(name, work),
    clock,
    close: async () => {
      await adjusting.stop()
      await node.close()
      await database.close()
    },
  }
}

/** A part of the store that is not written yet. */
function createMissingPart<T extends object>(name: string): T {
  const get = (_: object, method: string | symbol): never => {
    throw new Error(`${name}.${String(method)} is missing in the PostgreSQL store.`)
  }
  return new Proxy({}, { get }) as T
}
