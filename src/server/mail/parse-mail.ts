import { isUtf8 } from 'node:buffer'
import iconv from 'iconv-lite'
import PostalMime, { addressParser, type Email } from 'postal-mime'
import { hashText } from '../../util/crypto/secrets.js'
import { restoreWindows1252 } from '../../util/text/charset.js'
import type { MailParts } from './mail-parts.js'
import { readText } from './part-text.js'
import { SmtpRejection } from './smtp-reply.js'

export interface Mail {
  readonly from: readonly string[]
  readonly subject: string
  readonly text: string
  /** Identifies the mail also when it is sent again; undefined without a Message-ID or a Date. */
  readonly identity: string | undefined
  /** The first field of a name, in lower case; undefined without it or if it is empty. */
  header(name: string): string | undefined
}

/**
 * Parses the head of a mail (RFC 5322) and decodes its texts. Throws {@link SmtpRejection} for an
 * encrypted one. The parser decodes with TextDecoder, whose windows-1252 is corrected afterwards.
 */
export async function parseMail({ head, root, isEncrypted }: MailParts): Promise<Mail> {
  if (isEncrypted) throw encryptedError()
  // RFC 6532 has UTF-8 in a head; older programs write windows-1252.
  const email = await PostalMime.parse(isUtf8(head) ? head : iconv.decode(head, 'windows-1252'))
  const values = (name: string): string[] =>
    email.headers.filter(({ key }) => key === name).map(({ value }) => value)
  const text = await readText(root)
  return {
    from: values('from').flatMap(parseAuthors),
    subject: restoreWindows1252(email.subject ?? ''),
    text,
    identity: getMailIdentity(email, text),
    header: name => values(name)[0]?.trim().toLowerCase() || undefined,
  }
}

export function encryptedError(): SmtpRejection {
  return new SmtpRejection(
    550,
    '5.6.0 This mail is encrypted, or signed in a form that hides its text; send it as plain text.',
  )
}

function parseAuthors(from: string): string[] {
  const mailboxes = addressParser(from, { flatten: true })
  // cron writes `root (Cron Daemon)`, which the parser takes for a name.
  const toAddress = (address: string, name: string): string =>
    address === '' && /^[\w.-]+$/.test(name) ? name : address
  return mailboxes.map(({ address = '', name }) => toAddress(address, name).toLowerCase())
}

/**
 * Identifies a mail: the Message-ID (RFC 5322, section 3.6.4); without it, what two copies of a
 * mail have in common.
 */
function getMailIdentity(
  { messageId, date, from, subject }: Email,
  text: string,
): string | undefined {
  if (messageId !== undefined && messageId !== '') return messageId
  if (date === undefined) return undefined
  return hashText(JSON.stringify([date, from?.address, subject, text]))
}
