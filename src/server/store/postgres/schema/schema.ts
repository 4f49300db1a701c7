// The tables in the database (`tables`), and whether this program can use them.
//
// They are created in one transaction, so a failure leaves nothing. Nodes that start together on an
// empty database take turns by an advisory lock of the transaction, which also works behind a
// pooler.

import { type ClientConfig, DatabaseError } from 'pg'
import { RelayError } from '../../../../errors.js'
import type { StoreFailure } from '../../store.js'
import { type OpenClient, openClient } from '../connection/open-client.js'
import type { Connection, Statement } from '../connection/statement.js'
import { tables } from './tables.js'

export const schemaVersion = 1

const createText = `
create table schema_version (program text primary key, version int not null);
insert into schema_version values ('smsrelay', ${schemaVersion});
${tables}`

const tableNames = [...createText.matchAll(/^create(?: unlogged)? table (\w+)/gm)].map(
  ([, name]) => name,
)

/** The advisory lock of those who create the tables: "sms" and a number. */
const lockKey = 0x736d7301

/**
 * Prepares the schema for this program, and creates its tables unless `migrate` is false; returns
 * the version that it had before. Throws `usage` if this program cannot use the database, and
 * `unavailable`.
 */
export async function prepareSchema(
  config: ClientConfig,
  { migrate = true }: { readonly migrate?: boolean | undefined } = {},
): Promise<number> {
  const open = await openClient({ ...config, application_name: 'smsrelay start' })
  try {
    // Read without a lock first: most starts find nothing to do.
    const found = await readSchemaVersion(open)
    const before = found === 0 && migrate ? await createTables(open) : found
    assertVersion(before === 0 && migrate ? schemaVersion : before)
    await assertTables(open)
    await assertRights(open)
    return before
  } finally {
    await open.client.end()
  }
}

async function createTables(open: OpenClient): Promise<number> {
  const { client } = open
  try {
    // What others commit during the wait for the lock is then visible.
    await client.query('begin isolation level read committed')
    await client.query("set local lock_timeout = '60s'")
    await client.query('select pg_advisory_xact_lock($1)', [lockKey])
    const before = await readSchemaVersion(open)
    if (before === 0) await client.query(createText)
    await client.query('commit')
    return before
  } catch (error) {
    throw toCreationError(error)
  }
}

function toCreationError(error: unknown): unknown {
  const code = error instanceof DatabaseError ? error.code : undefined
  if (code === '42501') {
    return new RelayError('usage', 'The role may not create tables in the database.', {
      hint: 'Grant it CREATE on the schema, or run `smsrelay database migrate` as another role.',
      cause: error,
    })
  }
  if (code !== '55P03') return error
  return new RelayError('unavailable', 'Another program creates the tables of the database.', {
    hint: 'Try again, and end the program if it hangs.',
    cause: error,
  })
}

function assertVersion(version: number): void {
  if (version === schemaVersion) return
  const message = `The database has schema version ${version}; this program needs ${schemaVersion}.`
  throw new RelayError('usage', message, { hint: getVersionHint(version) })
}

function getVersionHint(version: number): string {
  if (version === 0) return 'Run `smsrelay database migrate`, or start without --no-migrate.'
  return (
    'Use the version of smsrelay that created the tables, or export the records with it and ' +
    'import them into an empty database.'
  )
}

interface Findings {
  readonly schema: string | null
  readonly encoding: string
  readonly server: number
  readonly read_only: boolean
  readonly has_version: boolean
  readonly tables: number
}

/** PostgreSQL 14, which every statement of the store works with. */
const oldestServer = 140_000

/** Tables of extensions do not count: they are in every new database of some providers. */
const findText = `
select current_schema() as schema, current_setting('server_encoding') as encoding,
  current_setting('server_version_num')::int as server,
  current_setting('transaction_read_only')::bool as read_only,
  coalesce(bool_or(c.relname = 'schema_version' and exists (
    select from pg_attribute a where a.attrelid = c.oid and a.attname = 'program')),
    false) as has_version,
  count(c.oid)::int as tables
from (values (1)) as one left join pg_class c
  on c.relnamespace = (select oid from pg_namespace where nspname = current_schema())
  and c.relkind in ('r', 'p') and not exists (
    select from pg_depend d
    where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')`

