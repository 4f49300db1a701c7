import { onTestFinished } from 'vitest'
import { openPostgresStore } from '../../../../src/server/store/postgres/postgres-store.js'
import type { Store } from '../../../../src/server/store/store.js'
import { createClock } from '../../../../src/util/async/clock.js'
import { start } from '../rig.js'
import type { StoreOptions, TestDatabase } from '../suite/test-database.js'
import { openMigratedDatabase } from './test-postgres.js'

/** Opens a store on a database that is closed at the end of the test. */
export async function openStore(url: string, { now }: StoreOptions = {}): Promise<Store> {
  const options = { clock: createClock(), random: Math.random, now: now ?? (() => start) }
  const store = await openPostgresStore({ url }, options)
  onTestFinished(async () => await store.close())
  return store
}

/** A database without rows for the suite; a copy is another node on the same database. */
export async function createPostgresDatabase(): Promise<TestDatabase> {
  return createDatabaseAt(await openMigratedDatabase())
}

/** The database at a URL, for the suite. */
export function createDatabaseAt(url: string): TestDatabase {
  return {
    open: async options => await openStore(url, options),
    openCopy: async options => await openStore(url, options),
  }
}
