import { isAllowedSender, isOpenToAll, type Mailbox } from '../../domain/account/mailbox.js'
import type { Mail } from './parse-mail.js'
import { SmtpRejection } from './smtp-reply.js'

/** Refuses bounces, and senders the mailbox is not open to. Throws {@link Refusal}. */
export function assertAllowedSender(mailbox: Mailbox, sender: string): void {
  if (sender === '') throw automaticMailError()
  if (isAllowedSender(mailbox, sender)) return
  throw new SmtpRejection(550, '5.7.1 This address takes no mail from this envelope sender.')
}

/** Refuses a mail whose authors the mailbox is not open to, and what nobody wrote to it. Throws {@link Refusal}. */
export function assertAllowedMail(mailbox: Mailbox, mail: Mail): void {
  if (isAutomaticReply(mail)) throw automaticMailError()
  if (isOpenToAll(mailbox)) {
    if (isFromList(mail)) {
      throw new SmtpRejection(
        550,
        '5.7.1 Mailing lists do not become texts here; list their sender.',
      )
    }
  } else if (mail.from.length === 0 || !mail.from.every(each => isAllowedSender(mailbox, each))) {
    throw new SmtpRejection(550, '5.7.1 This address takes no mail with this From header.')
  }
}

/**
 * Whether a program answered to another mail (RFC 3834, RFC 3464, RFC 8098). What programs begin, such as cron's mail
 * with `Auto-Submitted: auto-generated` and often `Precedence: bulk`, is what people want as a text.
 */
function isAutomaticReply({ header }: Mail): boolean {
  const submitted = header('auto-submitted') ?? 'no'
  return (
    submitted.startsWith('auto-replied') ||
    header('precedence') === 'auto_reply' ||
    header('x-autoreply') !== undefined ||
    header('x-autorespond') !== undefined ||
    (header('content-type') ?? '').startsWith('multipart/report')
  )
}

/** Whether a mail went to many (RFC 2919). */
function isFromList({ header }: Mail): boolean {
  const precedence = header('precedence') ?? ''
  return header('list-id') !== undefined || precedence === 'list' || precedence === 'junk'
}

function automaticMailError(): SmtpRejection {
  return new SmtpRejection(550, '5.7.1 Bounces and automatic answers do not become texts.')
}
