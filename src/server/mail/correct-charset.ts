import { isAscii, isUtf8 } from 'node:buffer'
import iconv from 'iconv-lite'
import { findContentType, replaceContentTypes } from './content-type-fields.js'

const asciiLabel = /(charset\s*=\s*"?)(?:us-ascii|ascii|ansi_x3\.4-1968|iso-ir-6)\b/i

/**
 * Corrects the charset of a mail with bytes beyond ASCII where it names none or ASCII: cron and
 * scripts send such mail. It is UTF-8, or else windows-1252. Bytes beyond ASCII in the head are
 * read in the same way (RFC 6532 has UTF-8 there).
 */
export function correctCharset(mail: Uint8Array): Uint8Array {
  if (isAscii(mail)) return mail
  if (isUtf8(mail)) {
    return replaceContentTypes(mail, field => field.replace(asciiLabel, '$1utf-8'))
  }
  // The mail parser reads ASCII as windows-1252.
  const end = findHeadEnd(mail)
  const [head, body] = [mail.subarray(0, end), mail.subarray(end)]
  const isLabelled = /charset\s*=|multipart\//i.test(findContentType(head))
  return Buffer.concat([toUtf8(head), isLabelled ? body : toUtf8(body)])
}

function findHeadEnd(mail: Uint8Array): number {
  const bytes = Buffer.from(mail.buffer, mail.byteOffset, mail.byteLength)
  const ends = ['\r\n\r\n', '\n\n'].map(each => bytes.indexOf(each)).filter(at => at !== -1)
  return ends.length === 0 ? bytes.length : Math.min(...ends)
}

function toUtf8(bytes: Uint8Array): Uint8Array {
  return isUtf8(bytes) ? bytes : Buffer.from(iconv.decode(bytes, 'windows-1252'))
}
