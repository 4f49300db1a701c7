import { existsSync } from 'node:fs'
import { createTestDatabase, deleteRows } from './server/store/postgres/test-postgres.js'

/**
 * The store of relays and services in this run: a directory, or a database in the project
 * `postgres` of vitest.
 */
export const chosenStore = process.env.SMSRELAY_TEST_STORE === 'postgres' ? 'postgres' : 'lowdb'

const databases = new Map<string, Promise<string>>()

/**
 * The URL of the database that stands for a data directory: the same for every start on it. After
 * the directory is removed, another one gets its database. They end with the server of the run.
 */
export async function getDatabaseOf(directory: string): Promise<string> {
  const known = databases.get(directory) ?? takeDatabase()
  databases.set(directory, known)
  return await known
}

async function takeDatabase(): Promise<string> {
  const unused = [...databases].find(([directory]) => !existsSync(directory))
  if (unused === undefined) return (await createTestDatabase()).url
  databases.delete(unused[0])
  const url = await unused[1]
  await deleteRows(url)
  return url
}
