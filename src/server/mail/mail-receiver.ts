import { domainToASCII } from 'node:url'
import { isRelayError, RelayError } from '../../errors.js'
import { hashText } from '../../util/crypto/secrets.js'
import type { SignInThrottle } from '../services/accounts/sign-in-throttle.js'
import type { MailService } from '../services/messages/mail-service.js'
import type { Addressee, MailboxService } from '../services/messages/mailbox-service.js'
import { createMailReader } from './mail-text.js'
import { parseMail } from './parse-mail.js'
import { assertAllowedMail, assertAllowedSender } from './sender-policy.js'
import { SmtpRejection } from './smtp-reply.js'

/** What taking mail stands on. */
export interface MailReceiverParts {
  readonly mailboxes: MailboxService
  readonly mail: MailService
  /** Slows down whoever guesses addresses. */
  readonly throttle: SignInThrottle
  /** Holds back the answer to somebody who guesses. */
  readonly delayReply: () => Promise<void>
}

/** The envelope of a mail (RFC 5321 section 2.3.1). */
export interface Envelope {
  /** Empty for a bounce. */
  readonly sender: string
  readonly recipients: readonly string[]
}

/** Decides on mail: whom it is for, whether it may come in, and what text it becomes. */
export class MailReceiver {
  readonly #parts: MailReceiverParts

  constructor(parts: MailReceiverParts) {
    this.#parts = parts
  }

  /**
   * Checks a recipient that `remote` names. Throws {@link Refusal}, with code 421 where the connection is to end, and what
   * the services throw. Who sends does not count yet: mail servers ask in their own name whether a recipient exists.
   */
  async checkRecipient(recipient: string, remote: string): Promise<void> {
    const addressee = await this.#find(recipient)
    if (addressee === undefined) return await this.#refuseUnknown(recipient, remote)
    this.#parts.mail.assertWithinLimit(addressee.mailbox, addressee.destinations.length)
  }

  /** Turns a mail into messages, all that it makes or none; resolves when they are durable. Throws as {@link check}. */
  async accept(bytes: Uint8Array, { sender, recipients }: Envelope): Promise<void> {
    const addressees = []
    for (const recipient of recipients) {
      const addressee = await this.#find(recipient)
      if (addressee === undefined) throw unknownRecipientError()
      assertAllowedSender(addressee.mailbox, sender)
      addressees.push(addressee)
    }
    const mail = await parseMail(bytes)
    for (const { mailbox } of addressees) assertAllowedMail(mailbox, mail)
    const read = createMailReader(mail)
    const texts = addressees.map(addressee => ({ addressee, text: read(addressee.mailbox) }))
    if (texts.some(({ text }) => text === '')) {
      throw new SmtpRejection(550, '5.6.0 There is no text in this mail.')
    }
    await this.#parts.mail.accept(texts, mail.identity)
  }

  async #find(recipient: string): Promise<Addressee | undefined> {
    const at = recipient.lastIndexOf('@')
    const { mailboxes } = this.#parts
    if (domainToASCII(recipient.slice(at + 1)) === mailboxes.settings.domain) {
      return await mailboxes.find(recipient.slice(0, at))
    }
    throw new SmtpRejection(550, '5.7.1 This service relays no mail to other domains.')
  }

  /** A known recipient is never held up, so a mail server that others feed with guesses still gets its mail through. */
  async #refuseUnknown(recipient: string, remote: string): Promise<never> {
    const guess = { address: remote, name: hashText(recipient.toLowerCase()) }
    try {
      return await this.#parts.throttle.attempt(guess, async () => {
        throw new RelayError('invalid_client', 'No such recipient.')
      })
    } catch (error) {
      if (!isRelayError(error, 'too_many_requests')) throw unknownRecipientError()
      await this.#parts.delayReply()
      throw tooManyUnknownError()
    }
  }
}

function unknownRecipientError(): SmtpRejection {
  return new SmtpRejection(550, '5.1.1 There is no such address here.')
}

function tooManyUnknownError(): SmtpRejection {
  return new SmtpRejection(421, '4.7.0 Too many unknown recipients; try again later.')
}
