import { createReadStream } from 'node:fs'
import { access, constants } from 'node:fs/promises'
import { errorText, RelayError } from '../../errors.js'
import type { Input } from './io.js'

/**
 * A function that reads the file from its beginning; `-` is standard input, stored in memory.
 * Throws `usage` if the file cannot be read.
 */
export async function openRereadable(
  file: string,
  stdin: Input,
): Promise<() => AsyncIterable<Buffer>> {
  if (file !== '-') {
    await access(file, constants.R_OK).catch(cause => {
      throw unreadableError(file, cause)
    })
    return () => readFileChunks(file)
  }
  const chunks: Buffer[] = []
  for await (const chunk of stdin) chunks.push(Buffer.from(chunk))
  return () => replayChunks(chunks)
}

async function* readFileChunks(file: string): AsyncGenerator<Buffer> {
  try {
    for await (const chunk of createReadStream(file)) yield chunk as Buffer
  } catch (cause) {
    throw unreadableError(file, cause)
  }
}

async function* replayChunks(chunks: readonly Buffer[]): AsyncGenerator<Buffer> {
  yield* chunks
}

function unreadableError(file: string, cause: unknown): RelayError {
  const why = errorText(cause)
  return new RelayError('usage', `${file} cannot be read: ${why}.`, { cause })
}
