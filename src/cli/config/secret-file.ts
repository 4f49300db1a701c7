import { readFile, stat } from 'node:fs/promises'
import { errorText, RelayError } from '../../errors.js'
import { type Io, print } from '../terminal/io.js'

/**
 * Reads the secret in the file that an environment variable names; undefined without the variable.
 * A file that others can read gets a warning. Throws `usage` if the file cannot be read.
 */
export async function readSecretFile(
  io: Pick<Io, 'env' | 'stderr'>,
  variable: string,
): Promise<string | undefined> {
  const path = io.env[variable]
  if (path === undefined || path === '') return undefined
  try {
    const secret = (await readFile(path, 'utf8')).trim()
    await warnIfOpen(path, io)
    return secret
  } catch (cause) {
    throw new RelayError('usage', `${variable} cannot be read: ${path}.`, {
      hint: 'Name a file that contains the value.',
      details: [errorText(cause)],
      cause,
    })
  }
}

/** Warns of a file with a secret that others than its owner can read. */
export async function warnIfOpen(path: string, io: Pick<Io, 'env' | 'stderr'>): Promise<void> {
  if (process.platform === 'win32' || ((await stat(path)).mode & 0o077) === 0) return
  const warning = `Other users can read the secret in ${path}; run \`chmod 600 ${path}\`.`
  print(io.stderr, `smsrelay: ${warning}\n`, io.env)
}
