import { type DatabaseAccess, parseDatabaseUrl } from './store/postgres/connection/database-url.js'
import { type OpenClient, openClient } from './store/postgres/connection/open-client.js'
import { toStartError } from './store/postgres/connection/start-error.js'
import { prepareSchema, readSchemaVersion, schemaVersion } from './store/postgres/schema/schema.js'

export interface DatabaseMigration {
  /** The database and its server, without a password. */
  readonly database: string
  /** Version of the schema before the migration; 0 without tables. */
  readonly before: number
  readonly version: number
}

export interface DatabaseStatus {
  /** The database and its server, without a password. */
  readonly database: string
  readonly server: string
  /** Version of the schema; 0 without tables. */
  readonly version: number
  /** Version of the schema that this program needs. */
  readonly newest: number
  readonly bytes: number
  readonly connections: number
  readonly maxConnections: number
  readonly nodes: readonly { readonly id: string; readonly version: string }[]
}

/** Creates the tables in an empty database. Throws `usage` and `unavailable`. */
export async function migrateDatabase(access: DatabaseAccess): Promise<DatabaseMigration> {
  const { name, config } = await parseDatabaseUrl(access)
  try {
    const before = await prepareSchema(config)
    return { database: name, before, version: schemaVersion }
  } catch (error) {
    throw toStartError(error, name)
  }
}

/** Reads the state of a database and changes nothing. Throws `usage` and `unavailable`. */
export async function readDatabaseStatus(access: DatabaseAccess): Promise<DatabaseStatus> {
  const { name, config } = await parseDatabaseUrl(access)
  try {
    const open = await openClient({ ...config, application_name: 'smsrelay status' })
    try {
      const version = await readSchemaVersion(open)
      const nodes = version === 0 ? [] : await listNodes(open)
      return { database: name, version, newest: schemaVersion, nodes, ...(await readServer(open)) }
    } finally {
      await open.client.end()
    }
  } catch (error) {
    throw toStartError(error, name)
  }
}

async function listNodes({ client }: OpenClient): Promise<DatabaseStatus['nodes']> {
  const { rows } = await client.query<{ id: string; version: string }>(
    `select id, version from node
      where until > extract(epoch from clock_timestamp()) * 1000 order by id`,
  )
  return rows
}

type ServerFields = Pick<DatabaseStatus, 'server' | 'bytes' | 'connections' | 'maxConnections'>

async function readServer({ client }: OpenClient): Promise<ServerFields> {
  const { rows } = await client.query<ServerFields>(
    `select current_setting('server_version') as server,
      pg_database_size(current_database()) as bytes,
      current_setting('max_connections')::int as "maxConnections",
      (select count(*) from pg_stat_activity where datname = current_database()) as connections`,
  )
  return rows[0] as ServerFields
}
