import type { StoreFailure } from '../../store.js'
import type { Connection, Statement } from '../connection/statement.js'
import { newestVersion } from './migrate.js'

interface StateRow {
  readonly read_only: boolean
  readonly version: number
  readonly oldest_program: number
}

const readState: Statement = {
  name: 'read_state',
  text: `
select pg_is_in_recovery() or current_setting('transaction_read_only')::bool as read_only,
  version, oldest_program
from schema_version where program = 'smsrelay'`,
}

/** Finds out whether the database accepts changes of this program; rejects if it is away. */
export async function findDatabaseFailure(
  connection: Connection,
): Promise<StoreFailure | undefined> {
  const [state] = await connection.query<StateRow>(readState)
  if (state === undefined) return { check: 'schema', reason: 'The database has no tables.' }
  if (state.read_only) return { check: 'store', reason: 'The database is read-only.' }
  if (state.version >= newestVersion && state.oldest_program <= newestVersion) return undefined
  const found = `The database has schema version ${state.version}`
  return { check: 'schema', reason: `${found}; this program needs ${newestVersion}.` }
}
