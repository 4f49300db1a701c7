import { readFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { boolean, string } from '@oclif/core/flags'
import { errorText, RelayError } from '../../errors.js'
import { getDefaultDataDir } from '../profile/directories.js'
import type { Io } from '../terminal/io.js'
import { containsPassword } from '../terminal/process-title.js'

type Env = Io['env']

const passwordNote =
  'The process list showed the password in --database for a moment. Use SMSRELAY_DATABASE_URL, ' +
  'SMSRELAY_DATABASE_URL_FILE, PGPASSWORD or ~/.pgpass instead.'

/** Where a command finds the relay's records: in a data directory or in a database. */
export interface Location {
  readonly dataDir?: string
  readonly database?: {
    readonly url: string
    readonly password: string | undefined
    readonly passwordFile: string
  }
}

export const dataFlag = string({
  description: 'Data directory of the relay.',
  defaultHelp: async () => 'that of `smsrelay serve`',
  env: 'SMSRELAY_DATA_DIR',
  helpValue: 'DIR',
})

export const databaseFlag = string({
  description: 'PostgreSQL database of the relay, instead of a data directory.',
  defaultHelp: async () => 'a data directory',
  env: 'SMSRELAY_DATABASE_URL',
  helpValue: 'URL',
})

export const migrateFlag = boolean({
  description: 'Bring the tables of the database to this version at the start.',
  allowNo: true,
  default: true,
  env: 'SMSRELAY_MIGRATE',
})

export interface LocationFlags {
  readonly data?: string | undefined
  readonly database?: string | undefined
}

/**
 * The location that flags and environment name. A flag wins over the environment, and in the
 * environment a database wins over a data directory. Throws `usage`.
 */
export async function readLocation(
  flags: LocationFlags,
  { env, stderr }: Pick<Io, 'env' | 'stderr'>,
): Promise<Location> {
  const isDataGiven = flags.data !== undefined && flags.data !== env.SMSRELAY_DATA_DIR
  const isDatabaseGiven =
    flags.database !== undefined && flags.database !== env.SMSRELAY_DATABASE_URL
  if (isDataGiven && isDatabaseGiven) {
    throw new RelayError('usage', 'A relay has a data directory or a database, not both.', {
      hint: 'Leave out --data or --database.',
    })
  }
  if (isDatabaseGiven && containsPassword(flags.database ?? '')) {
    stderr.write(`smsrelay: ${passwordNote}\n`)
  }
  const url = isDataGiven
    ? undefined
    : flags.database || env.SMSRELAY_DATABASE_URL || (await readUrlFile(env))
  if (url === undefined) return { dataDir: flags.data ?? getDefaultDataDir(env) }
  return {
    database: { url, password: env.PGPASSWORD || undefined, passwordFile: getPasswordFile(env) },
  }
}

async function readUrlFile({ SMSRELAY_DATABASE_URL_FILE: path }: Env): Promise<string | undefined> {
  if (path === undefined || path === '') return undefined
  try {
    return (await readFile(path, 'utf8')).trim()
  } catch (cause) {
    throw new RelayError('usage', `SMSRELAY_DATABASE_URL_FILE cannot be read: ${path}.`, {
      hint: 'Name a file that contains the URL of the database.',
      details: [errorText(cause)],
      cause,
    })
  }
}

/** The password file of all programs that use PostgreSQL. */
function getPasswordFile(env: Env): string {
  if (env.PGPASSFILE) return env.PGPASSFILE
  if (process.platform === 'win32') return join(env.APPDATA ?? homedir(), 'postgresql/pgpass.conf')
  return join(env.HOME || homedir(), '.pgpass')
}
