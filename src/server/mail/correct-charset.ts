import { isAscii, isUtf8 } from 'node:buffer'
import iconv from 'iconv-lite'

const contentType = /^content-type:.*(?:\r?\n[ \t].*)*/im
const asciiLabel = /(charset\s*=\s*"?)(?:us-ascii|ascii|ansi_x3\.4-1968|iso-ir-6)\b/i

/**
 * Corrects the charset of a mail with bytes beyond ASCII where it names none or ASCII: cron and
 * scripts send such mail. It is UTF-8, or else windows-1252. Bytes beyond ASCII in the head are
 * read in the same way (RFC 6532 has UTF-8 there).
 */
export function correctCharset(mail: Uint8Array): Uint8Array {
  if (isAscii(mail)) return mail
  const end = findHeadEnd(mail)
  const head = toUtf8(mail.subarray(0, end)).toString('latin1')
  const body = mail.subarray(end)
  const [type] = contentType.exec(head) ?? []
  const isLabelled = type !== undefined && /charset\s*=|multipart\//i.test(type)
  if (type !== undefined && asciiLabel.test(type)) {
    const corrected = head.replace(type, () => type.replace(asciiLabel, '$1utf-8'))
    return Buffer.concat([Buffer.from(corrected, 'latin1'), toUtf8(body)])
  }
  return Buffer.concat([Buffer.from(head, 'latin1'), isLabelled ? body : toUtf8(body)])
}

function findHeadEnd(mail: Uint8Array): number {
  const bytes = Buffer.from(mail.buffer, mail.byteOffset, mail.byteLength)
  const ends = ['\r\n\r\n', '\n\n'].map(each => bytes.indexOf(each)).filter(at => at !== -1)
  return ends.length === 0 ? bytes.length : Math.min(...ends)
}

function toUtf8(bytes: Uint8Array): Buffer {
  if (!isUtf8(bytes)) return Buffer.from(iconv.decode(bytes, 'windows-1252'))
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}
