import { isAscii, isUtf8 } from 'node:buffer'
import iconv from 'iconv-lite'
import PostalMime from 'postal-mime'
import { restoreWindows1252 } from '../../util/text/charset.js'
import { joinFlowed } from './flowed-text.js'
import { htmlToText } from './html-to-text.js'
import type { MailPart } from './mail-parts.js'

/** Characters of a text to read: more would take long and not change the message. */
export const maxRead = 200_000

const asciiLabel = /^(?:us-ascii|ascii|ansi_x3\.4-1968|iso-ir-6)?$/i
/** Pictures within HTML; the end of the last one can be missing. */
const dataAddress = /\bdata:[\w.+/-]{1,100}(?:;[\w.+=-]{1,100})*,[\w+/=%.~-]*/gi

interface PartText {
  readonly text: string
  readonly isPlain: boolean
}

/** Reads the text of a mail: of alternatives the plain one, else HTML converted to text. */
export async function readText(part: MailPart): Promise<string> {
  return (await readPart(part)).text
}

async function readPart(part: MailPart): Promise<PartText> {
  if (part.parts.length === 0) return await readLeaf(part)
  const read: PartText[] = []
  for (const each of part.parts) read.push(await readPart(each))
  const filled = read.filter(({ text }) => text.trim() !== '')
  const plain = filled.filter(({ isPlain }) => isPlain)
  if (part.type === 'multipart/alternative') {
    return plain[0] ?? filled[0] ?? { text: '', isPlain: true }
  }
  return {
    text: filled.map(({ text }) => text).join('\n'),
    isPlain: plain.length === filled.length,
  }
}

async function readLeaf(part: MailPart): Promise<PartText> {
  const isPlain = part.type !== 'text/html'
  const decoded = (await decode(part)).replace(/\r\n?/g, '\n')
  if (!isPlain) {
    return { text: htmlToText(decoded.replace(dataAddress, '').slice(0, maxRead)), isPlain }
  }
  if (part.parameters.get('format')?.toLowerCase() !== 'flowed') return { text: decoded, isPlain }
  const deletesSpace = part.parameters.get('delsp')?.toLowerCase() === 'yes'
  return { text: joinFlowed(decoded, deletesSpace), isPlain }
}

/**
 * Decodes the transfer encoding and the charset of a text. One beyond ASCII that names no known
 * charset, or ASCII, is UTF-8, or else windows-1252: cron and scripts send such mail.
 */
async function decode(part: MailPart): Promise<string> {
  const charset = (part.parameters.get('charset') ?? '').replace(/[^\w.:+-]/g, '')
  if (/^utf-?8$/i.test(charset)) return decodeUtf8(await decodeBytes(part))
  const isAsciiLabel = asciiLabel.test(charset)
  if (!isAsciiLabel && isStandard(charset)) return await decodeNamed(part, charset)
  const bytes = await decodeBytes(part)
  if (!isAsciiLabel && iconv.encodingExists(charset)) return iconv.decode(bytes, charset)
  if (!isAsciiLabel && isAscii(bytes)) return await decodeNamed(part, charset)
  return iconv.decode(bytes, isUtf8(bytes) ? 'utf-8' : 'windows-1252')
}

/** Text labelled UTF-8 can be windows-1252, or can have been cut within a character. */
function decodeUtf8(bytes: Buffer): string {
  const text = iconv.decode(bytes, 'utf-8')
  const isUtf8Text = !text.includes('\ufffd') || /[^\u0000-\u007f\ufffd]/.test(text)
  return isUtf8Text ? text : iconv.decode(bytes, 'windows-1252')
}

/** The parser also knows other names of charsets, such as `iso-2022-jp-1`. */
async function decodeNamed(part: MailPart, charset: string): Promise<string> {
  const { text = '' } = await parse(part, `text/plain; charset="${charset}"`)
  return restoreWindows1252(text)
}

async function decodeBytes(part: MailPart): Promise<Buffer> {
  const { attachments } = await parse(part, 'application/octet-stream')
  return Buffer.from((attachments[0]?.content ?? '') as ArrayBuffer)
}

async function parse({ encoding, body }: MailPart, type: string) {
  const head = `Content-Type: ${type}\r\nContent-Transfer-Encoding: ${encoding}\r\n\r\n`
  return await PostalMime.parse(Buffer.concat([Buffer.from(head), ...repair(encoding, body)]))
}

/** Repairs what the parser of MIME reads in another way than RFC 2045, section 6.7 and 6.8. */
function repair(encoding: string, lines: readonly Buffer[]): readonly Buffer[] {
  if (encoding.includes('quoted-printable')) return lines.map(removeTrailingSpace)
  if (!encoding.includes('base64')) return lines
  // Mailing lists and gateways write their lines below the padding.
  const padded = lines.findIndex(line => /=\s*$/.test(line.toString('latin1')))
  const foreign = lines.findIndex(
    (line, at) =>
      at > padded && padded !== -1 && /[^A-Za-z0-9+/=\s]|\S\s+\S/.test(line.toString('latin1')),
  )
  return foreign === -1 ? lines : lines.slice(0, foreign)
}

function removeTrailingSpace(line: Buffer): Buffer {
  if (line.at(-1) !== 0x0a) return line
  return Buffer.from(`${line.toString('latin1').trimEnd()}\r\n`, 'latin1')
}

function isStandard(label: string): boolean {
  try {
    return new TextDecoder(label).encoding !== ''
  } catch {
    return false
  }
}
