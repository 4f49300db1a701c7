import type { ClientConfig } from 'pg'
import type { Clock } from '../../../../util/async/clock.js'
import { repeat } from '../../../../util/async/repeat.js'
import { type OpenClient, openClient } from '../connection/open-client.js'

/** A step of a migration that runs, and the index that the server builds for it. */
export interface MigrationProgress {
  readonly version: number
  /** The change of the step in one sentence. */
  readonly summary: string
  /** Without it, the server tells nothing about the statement that runs. */
  readonly index?: IndexProgress
}

/** The server builds an index in two phases: it reads the table, then it writes the index. */
export interface IndexProgress {
  readonly phase: 'read' | 'write'
  readonly table: string
  /** Bytes of the table that are read, or rows of the index that are written. */
  readonly finished: number
  readonly total: number
}

export type OnMigrationProgress = (progress: MigrationProgress) => void

export interface WatchOptions {
  readonly config: ClientConfig
  readonly clock: Pick<Clock, 'after'>
  readonly onIndex: (index: IndexProgress) => void
}

/** Milliseconds between two questions to the server. */
const pollInterval = 500

// Between the two phases the server sorts, without numbers.
const readIndexText = `
select relid::regclass::text as table,
  case when tuples_total > 0 then 'write' else 'read' end as phase,
  case when tuples_total > 0 then tuples_done
    else blocks_done * current_setting('block_size')::int8 end as finished,
  case when tuples_total > 0 then tuples_total
    else blocks_total * current_setting('block_size')::int8 end as total
from pg_stat_progress_create_index
where pid = $1 and tuples_total + blocks_total > 0`

/**
 * Runs work on a client and meanwhile asks the server, over another connection, how far it is with
 * an index. The work goes on without such a connection.
 */
export async function watchIndexes<T>(
  { client }: OpenClient,
  { config, clock, onIndex }: WatchOptions,
  work: () => Promise<T>,
): Promise<T> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  const observer = await openObserver(config)
  if (observer === undefined) return await work()
  const poll = async (): Promise<void> => {
    const { rows: indexes } = await observer.client.query<IndexProgress>(readIndexText, [
      rows[0]?.pid,
    ])
    if (indexes[0] !== undefined) onIndex(indexes[0])
  }
  const polling = repeat(pollInterval, poll, { clock, onError: () => undefined })
  polling.start()
  try {
    return await work()
  } finally {
    await polling.stop()
    await observer.client.end()
  }
}

/** A role can have all the connections that it may have; the migration needs only one. */
async function openObserver(config: ClientConfig): Promise<OpenClient | undefined> {
  try {
    return await openClient({ ...config, application_name: 'smsrelay progress' })
  } catch {
    return undefined
  }
}
