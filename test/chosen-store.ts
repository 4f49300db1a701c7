import { createTestDatabase } from './server/store/postgres/test-postgres.js'

/**
 * The store of relays and services in this run: a directory, or a database in the project
 * `postgres` of vitest.
 */
export const chosenStore = process.env.SMSRELAY_TEST_STORE === 'postgres' ? 'postgres' : 'lowdb'

const databases = new Map<string, Promise<string>>()

/**
 * The URL of the database that stands for a data directory: the same for every start on it. The
 * databases end with the server of the run.
 */
export async function getDatabaseOf(directory: string): Promise<string> {
  const known = databases.get(directory) ?? createTestDatabase().then(({ url }) => url)
  databases.set(directory, known)
  return await known
}
