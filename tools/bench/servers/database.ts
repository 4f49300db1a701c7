import { Client } from 'pg'
import { durableSettings, readCpuTime, startPostgres } from '../../postgres/start-postgres.js'

/** A PostgreSQL for a benchmark. */
export interface BenchDatabase {
  readonly url: string
  /** Microseconds of processor time of the server and all its backends. */
  cpu(): number
  /** Runs one SQL statement in a connection of its own, to the database at `at` if it is given. */
  query(text: string, at?: string): Promise<Record<string, unknown>[]>
  /** Creates an empty database; resolves to its URL. */
  createDatabase(name: string): Promise<string>
  stop(): Promise<void>
}

/** Settings of a small server of its own; the others are PostgreSQL's defaults. */
const settings = [...durableSettings, 'shared_buffers=256MB', 'max_wal_size=2GB']

export async function startDatabase(): Promise<BenchDatabase> {
  const { url, pid, stop } = await startPostgres(settings)
  const query = async (text: string, at = url): Promise<Record<string, unknown>[]> => {
    const client = new Client({ connectionString: at })
    await client.connect()
    try {
      return (await client.query(text)).rows
    } finally {
      await client.end()
    }
  }
  return {
    url,
    cpu: () => readCpuTime(pid),
    query,
    createDatabase: async name => {
      await query(`create database ${name}`)
      return new URL(`/${name}`, url).href
    },
    stop,
  }
}
