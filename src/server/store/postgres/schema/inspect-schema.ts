import { RelayError } from '../../../../errors.js'
import type { OpenClient } from '../connection/open-client.js'

/** What is in the schema of the database that the program uses. */
export interface SchemaState {
  /** Version of the schema; 0 if it has no tables. */
  readonly version: number
  /** Schema version of the oldest program that works with it. */
  readonly oldestProgram: number
  readonly isEmpty: boolean
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
    select from pg_attribute a where a.attrelid = c.oid and a.attname = 'oldest_program')),
    false) as has_version,
  count(c.oid)::int as tables
from (values (1)) as one left join pg_class c
  on c.relnamespace = (select oid from pg_namespace where nspname = current_schema())
  and c.relkind in ('r', 'p') and not exists (
    select from pg_depend d
    where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')`

/**
 * Reads the state of the schema. Throws `usage` if the program cannot use the database: another
 * program has tables there, or the server is too old or does not store UTF-8. Throws `unavailable`
 * if it is read-only.
 */
export async function inspectSchema({ client }: OpenClient): Promise<SchemaState> {
  const found = (await client.query<Findings>(findText)).rows[0]
  if (found === undefined) throw new Error('The catalog query returned no row.')
  assertUsable(found)
  if (!found.has_version) return { version: 0, oldestProgram: 0, isEmpty: true }
  const { rows } = await client.query<{ version: number; oldest_program: number }>(
    "select version, oldest_program from schema_version where program = 'smsrelay'",
  )
  const row = rows[0]
  if (row === undefined) throw foreignTablesError(found)
  return { version: row.version, oldestProgram: row.oldest_program, isEmpty: false }
}

const findForbiddenText = `
select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
where n.nspname = current_schema() and c.relkind in ('r', 'p') and c.relname <> 'schema_version'
  and not (has_table_privilege(c.oid, 'select') and has_table_privilege(c.oid, 'insert')
    and has_table_privilege(c.oid, 'update') and has_table_privilege(c.oid, 'delete'))
order by 1 limit 1`

/** Throws `usage` if the role may not read and change every table. */
export async function assertRights({ client }: OpenClient): Promise<void> {
  const { rows } = await client.query<{ name: string }>(findForbiddenText)
  if (rows[0] === undefined) return
  throw new RelayError('usage', `The role may not read and change the table ${rows[0].name}.`, {
    hint: 'Grant it SELECT, INSERT, UPDATE and DELETE on all tables of the schema.',
  })
}

/** Throws `usage` if the schema does not have all these tables, which those of its version have. */
export async function assertTables(
  { client }: OpenClient,
  { version }: SchemaState,
  names: readonly string[],
): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    'select name from unnest($1::text[]) as name where to_regclass(name) is null limit 1',
    [names],
  )
  if (rows[0] === undefined) return
  throw new RelayError(
    'usage',
    `The database has schema version ${version}, but no table ${rows[0].name}.`,
    {
      hint:
        'Restore a complete backup, or export the records with the version of smsrelay that ' +
        'wrote them and import them into an empty database.',
    },
  )
}

/** Throws `usage` if this program is too old for the schema. */
export function assertSchemaIsKnown(state: SchemaState, newest: number): void {
  if (state.oldestProgram <= newest) return
  throw new RelayError(
    'usage',
    `The database has schema version ${state.version}, which needs a newer version of smsrelay.`,
    { hint: 'Update smsrelay on this machine.' },
  )
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
