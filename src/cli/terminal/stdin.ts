import { RelayError } from '../../errors.js'
import type { Input } from './io.js'

const maxBytes = 1024 * 1024

/** Reads text from stdin without the one line end that a shell appends. Throws `usage`. */
export async function readText(stdin: Input): Promise<string> {
  return decodeUtf8(await readBytes(stdin)).replace(/\r?\n$/, '')
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

/**
 * A command's argument; text from stdin for `-`, and for a missing argument if stdin is not a
 * terminal.
 */
export async function readPiped(
  argument: string | undefined,
  stdin: Input,
): Promise<string | undefined> {
  if (argument !== undefined && argument !== '-') return argument
  if (argument === '-' || stdin.isTTY !== true) return await readText(stdin)
  return undefined
}

/** Parses stdin as one JSON value a line and skips empty lines. Throws `invalid_parameter`. */
export async function* readJsonLines(stdin: Input): AsyncGenerator<unknown> {
  const { createInterface } = await import('node:readline')
  let number = 0
  for await (const line of createInterface({ input: stdin, crlfDelay: Number.POSITIVE_INFINITY })) {
    number += 1
    if (line.trim() !== '') yield parseLine(line, number)
  }
}

function parseLine(line: string, number: number): unknown {
  try {
    return JSON.parse(line)
  } catch {
    const hint = 'Write one JSON value a line.'
    throw new RelayError('invalid_parameter', `Line ${number} is not JSON.`, { hint })
  }
}
