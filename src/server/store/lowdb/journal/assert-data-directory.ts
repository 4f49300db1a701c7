import { readdir } from 'node:fs/promises'
import { RelayError } from '../../../../errors.js'

const dataFileName = /^(?:manifest\.json|(?:snapshot|journal)-\d{6,}\.ndjson)$/

/** Throws `usage` if a path is not a directory with data files. Creates nothing. */
export async function assertDataDirectory(path: string): Promise<void> {
  const names = await readdir(path).catch(cause => {
    const { code } = cause as NodeJS.ErrnoException
    const problem = problems[code ?? '']
    throw problem === undefined ? cause : notDataDirectoryError(`${path} ${problem}.`, cause)
  })
  if (names.some(name => dataFileName.test(name))) return
  throw notDataDirectoryError(`${path} is not a data directory.`)
}

const problems: Readonly<Record<string, string>> = {
  ENOENT: 'does not exist',
  ENOTDIR: 'is not a directory',
}

function notDataDirectoryError(message: string, cause?: unknown): RelayError {
  return new RelayError('usage', message, {
    hint:
      'Name the directory of `smsrelay serve` with --data: it contains manifest.json and files ' +
      'such as journal-000001.ndjson.',
    cause,
  })
}
