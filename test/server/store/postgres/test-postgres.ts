import { randomUUID } from 'node:crypto'
import { Client } from 'pg'
import { inject, onTestFinished } from 'vitest'
import { Database } from '../../../../src/server/store/postgres/connection/database.js'
import { prepareSchema } from '../../../../src/server/store/postgres/schema/schema.js'
import { createClock } from '../../../../src/util/async/clock.js'

/**
 * The URL of the PostgreSQL of this run. The first file that imports this starts it, before the
 * time of a test counts.
 */
export const serverUrl = await readServerUrl()

async function readServerUrl(): Promise<string> {
  const reply = await fetch(inject('postgresStarter'))
  const text = await reply.text()
  if (!reply.ok) throw new Error(text)
  return text
}

/** Runs statements with a client of its own on a database. */
export async function runSql<Row extends object>(url: string, text: string): Promise<Row[]> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query<Row>(text)).rows
  } finally {
    await client.end()
  }
}

/** Creates an empty database on the server of this run; the returned function drops it. */
export async function createTestDatabase(): Promise<{ url: string; drop: () => Promise<void> }> {
  return await createDatabaseOn(serverUrl)
}

/** Creates an empty database on a server; the returned function drops it. */
export async function createDatabaseOn(
  server: string,
): Promise<{ url: string; drop: () => Promise<void> }> {
  const name = `test_${randomUUID().replaceAll('-', '')}`
  await runSql(server, `create database ${name} template template0`)
  const url = new URL(server)
  url.pathname = `/${name}`
  const drop = async () => void (await runSql(server, `drop database ${name} with (force)`))
  return { url: url.href, drop }
}

/** Creates an empty database that is dropped at the end of the test, and returns its URL. */
export async function openTestDatabase(): Promise<string> {
  const { url, drop } = await createTestDatabase()
  onTestFinished(drop)
  return url
}

/** Databases with tables and no rows, which no test uses now. They end with the run. */
const unused: string[] = []

interface BorrowedDatabase {
  readonly url: string
  release(): Promise<void>
}

/**
 * Takes a database with the tables of this program and no rows. Once it is released, others get it:
 * deleting rows takes a tenth of the time of a new database.
 */
export async function takeMigratedDatabase(): Promise<BorrowedDatabase> {
  const url = unused.pop() ?? (await createMigratedDatabase())
  const release = async () => {
    await deleteRows(url)
    unused.push(url)
  }
  return { url, release }
}

/** Takes a database with tables and no rows until the end of the test, and returns its URL. */
export async function openMigratedDatabase(): Promise<string> {
  const { url, release } = await takeMigratedDatabase()
  onTestFinished(release)
  return url
}

async function createMigratedDatabase(): Promise<string> {
  const { url } = await createTestDatabase()
  await prepareSchema({ connectionString: url })
  return url
}

const deleteText = `
do $$
declare name text;
begin
  perform pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid();
  for name in select relname from pg_class
    where relnamespace = current_schema()::regnamespace and relkind = 'r'
      and relname <> all('{schema_version,subscription_bucket}') and pg_relation_size(oid) > 0
  loop
    execute format('delete from %I', name);
  end loop;
  update subscription_bucket set owner = null, epoch = 0;
end $$`

/** Makes a database as it was after its migration, and ends all connections to it. */
export async function deleteRows(url: string): Promise<void> {
  await runSql(url, deleteText)
}

/** Opens connections to a database until the end of the test. */
export function connectToDatabase(url: string): Database {
  const options = { clock: createClock(), random: () => 0.5 }
  const database = new Database({ connectionString: url }, options)
  onTestFinished(async () => await database.close())
  return database
}
