import { homedir } from 'node:os'
import { join } from 'node:path'
import { RelayError } from '../../errors.js'
import { locationSettings } from '../../settings/location-settings.js'
import { becomeOwner } from '../../util/files/become-owner.js'
import { getDefaultDataDir } from '../profile/directories.js'
import { type Io, print } from '../terminal/io.js'
import { containsPassword } from '../terminal/process-title.js'
import { readSecretFile } from './secret-file.js'
import { toTextFlag } from './setting-flags.js'

type Env = Io['env']

const passwordNote =
  'The process list showed the password in --database for a moment. Use SMSRELAY_DATABASE_URL, ' +
  'SMSRELAY_DATABASE_URL_FILE, PGPASSWORD or ~/.pgpass instead.'

export interface Location {
  readonly dataDir?: string
  readonly database?: {
    readonly url: string
    readonly password: string | undefined
    readonly passwordFile: string
  }
}

export const dataFlag = toTextFlag('data', locationSettings.data)
export const databaseFlag = toTextFlag('database', locationSettings.database)

export interface LocationFlags {
  readonly data?: string | undefined
  readonly database?: string | undefined
}

/**
 * The location that flags, environment and configuration file name. A flag wins over the
 * environment, and the environment over the file. In the environment a database wins over a data
 * directory. Throws `usage`.
 */
export async function readLocation(
  flags: LocationFlags,
  io: Pick<Io, 'env' | 'stderr'>,
  fromFile: LocationFlags = {},
): Promise<Location> {
  const { env, stderr } = io
  const isDataGiven = flags.data !== undefined && flags.data !== env.SMSRELAY_DATA_DIR
  const isDatabaseGiven =
    flags.database !== undefined && flags.database !== env.SMSRELAY_DATABASE_URL
  if (isDataGiven && isDatabaseGiven) {
    throw new RelayError('usage', 'A relay has a data directory or a database, not both.', {
      hint: 'Leave out --data or --database.',
    })
  }
  if (isDatabaseGiven && containsPassword(flags.database ?? '')) {
    print(stderr, `smsrelay: ${passwordNote}\n`, env)
  }
  const url = isDataGiven
    ? undefined
    : flags.database ||
      env.SMSRELAY_DATABASE_URL ||
      (await readSecretFile(io, 'SMSRELAY_DATABASE_URL_FILE')) ||
      fromFile.database
  if (url === undefined) {
    return { dataDir: becomeOwner(flags.data ?? fromFile.data ?? getDefaultDataDir(env)) }
  }
  return {
    database: { url, password: env.PGPASSWORD || undefined, passwordFile: getPasswordFile(env) },
  }
}

function getPasswordFile(env: Env): string {
  if (env.PGPASSFILE) return env.PGPASSFILE
  if (process.platform === 'win32') return join(env.APPDATA || homedir(), 'postgresql/pgpass.conf')
  return join(env.HOME || homedir(), '.pgpass')
}
