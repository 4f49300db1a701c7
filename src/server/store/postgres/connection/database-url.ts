import { X509Certificate } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { type ConnectionOptions, createSecureContext } from 'node:tls'
import type { ClientConfig } from 'pg'
import { errorText, RelayError } from '../../../../errors.js'
import { isLoopbackHost } from '../../../../net/ip-address.js'

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
  const user = decode(url.username) || getUserName()
  const database = decode(url.pathname.slice(1)) || user
  const isSocket = host.startsWith('/')
  const sslmode = isSocket || isLoopbackHost(host) ? 'disable' : 'verify-full'
  const ssl = await readTlsOptions({ sslmode, ...query })
  const name = `${database} on ${isSocket ? host : `${host}:${port}`}`
  const given = decode(url.password) || access.password
  // A socket in the directory of the server is in the file as localhost.
  const entry = [isSocket ? 'localhost' : host, `${port}`, database, user]
  const getPassword = async () => given ?? (await findPassword(access.passwordFile, entry))
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

function getUserName(): string {
  try {
    return userInfo().username
  } catch {
    throw databaseUrlError('The database URL names no user, and this user id has no name.')
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

interface TlsParameters {
  readonly sslmode: string
  readonly sslrootcert?: string | undefined
  readonly sslcert?: string | undefined
  readonly sslkey?: string | undefined
}

/**
 * Reads the certificates that a database URL names; false without encryption, which is the default
 * only on this machine. Certificate and host
 * name of the server are checked with every mode that encrypts, except `no-verify`. Throws `usage`.
 */
async function readTlsOptions({
  sslmode,
  sslrootcert,
  sslcert,
  sslkey,
}: TlsParameters): Promise<ConnectionOptions | false> {
  if (sslmode === 'disable') return false
  if (!['no-verify', 'require', 'verify-ca', 'verify-full'].includes(sslmode)) {
    throw databaseUrlError(
      'The parameter sslmode of the database URL is unknown.',
      'Use verify-full, no-verify or disable.',
    )
  }
  return {
    ...(sslrootcert === undefined ? {} : { ca: await readAuthority(sslrootcert) }),
    ...(sslcert === undefined && sslkey === undefined ? {} : await readPair(sslcert, sslkey)),
    rejectUnauthorized: sslmode !== 'no-verify',
  }
}

async function readAuthority(path: string): Promise<string> {
  const ca = await readPemFile(path)
  try {
    new X509Certificate(ca)
    return ca
  } catch (cause) {
    throw databaseUrlError(`The file ${path} contains no certificate.`, errorText(cause))
  }
}

async function readPair(certFile = '', keyFile = ''): Promise<{ cert: string; key: string }> {
  if (certFile === '' || keyFile === '') {
    throw databaseUrlError('The database URL needs both sslcert and sslkey, or neither.')
  }
  const pair = { cert: await readPemFile(certFile), key: await readPemFile(keyFile) }
  try {
    createSecureContext(pair)
    return pair
  } catch (cause) {
    throw databaseUrlError(
      `${certFile} and ${keyFile} are not a certificate and its key, in PEM.`,
      errorText(cause),
    )
  }
}

async function readPemFile(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch (cause) {
    throw databaseUrlError(`The file ${path} of the database URL cannot be read.`, errorText(cause))
  }
}

const field = String.raw`((?:\\.|[^\\:])*):`
/** `host:port:database:user:password`; a backslash quotes a colon, except in the password. */
const passwordLine = new RegExp(`^${field.repeat(4)}(.*)$`)

/**
 * Finds the password of a database in a file in the format of `~/.pgpass`, where `*` matches
 * everything. Undefined without a file or a matching line. Throws `usage` if others can read it.
 */
async function findPassword(path: string | undefined, entry: readonly string[]) {
  if (path === undefined) return undefined
  const stats = await stat(path).catch(() => undefined)
  if (stats !== undefined && process.platform !== 'win32' && (stats.mode & 0o077) !== 0) {
    throw new RelayError('usage', `Other users can read the passwords in ${path}.`, {
      hint: `Run \`chmod 600 ${path}\`.`,
    })
  }
  for (const line of (await readFile(path, 'utf8').catch(() => '')).split(/\r?\n/)) {
    const fields = passwordLine
      .exec(line)
      ?.slice(1)
      .map(text => text.replace(/\\(.)/g, '$1'))
    if (entry.every((each, at) => fields?.[at] === '*' || fields?.[at] === each)) return fields?.[4]
  }
  return undefined
}

/** The error of a URL that does not name a database; it contains no part that can be a password. */
function databaseUrlError(
  message: string,
  hint = 'Use a URL such as postgres://user@host:5432/database.',
): RelayError {
  return new RelayError('usage', message, { hint })
}
