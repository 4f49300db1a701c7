import { domainToASCII } from 'node:url'
import { isAllowedSender, isOpenToAll } from '../../domain/account/mailbox.js'
import { isRelayError } from '../../errors.js'
import type { Mailbox } from '../../resources/mailbox.js'
import type { MailService } from '../services/messages/mail-service.js'
import type { Addressee, MailboxService } from '../services/messages/mailbox-service.js'
import { isAutomaticReply } from './automatic-reply.js'
import type { MailParts } from './mail-parts.js'
import { createMailReader } from './mail-text.js'
import { type Mail, parseMail } from './parse-mail.js'
import type { RecipientThrottle } from './recipient-throttle.js'
import { SmtpRejection } from './smtp-reply.js'

export interface MailReceiverParts {
  readonly mailboxes: MailboxService
  readonly mail: MailService
  readonly throttle: RecipientThrottle
  readonly delayReply: () => Promise<void>
}

/** The envelope of a mail (RFC 5321, section 2.3.1). */
export interface Envelope {
  readonly sender: string
  readonly recipients: readonly string[]
}

export class MailReceiver {
  readonly #parts: MailReceiverParts

  constructor(parts: MailReceiverParts) {
    this.#parts = parts
  }

  /**
   * Checks a mail recipient that the client at `remote` names. Throws {@link SmtpRejection}, with
   * code 421 to end the connection, and what the services throw. The sender is not checked yet:
   * mail servers use their own name to ask whether a recipient exists.
   */
  async checkRecipient(recipient: string, remote: string): Promise<void> {
    const addressee = await this.#find(recipient)
    if (addressee === undefined) return await this.#reject(unknownRecipientError(), remote)
    await this.#parts.mail.assertWithinLimit(addressee.mailbox, addressee.destinations.length)
  }

  /** Checks the password of a login: the key of any mailbox, alone or in its address. */
  async checkLogin(password: string, remote: string): Promise<void> {
    const [local = ''] = password.trim().split('@')
    if (await this.#parts.mailboxes.hasKey(local)) return
    await this.#reject(wrongLoginError(), remote)
  }

  /** Turns a mail into messages, all or none; resolves when they are durable. */
  async accept(parts: MailParts, { sender, recipients }: Envelope): Promise<void> {
    const addressees = []
    for (const recipient of recipients) {
      const addressee = await this.#find(recipient)
      if (addressee === undefined) throw unknownRecipientError()
      assertAllowedSender(addressee.mailbox, sender)
      addressees.push(addressee)
    }
    const mail = await parseMail(parts)
    for (const { mailbox } of addressees) this.#assertAllowedMail(mailbox, mail)
    const readText = createMailReader(mail)
    const texts = addressees.map(addressee => ({ addressee, text: readText(addressee.mailbox) }))
    if (texts.some(({ text }) => text === '')) {
      throw new SmtpRejection(
        550,
        '5.6.0 There is no text in this mail; a mailbox with --subject first sends the subject.',
      )
    }
    await this.#parts.mail.accept(texts, mail.identity)
  }

  #assertAllowedMail(mailbox: Mailbox, mail: Mail): void {
    if (isAutomaticReply(mail)) throw automaticMailError()
    if (isOpenToAll(mailbox)) {
      if (!isFromList(mail)) return
      throw new SmtpRejection(
        550,
        '5.7.1 This address accepts no mailing lists unless it names their sender.',
      )
    }
    // Like the envelope sender, an author without a domain has that of the relay.
    const { domain } = this.#parts.mailboxes.settings
    const authors = mail.from.map(each => (/^[^@]+$/.test(each) ? `${each}@${domain}` : each))
    if (authors.length > 0 && authors.every(each => isAllowedSender(mailbox, each))) return
    throw new SmtpRejection(550, '5.7.1 This address accepts no mail with this From header.')
  }

  async #find(recipient: string): Promise<Addressee | undefined> {
    const at = recipient.lastIndexOf('@')
    const { mailboxes } = this.#parts
    if (domainToASCII(recipient.slice(at + 1).replace(/\.$/, '')) === mailboxes.settings.domain) {
      return await mailboxes.find(recipient.slice(0, at))
    }
    throw new SmtpRejection(550, '5.7.1 This relay accepts no mail for other domains.')
  }

  /**
   * Rejects an unknown mailbox or a wrong key. Only these are throttled, so a mail server that also
   * relays guesses can deliver.
   */
  async #reject(reason: SmtpRejection, remote: string): Promise<never> {
    try {
      await this.#parts.throttle.count(remote)
    } catch (error) {
      if (!isRelayError(error, 'too_many_requests')) throw error
      await this.#parts.delayReply()
      throw tooManyUnknownError()
    }
    throw reason
  }
}

function assertAllowedSender(mailbox: Mailbox, sender: string): void {
  if (sender === '') throw automaticMailError()
  if (isAllowedSender(mailbox, sender)) return
  throw new SmtpRejection(550, '5.7.1 This address accepts no mail from this envelope sender.')
}

/** Whether a received mail went to a mailing list (RFC 2919). */
function isFromList({ header }: Mail): boolean {
  const precedence = header('precedence') ?? ''
  return header('list-id') !== undefined || precedence === 'list' || precedence === 'junk'
}

function unknownRecipientError(): SmtpRejection {
  return new SmtpRejection(550, '5.1.1 There is no such address here.')
}

function wrongLoginError(): SmtpRejection {
  return new SmtpRejection(
    535,
    '5.7.8 The password must be the key of a mailbox of this relay; any user name will do.',
  )
}

function tooManyUnknownError(): SmtpRejection {
  return new SmtpRejection(421, '4.7.0 Too many unknown recipients or wrong keys; try again later.')
}

function automaticMailError(): SmtpRejection {
  return new SmtpRejection(550, '5.7.1 Bounces and automatic replies do not become messages.')
}
