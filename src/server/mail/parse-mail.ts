import PostalMime, { addressParser, type Email } from 'postal-mime'
import { hashText } from '../../util/crypto/secrets.js'
import { restoreWindows1252 } from '../../util/text/charset.js'
import { correctCharset } from './correct-charset.js'
import { hideFlowedFormat } from './flowed-text.js'
import { SmtpRejection } from './smtp-reply.js'

export interface Mail {
  readonly from: readonly string[]
  readonly subject: string
  readonly plain: string
  readonly html: string
  /** Identifies the mail also when it is sent again; undefined without a Message-ID or a Date. */
  readonly identity: string | undefined
  header(name: string): string | undefined
}

const lineFeed = 0x0a
/**
 * Lines of a mail to parse: the parser's cost is per line, and a message needs only the first few.
 */
const maxLines = 16_384

const parserLimits = {
  maxNestingDepth: 32,
  maxHeadersSize: 64 * 1024,
  maxRfc822NestingDepth: 0,
  forceRfc822Attachments: true,
}

/**
 * Parses a mail (RFC 5322, MIME). Throws {@link SmtpRejection} for an invalid one. The parser
 * decodes with TextDecoder, whose windows-1252 is corrected afterwards.
 */
export async function parseMail(bytes: Uint8Array): Promise<Mail> {
  const { mail, decode } = hideFlowedFormat(correctCharset(takeFirstLines(bytes)))
  const email = await parseMime(mail)
  const values = (name: string): string[] =>
    email.headers.filter(({ key }) => key === name).map(({ value }) => value)
  return {
    from: values('from').flatMap(parseAuthors),
    subject: restoreWindows1252(email.subject ?? ''),
    plain: email.text?.trim() ? decode(restoreWindows1252(email.text).replace(/\r\n?/g, '\n')) : '',
    html: restoreWindows1252(email.html ?? ''),
    identity: getMailIdentity(email),
    header: name => values(name)[0]?.trim().toLowerCase(),
  }
}

async function parseMime(bytes: Uint8Array): Promise<Email> {
  try {
    return await PostalMime.parse(bytes, parserLimits)
  } catch {
    throw new SmtpRejection(554, '5.6.0 The MIME structure of this mail is invalid.')
  }
}

function takeFirstLines(bytes: Uint8Array): Uint8Array {
  let end = -1
  for (let line = 0; line < maxLines; line += 1) {
    end = bytes.indexOf(lineFeed, end + 1)
    if (end === -1) return bytes
  }
  return bytes.subarray(0, end + 1)
}

function parseAuthors(from: string): string[] {
  const mailboxes = addressParser(from, { flatten: true })
  return mailboxes.map(({ address = '' }) => address.toLowerCase())
}

/**
 * Identifies a mail: the Message-ID (RFC 5322, section 3.6.4); without it, what two copies of a
 * mail have in common.
 */
function getMailIdentity({
  messageId,
  date,
  from,
  subject,
  text,
  html,
}: Email): string | undefined {
  if (messageId !== undefined && messageId !== '') return messageId
  if (date === undefined) return undefined
  return hashText(JSON.stringify([date, from?.address, subject, text, html]))
}
