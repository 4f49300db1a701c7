import { resolve } from 'node:path'
import { RelayError } from '../../errors.js'

export interface DatabaseSettings {
  /** URL of the database, such as `postgres://user@host:5432/relay?sslmode=verify-full`. */
  readonly url: string
  /** Setting: password of the database's role, if the URL has none. */
  readonly password?: string | undefined
  /** Setting: file with passwords of databases, in the format of `~/.pgpass`. */
  readonly passwordFile?: string | undefined
  /** Whether the relay brings the tables of the database to its version. @default true */
  readonly migrate?: boolean | undefined
}

export interface StoreLocation {
  /** Setting: data directory of the relay's store; created if it is missing. */
  readonly dataDir?: string | undefined
  /** Setting: database of the relay, instead of a data directory. */
  readonly database?: DatabaseSettings | undefined
}

export function parseStoreLocation({ dataDir, database }: StoreLocation): StoreLocation {
  if (dataDir !== undefined && database !== undefined) {
    throw new RelayError('usage', 'A relay has a data directory or a database, not both.', {
      hint: 'Leave one of them out.',
    })
  }
  if (database !== undefined) return { database }
  if (dataDir !== undefined && dataDir !== '') return { dataDir: resolve(dataDir) }
  throw new RelayError('usage', 'The data directory must not be empty.')
}
