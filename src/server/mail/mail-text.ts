import type { Mailbox } from '../../domain/account/mailbox.js'
import { htmlToText } from './html-to-text.js'
import type { Mail } from './parse-mail.js'
import { removeQuotes } from './remove-quotes.js'

/** Reading more than this, in characters, would take long and change nothing. */
const maxRead = 200_000
/** Ends a text that was cut, in the letters every phone has (3GPP TS 23.038). */
const cutMark = '...'
const invisible = /\u034f|[\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]/g
const controls = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g

/** What of a mail becomes a text is a mailbox's choice. */
type TextChoice = Pick<Mailbox, 'subject' | 'length'>

/** The text that a mail becomes: its subject where the mailbox wants it, and what was written; empty when nothing is left. */
export function formatMailText(mail: Mail, choice: TextChoice): string {
  return createMailReader(mail)(choice)
}

/** {@link mailText} for the mailboxes of one mail, whose words are looked for once. */
export function createMailReader(mail: Mail): (choice: TextChoice) => string {
  const body = mail.plain === '' ? htmlToText(mail.html.slice(0, maxRead)) : mail.plain
  const words = cleanText(removeQuotes(body.slice(0, maxRead)))
  return ({ subject, length }) => {
    const title = subject === 'first' ? cleanText(mail.subject).replace(/\s+/g, ' ') : ''
    return truncateText([title, words].filter(part => part !== '').join('\n'), length)
  }
}

/** Without what a text message cannot say, and with one empty line at most. */
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

function truncateText(text: string, most: number): string {
  const letters = [...text]
  if (letters.length <= most) return text
  const mark = cutMark.slice(0, Math.max(0, most - cutMark.length))
  const kept = letters
    .slice(0, most - mark.length)
    .join('')
    .trimEnd()
  return kept + mark
}
