import { createReadStream, createWriteStream } from 'node:fs'
import { access, constants, mkdtemp, realpath, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { errorText, RelayError } from '../../errors.js'
import { isMissingFile } from '../../util/files/file-error.js'
import type { Input } from './io.js'

export interface RereadableFile {
  /** Path of the command's input file; undefined for a pipe in the terminal. */
  readonly path: string | undefined
  open(): AsyncIterable<Uint8Array>
  close(): Promise<void>
}

/**
 * Opens a command's input file to read it twice. `-` is standard input; a pipe is copied to a
 * temporary file. Throws `usage`.
 */
export async function openRereadable(
  file: string,
  stdin: Input,
  signal: AbortSignal,
): Promise<RereadableFile> {
  if (file === '-') return await copyToTemporaryFile(stdin, signal)
  try {
    const found = await stat(file)
    if (found.isDirectory()) throw new Error('it is a directory')
    if (!found.isFile()) return await copyToTemporaryFile(createReadStream(file), signal)
    const path = await realpath(file)
    await access(path, constants.R_OK)
    return { path, open: () => createReadStream(path), close: async () => {} }
  } catch (cause) {
    if (signal.aborted) throw cause
    const problem = isMissingFile(cause) ? 'does not exist' : `cannot be read (${errorText(cause)})`
    const hint = 'Check the path and its permissions.'
    throw new RelayError('usage', `The file ${file} ${problem}.`, { hint, cause })
  }
}

async function copyToTemporaryFile(
  stream: AsyncIterable<Uint8Array> & NodeJS.ReadableStream,
  signal: AbortSignal,
): Promise<RereadableFile> {
  const directory = await mkdtemp(join(tmpdir(), 'smsrelay-csv-'))
  const close = async (): Promise<void> => await rm(directory, { recursive: true, force: true })
  const copy = join(directory, 'rows.csv')
  try {
    await pipeline(stream, createWriteStream(copy, { mode: 0o600 }), { signal })
  } catch (error) {
    await close()
    throw error
  }
  return { path: undefined, open: () => createReadStream(copy), close }
}
