import { truncateText } from '../../domain/sms/truncate-text.js'
import type { Mailbox } from '../../resources/mailbox.js'
import { encryptedError, type Mail } from './parse-mail.js'
import { maxRead } from './part-text.js'
import { isPgpEncrypted, removePgpArmour } from './pgp-text.js'
import { removeQuotes } from './remove-quotes.js'
import { isReplySubject } from './reply-phrases.js'

const invisible = /\u034f|[\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]/g
const controls = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g

type TextChoice = Pick<Mailbox, 'subject' | 'length'>

/**
 * Returns a function that formats the text of a mail for a mailbox: its subject if the mailbox
 * includes it, and what the author wrote. The quotes are removed once for all mailboxes. Throws
 * `SmtpRejection` for an encrypted mail.
 */
export function createMailReader(mail: Mail): (choice: TextChoice) => string {
  const text = removePgpArmour(mail.text.slice(0, maxRead))
  const body = cleanText(removeQuotes(text, mail.subject, isReply(mail)))
  if (isPgpEncrypted(body)) throw encryptedError()
  return ({ subject, length }) => {
    const title = subject === 'first' ? cleanText(mail.subject).replace(/\s+/g, ' ') : ''
    return truncateText([title, body].filter(part => part !== '').join('\n'), length)
  }
}

function isReply({ header, subject }: Mail): boolean {
  return (
    header('in-reply-to') !== undefined ||
    header('references') !== undefined ||
    isReplySubject(subject)
  )
}

/**
 * Removes parts of a mail's text that an SMS cannot show, and all but one of several empty lines.
 */
function cleanText(text: string): string {
  return text
    .toWellFormed()
    .replace(/\r\n?/g, '\n')
    .replace(invisible, '')
    .replace(controls, '')
    .replace(/[\u00a0\u2000-\u200a\u202f\t]/g, ' ')
    .split('\n')
    .map(line => line.trimEnd())
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}
