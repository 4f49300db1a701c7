import { readFile, stat } from 'node:fs/promises'
import { RelayError } from '../../../../errors.js'

export interface PasswordQuery {
  readonly host: string
  readonly port: number
  readonly database: string
  readonly user: string
}

/**
 * Finds the password of a database in a file in the format of `~/.pgpass`: lines of
 * `host:port:database:user:password`, where `*` matches everything and a backslash quotes a colon.
 * Undefined without a file or a matching line. Throws `usage` if others can read the file.
 */
export async function findPassword(
  path: string | undefined,
  { host, port, database, user }: PasswordQuery,
): Promise<string | undefined> {
  const text = path === undefined ? undefined : await readPrivateFile(path)
  // A socket in the directory of the server is in the file as localhost.
  const wanted = [host.startsWith('/') ? 'localhost' : host, `${port}`, database, user]
  for (const line of text?.split(/\r?\n/) ?? []) {
    const fields = splitLine(line)
    const isMatch = wanted.every((each, at) => fields[at] === '*' || fields[at] === each)
    if (!line.startsWith('#') && isMatch) return fields[wanted.length]
  }
  return undefined
}

/** The fields of a line; the last one contains all further colons. */
function splitLine(line: string): string[] {
  const match = /^((?:\\.|[^\\:])*):((?:\\.|[^\\:])*):((?:\\.|[^\\:])*):((?:\\.|[^\\:])*):(.*)$/
  return (match.exec(line)?.slice(1) ?? []).map(field => field.replace(/\\(.)/g, '$1'))
}

async function readPrivateFile(path: string): Promise<string | undefined> {
  try {
    const { mode } = await stat(path)
    if (process.platform !== 'win32' && (mode & 0o077) !== 0) throw openFileError(path)
    return await readFile(path, 'utf8')
  } catch (error) {
    if (error instanceof RelayError) throw error
    return undefined
  }
}

function openFileError(path: string): RelayError {
  return new RelayError('usage', `Other users can read the passwords in ${path}.`, {
    hint: `Run \`chmod 600 ${path}\`.`,
  })
}
