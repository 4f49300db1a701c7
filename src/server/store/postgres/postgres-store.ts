// The store of many nodes: records in PostgreSQL.
//
//   connection/  connections that survive kills, outages and failovers
//   schema/      the tables, and their changes from version to version
//
// 1. Every change is one statement, which commits by itself and is guarded by the versions of the
//    rows that the decision saw. If a guard rejects it, the store reads again and decides again.
// 2. If the outcome of a statement is unknown, the same statement runs again; it recognises its own
//    operation.
// 3. No lock is held while a node thinks, so a node that stops at any point stops nobody else.

import type { ClientConfig } from 'pg'
import type { Clock } from '../../../util/async/clock.js'
import type { Store } from '../store.js'
import { Database } from './connection/database.js'
import { migrateSchema } from './schema/migrate.js'

export interface PostgresStoreOptions {
  readonly clock: Clock
  readonly random: () => number
  /** Whether to bring the schema to the newest version first. @default true */
  readonly migrate?: boolean
}

/** Opens the store in a database. Throws `usage` and `unavailable`. */
export async function openPostgresStore(
  url: string,
  options: PostgresStoreOptions,
): Promise<Store> {
  const config: ClientConfig = { connectionString: url }
  if (options.migrate !== false) await migrateSchema(config, options)
  const database = new Database(config, options)
  return {
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
    deliveryLog: createMissingPart('deliveryLog'),
    workerLeases: createMissingPart('workerLeases'),
    watch: () => () => {},
    runExclusively: async (_, work) => await work(),
    close: async () => await database.close(),
  }
}

/** A part of the store that is not written yet. */
function createMissingPart<T extends object>(name: string): T {
  const get = (_: object, method: string | symbol): never => {
    throw new Error(`${name}.${String(method)} is missing in the PostgreSQL store.`)
  }
  return new Proxy({}, { get }) as T
}
