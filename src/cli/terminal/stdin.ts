import { fstatSync } from 'node:fs'
import { addAbortSignal } from 'node:stream'
import { RelayError } from '../../errors.js'
import type { Input } from './io.js'

const maxBytes = 1024 * 1024

/**
 * Reads text from stdin without the one line end that a shell appends. The line ends of Windows
 * become line feeds. Throws `usage`.
 */
export async function readText(stdin: Input): Promise<string> {
  return decodeUtf8(await readBytes(stdin))
    .replaceAll('\r\n', '\n')
    .replace(/\n$/, '')
}

/** Reads at most 1 MB from stdin. Throws `usage`. */
export async function readBytes(stdin: Input): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of stdin) {
    const bytes = Buffer.from(chunk)
    size += bytes.length
    if (size > maxBytes) {
      const hint = 'Pipe a shorter text.'
      throw new RelayError('usage', 'Standard input has more than 1 MB.', { hint })
    }
    chunks.push(bytes)
  }
  return Buffer.concat(chunks)
}

function decodeUtf8(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(bytes)
  } catch (cause) {
    const hint = 'Convert it to UTF-8.'
    throw new RelayError('usage', 'Standard input is not UTF-8 text.', { hint, cause })
  }
}

export async function readPiped(
  argument: string | undefined,
  io: { readonly stdin: Input },
): Promise<string | undefined> {
  // The stream of the process opens when it is read, which takes time.
  if (argument !== undefined && argument !== '-') return argument
  const { stdin } = io
  if (argument === '-' || stdin.isTTY !== true) return await readText(stdin)
  return undefined
}

/** Bytes of the file that is stdin; 0 for a pipe or a terminal. */
export function measureInput(stdin: Input & { readonly fd?: unknown }): number {
  const { fd } = stdin
  return typeof fd === 'number' ? fstatSync(fd).size : 0
}

/**
 * Yields the bytes of each line of stdin, without its line feed. `onRead` gets the number of bytes
 * read so far. Throws after an abort.
 */
export async function* readLines(
  stdin: Input,
  signal: AbortSignal,
  onRead?: (bytes: number) => void,
): AsyncGenerator<Buffer> {
  let rest: Buffer[] = []
  let read = 0
  for await (const chunk of addAbortSignal(signal, stdin)) {
    const bytes = Buffer.from(chunk)
    read += bytes.length
    onRead?.(read)
    let from = 0
    for (let end = bytes.indexOf(10); end !== -1; end = bytes.indexOf(10, from)) {
      yield Buffer.concat([...rest, bytes.subarray(from, end)])
      rest = []
      from = end + 1
    }
    if (from < bytes.length) rest.push(bytes.subarray(from))
  }
  if (rest.length > 0) yield Buffer.concat(rest)
}
