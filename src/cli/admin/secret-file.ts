import { readFile } from 'node:fs/promises'
import { errorText, RelayError } from '../../errors.js'
import type { Io } from '../terminal/io.js'

/**
 * Reads the secret in the file that an environment variable names; undefined without the variable.
 * Throws `usage` if the file cannot be read.
 */
export async function readSecretFile(
  env: Io['env'],
  variable: string,
): Promise<string | undefined> {
  const path = env[variable]
  if (path === undefined || path === '') return undefined
  try {
    return (await readFile(path, 'utf8')).trim()
  } catch (cause) {
    throw new RelayError('usage', `${variable} cannot be read: ${path}.`, {
      hint: 'Name a file that contains the value.',
      details: [errorText(cause)],
      cause,
    })
  }
}
