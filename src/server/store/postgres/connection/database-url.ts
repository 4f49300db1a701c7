import { userInfo } from 'node:os'
import type { ClientConfig } from 'pg'
import { RelayError } from '../../../../errors.js'
import { readTlsOptions } from './database-tls.js'
import { databaseUrlError } from './database-url-error.js'
import { findPassword } from './password-file.js'

export interface DatabaseAccess {
  readonly url: string
  readonly password?: string | undefined
  readonly passwordFile?: string | undefined
}

export interface DatabaseTarget {
  readonly config: ClientConfig
  readonly prepare: boolean
  /** The database and its server for people, without a password. */
  readonly name: string
}

const parameters = ['host', 'options', 'prepare', 'sslcert', 'sslkey', 'sslmode', 'sslrootcert']

/**
 * Checks the URL of a database and reads the certificates that it names. Throws `usage`. Errors
 * contain no part of the URL that can be a password.
 */
export async function parseDatabaseUrl(access: DatabaseAccess): Promise<DatabaseTarget> {
  const url = URL.canParse(access.url) ? new URL(access.url) : undefined
  if (url === undefined || !/^postgres(?:ql)?:$/.test(url.protocol) || url.hash !== '') {
    throw databaseUrlError('The database URL is malformed.')
  }
  const query = readParameters(url)
  const host = (query.host ?? (decode(url.hostname) || 'localhost')).replace(/^\[(.*)\]$/, '$1')
  const port = url.port === '' ? 5432 : Number(url.port)
  const user = decode(url.username) || userInfo().username
  const database = decode(url.pathname.slice(1)) || user
  const isSocket = host.startsWith('/')
  const name = `${database} on ${isSocket ? host : `${host}:${port}`}`
  const given = decode(url.password) || access.password
  const ssl = await readTlsOptions(query)
  const getPassword = async () =>
    given ?? (await findPassword(access.passwordFile, { host, port, database, user }))
  return {
    name,
    prepare: readPrepare(query.prepare),
    config: {
      host,
      port,
      user,
      database,
      password: async () => (await getPassword()) ?? throwMissingPassword(user, name),
      ssl: isSocket ? false : ssl,
      ...(query.options === undefined ? {} : { options: query.options }),
    },
  }
}

function readParameters(url: URL): Partial<Record<string, string>> {
  for (const name of url.searchParams.keys()) {
    if (parameters.includes(name)) continue
    throw databaseUrlError(
      `The database URL has the unknown parameter "${name.slice(0, 40)}".`,
      `Use only ${parameters.join(', ')}.`,
    )
  }
  return Object.fromEntries(url.searchParams)
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw databaseUrlError('The database URL has an invalid percent-encoding.')
  }
}

function readPrepare(text = 'true'): boolean {
  if (text === 'true' || text === 'false') return text === 'true'
  throw databaseUrlError('The parameter prepare of the database URL must be true or false.')
}

function throwMissingPassword(user: string, name: string): never {
  throw new RelayError('usage', `The database ${name} needs a password for the role ${user}.`, {
    hint: 'Set PGPASSWORD, or add a line to ~/.pgpass, which only you can read.',
  })
}
