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
  exists (select from pg_stat_progress_create_index p where p.relid = t.oid) as is_busy
from pg_class t
left join pg_class c on c.relname = $2 and c.relnamespace = t.relnamespace
left join pg_index i on i.indexrelid = c.oid and i.indrelid = t.oid
where t.oid = to_regclass($1)`

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
      const { rows } = await client.query<{ is_valid: boolean | null; is_busy: boolean }>(
        findText,
        [index.table, index.name],
      )
      const found = rows[0]
      if (found === undefined || found.is_valid === true) break
      if (found.is_busy) await clock.sleep(pollInterval)
      // Two programs that do this at once only build it twice, where a removal could be the last.
      else if (found.is_valid === false) {
        await client.query(`reindex index concurrently ${index.name}`)
      } else await client.query(`create index concurrently if not exists ${formatIndex(index)}`)
    }
  }
}

function formatIndex({ name, table, on }: NewIndex): string {
  return `${name} on ${table} ${on}`
}