/**
 * Reads the version of the schema, 0 without tables. Throws `usage` if the program cannot use the
 * database: another program has tables there, or the server is too old or does not store UTF-8.
 * Throws `unavailable` if it is read-only.
 */
export async function readSchemaVersion({ client }: OpenClient): Promise<number> {
  const found = (await client.query<Findings>(findText)).rows[0]
  if (found === undefined) throw new Error('The catalog query returned no row.')
  assertUsable(found)
  if (!found.has_version) return 0
  const { rows } = await client.query<{ version: number }>(
    "select version from schema_version where program = 'smsrelay'",
  )
  if (rows[0] === undefined) throw foreignTablesError(found)
  return rows[0].version
}

const findForbiddenText = `
select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
where n.nspname = current_schema() and c.relkind in ('r', 'p') and c.relname <> 'schema_version'
  and not (has_table_privilege(c.oid, 'select') and has_table_privilege(c.oid, 'insert')
    and has_table_privilege(c.oid, 'update') and has_table_privilege(c.oid, 'delete'))
order by 1 limit 1`

async function assertRights({ client }: OpenClient): Promise<void> {
  const { rows } = await client.query<{ name: string }>(findForbiddenText)
  if (rows[0] === undefined) return
  throw new RelayError('usage', `The role may not read and change the table ${rows[0].name}.`, {
    hint: 'Grant it SELECT, INSERT, UPDATE and DELETE on all tables of the schema.',
  })
}

async function assertTables({ client }: OpenClient): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    'select name from unnest($1::text[]) as name where to_regclass(name) is null limit 1',
    [tableNames],
  )
  if (rows[0] === undefined) return
  throw new RelayError('usage', `The database has no table ${rows[0].name}.`, {
    hint: 'Restore a complete backup, or use an empty database.',
  })
}

function assertUsable(found: Findings): void {
  if (found.schema === null) {
    throw new RelayError('usage', 'The database has no schema for new tables.', {
      hint: 'Create one, such as `create schema public`, or give the role the right to use it.',
    })
  }
  if (found.server < oldestServer) {
    throw new RelayError('usage', 'The database server is older than PostgreSQL 14.', {
      hint: 'Use PostgreSQL 14 or later.',
    })
  }
  if (found.encoding !== 'UTF8') {
    throw new RelayError('usage', `The database has the encoding ${found.encoding}, not UTF8.`, {
      hint: "Create one with `create database … encoding 'UTF8' template template0`.",
    })
  }
  if (found.tables > 0 && !found.has_version) throw foreignTablesError(found)
  if (!found.read_only) return
  throw new RelayError('unavailable', 'The database is read-only.', {
    hint: 'Connect to the primary server, or switch default_transaction_read_only off.',
  })
}

function foreignTablesError({ schema }: Findings): RelayError {
  return new RelayError('usage', `The schema "${schema}" has tables of another program.`, {
    hint: 'Use an empty database, or another schema with ?options=-csearch_path%3DNAME.',
  })
}

const readState: Statement = {
  name: 'read_state',
  text: `
select pg_is_in_recovery() or current_setting('transaction_read_only')::bool as read_only, version
from schema_version where program = 'smsrelay'`,
}

/** Finds out whether the database accepts changes of this program; rejects if it is away. */
export async function findDatabaseFailure(
  connection: Connection,
): Promise<StoreFailure | undefined> {
  const [state] = await connection.query<{ read_only: boolean; version: number }>(readState)
  if (state === undefined) return { check: 'schema', reason: 'The database has no tables.' }
  if (state.read_only) return { check: 'store', reason: 'The database is read-only.' }
  if (state.version === schemaVersion) return undefined
  const found = `The database has schema version ${state.version}`
  return { check: 'schema', reason: `${found}; this program needs ${schemaVersion}.` }
}
