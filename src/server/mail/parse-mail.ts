import PostalMime, { addressParser, type Email } from 'postal-mime'
import { hashText } from '../../util/crypto/secrets.js'
import { SmtpRejection } from './smtp-reply.js'

/** What counts of a mail. */
export interface Mail {
  /** The addresses of its From header, in lower case; all of them count as its author. */
  readonly from: readonly string[]
  readonly subject: string
  /** Plain text with LF; empty where there is only HTML. */
  readonly plain: string
  readonly html: string
  /** Tells this mail from others, also when it comes again; undefined where it says nothing of itself. */
  readonly identity: string | undefined
  /** The value of a header field, in lower case; undefined when it is not there. */
  header(name: string): string | undefined
}

const lineFeed = 0x0a
/** Lines of a mail that are read: each costs the parser the same, however short. A text needs the first few. */
const maxLines = 16_384

const parserLimits = {
  maxNestingDepth: 32,
  maxHeadersSize: 64 * 1024,
  maxRfc822NestingDepth: 0,
  forceRfc822Attachments: true,
}

/** Reads a mail (RFC 5322, MIME). Throws {@link Refusal} where it cannot be read. */
export async function parseMail(bytes: Uint8Array): Promise<Mail> {
  const email = await parseMime(bytes)
  const values = (name: string): string[] =>
    email.headers.filter(({ key }) => key === name).map(({ value }) => value)
  return {
    from: values('from').flatMap(parseAuthors),
    subject: email.subject ?? '',
    plain: email.text?.trim() ? email.text.replace(/\r\n?/g, '\n') : '',
    html: email.html ?? '',
    identity: getMailIdentity(email),
    header: name => values(name)[0]?.trim().toLowerCase(),
  }
}

async function parseMime(bytes: Uint8Array): Promise<Email> {
  try {
    return await PostalMime.parse(takeFirstLines(bytes), parserLimits)
  } catch {
    throw new SmtpRejection(554, '5.6.0 This mail cannot be read; its MIME structure is broken.')
  }
}

/** The first lines of a mail. */
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

/** Message-ID is for this (RFC 5322 section 3.6.4); without one, what a mail that is sent again has alike. */
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
