import type { Clock } from '../../../../util/async/clock.js'
import type { OpenClient } from '../connection/open-client.js'
import type { NewIndex } from './migration-step.js'

/** The SQL that creates the indexes of a step that are not built yet, for a transaction. */
export function formatIndexes(indexes: readonly NewIndex[]): string {
  return indexes.map(index => `create index if not exists ${formatIndex(index)};`).join('\n')
}

/** Milliseconds between two looks at an index that another program builds. */
const pollInterval = 500

const findText = `
select i.indisvalid as is_valid,
  exists (select from pg_stat_progress_create_index p where p.relid = t.oid) as is_busy,
  array(
    select n.oid::regclass::text from pg_index l join pg_class n on n.oid = l.indexrelid
    where l.indrelid = t.oid and not l.indisvalid and n.relname ~ ('^' || $2 || '_cc(new|old)\\d*$')
  ) as remains
from pg_class t
left join pg_class c on c.relname = $2 and c.relnamespace = t.relnamespace
left join pg_index i on i.indexrelid = c.oid and i.indrelid = t.oid
where t.oid = to_regclass($1)`

interface FoundIndex {
  /** Null if there is no index. */
  readonly is_valid: boolean | null
  readonly is_busy: boolean
  /** What a second build leaves when the server ends it, because two waited for each other. */
  readonly remains: readonly string[]
}

/**
 * Builds indexes of tables that the database has, while other programs write to them. A build that
 * was interrupted leaves an index that is not valid, which is built again.
 */
export async function buildIndexes(
  { client }: OpenClient,
  indexes: readonly NewIndex[],
  clock: Pick<Clock, 'sleep'>,
): Promise<void> {
  for (const index of indexes) {
    for (;;) {
      const values = [index.table, index.name]
      const found = (await client.query<FoundIndex>(findText, values)).rows[0]
      const [remaining] = found?.remains ?? []
      if (found === undefined || (found.is_valid === true && remaining === undefined)) break
      if (found.is_busy) await clock.sleep(pollInterval)
      else if (found.is_valid === null)
        await client.query(`create index concurrently if not exists ${formatIndex(index)}`)
      // Two programs that do this at once only build it twice, where a removal could be the last.
      else if (!found.is_valid) await client.query(`reindex index concurrently ${index.name}`)
      else await client.query(`drop index concurrently if exists ${remaining}`)
    }
  }
}

function formatIndex({ name, table, on }: NewIndex): string {
  return `${name} on ${table} ${on}`
}
