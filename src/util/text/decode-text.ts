import { RelayError } from '../../errors.js'
import { type CharsetDecoder, createCharsetDecoder } from './charset.js'

/**
 * Decodes the bytes of any text file to text with line feeds and without a byte order mark: as
 * UTF-16 if that has a mark, or else as `encoding`, a label of the Encoding Standard. Throws
 * `invalid_parameter` for invalid bytes.
 */
export async function* decodeText(
  bytes: AsyncIterable<Uint8Array>,
  encoding = 'utf-8',
): AsyncGenerator<string> {
  let decoder: CharsetDecoder | undefined
  let pending: Uint8Array = new Uint8Array()
  let carriage = ''
  let lines = 1
  const decode = (chunk: Uint8Array, end: boolean): string => {
    decoder ??= createCharsetDecoder(detectUtf16(chunk) ?? encoding)
    const text = carriage + decodeChunk(decoder, chunk, end, lines)
    carriage = !end && text.endsWith('\r') ? '\r' : ''
    const unified = text.slice(0, text.length - carriage.length).replace(/\r\n?/g, '\n')
    lines += unified.split('\n').length - 1
    return unified
  }
  for await (const chunk of bytes) {
    pending = pending.length === 0 ? chunk : Buffer.concat([pending, chunk])
    if (pending.length < 2) continue
    const text = decode(pending, false)
    pending = new Uint8Array()
    if (text !== '') yield text
  }
  const rest = decode(pending, true)
  if (rest !== '') yield rest
}

function detectUtf16(beginning: Uint8Array): string | undefined {
  if (beginning[0] === 0xff && beginning[1] === 0xfe) return 'utf-16le'
  return beginning[0] === 0xfe && beginning[1] === 0xff ? 'utf-16be' : undefined
}

function decodeChunk(
  decoder: CharsetDecoder,
  chunk: Uint8Array,
  end: boolean,
  line: number,
): string {
  try {
    return decoder.decode(chunk, end)
  } catch (cause) {
    const name = decoder.name.toUpperCase()
    throw new RelayError(
      'invalid_parameter',
      `There are bytes that are not ${name} in or after line ${line}.`,
      {
        hint: 'Save the file as "CSV UTF-8", or name its encoding (such as windows-1252).',
        cause,
      },
    )
  }
}
