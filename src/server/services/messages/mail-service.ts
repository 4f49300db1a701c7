import type { Mailbox } from '../../../domain/account/mailbox.js'
import { RelayError } from '../../../errors.js'
import type { Clock } from '../../../util/async/clock.js'
import { hashText } from '../../../util/crypto/secrets.js'
import type { ServiceContext } from '../service-context.js'
import type { Addressee } from './mailbox-service.js'
import type { MessageService } from './message-service.js'

export interface MailText {
  readonly addressee: Addressee
  readonly text: string
}

interface MailDraft {
  readonly addressee: Addressee
  readonly destination: string
  readonly text: string
}

const hour = 60 * 60_000

/** The service that turns mail into messages, within the hourly limit of each mailbox. */
export class MailService {
  readonly #clock: Clock
  readonly #messages: Pick<MessageService, 'accept'>
  /** When a mailbox's messages of the last hour were accepted; lost at a restart. */
  readonly #accepted = new Map<string, number[]>()

  constructor({ clock }: Pick<ServiceContext, 'clock'>, messages: Pick<MessageService, 'accept'>) {
    this.#clock = clock
    this.#messages = messages
  }

  /**
   * Accepts a message for each destination of a mail; resolves when all are durable. A text with
   * the same `identity` is accepted once in 24 hours, so a mail that failed half-way can be sent
   * again. If a limit would be exceeded, throws `too_many_requests` or `payload_too_large` and
   * accepts nothing. Throws `unavailable` if the rest has to be tried again.
   */
  async accept(texts: readonly MailText[], identity?: string): Promise<void> {
    const drafts = toDrafts(texts)
    const undo = this.#reserve(drafts.map(each => each.addressee.mailbox))
    try {
      for (const draft of drafts) await this.#accept(draft, identity)
    } catch (error) {
      undo()
      throw error
    }
  }

  /**
   * Throws `too_many_requests` if a mailbox cannot accept `count` more messages now, and
   * `payload_too_large` if it never can.
   */
  assertWithinLimit({ id, hourly }: Mailbox, count: number): void {
    if (hourly === undefined) return
    if (count > hourly) {
      throw new RelayError(
        'payload_too_large',
        `This mail becomes ${count} messages, but its mailbox takes ${hourly} an hour.`,
      )
    }
    const recent = this.#getRecent(id)
    // The message whose hour must end before the service accepts `count` more for the mailbox.
    const blocking = recent[recent.length + count - hourly - 1]
    if (blocking === undefined) return
    throw new RelayError(
      'too_many_requests',
      `This mailbox takes ${hourly} messages an hour; try again later.`,
      { retryAfter: Math.max(1, Math.ceil((blocking + hour - this.#clock.now()) / 1000)) },
    )
  }

  async #accept({ addressee, destination, text }: MailDraft, identity?: string): Promise<void> {
    const { account, mailbox } = addressee
    const content = JSON.stringify([mailbox.id, identity, destination, text])
    const key = identity === undefined ? undefined : `mail ${hashText(content)}`
    await this.#messages.accept(account, { destination, text }, 'email', key)
  }

  /**
   * Reserves a message in the hourly limit of each of the mailboxes; the returned function undoes
   * that.
   */
  #reserve(mailboxes: readonly Mailbox[]): () => void {
    const limited = mailboxes.filter(each => each.hourly !== undefined)
    for (const each of limited) {
      this.assertWithinLimit(each, limited.filter(({ id }) => id === each.id).length)
    }
    const at = this.#clock.now()
    for (const { id } of limited) this.#accepted.set(id, [...this.#getRecent(id), at])
    return () => {
      for (const { id } of limited) {
        const recent = this.#getRecent(id)
        this.#accepted.set(id, recent.toSpliced(recent.indexOf(at), recent.includes(at) ? 1 : 0))
      }
    }
  }

  #getRecent(id: string): readonly number[] {
    const since = this.#clock.now() - hour
    return (this.#accepted.get(id) ?? []).filter(at => at > since)
  }
}

/**
 * Makes the messages of a mail for the message service: one for each mailbox and number, also if
 * the mail names them twice.
 */
function toDrafts(texts: readonly MailText[]): MailDraft[] {
  const drafts = texts.flatMap(({ addressee, text }) =>
    addressee.destinations.map(destination => ({ addressee, destination, text })),
  )
  const toKey = (each: MailDraft): string => `${each.addressee.mailbox.id} ${each.destination}`
  return [...new Map(drafts.map(each => [toKey(each), each])).values()]
}
