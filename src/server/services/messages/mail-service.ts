import type { Mailbox } from '../../../domain/account/mailbox.js'
import { RelayError } from '../../../errors.js'
import { hashText } from '../../../util/crypto/secrets.js'
import type { ServiceContext } from '../service-context.js'
import type { Addressee } from './mailbox-service.js'
import type { MessageService } from './message-service.js'

/** The text of a mail for one addressee. */
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

/** Turns mail into messages, within the hourly limit of each address. */
export class MailService {
  readonly #now: () => number
  readonly #messages: Pick<MessageService, 'accept'>
  /** When the texts of the last hour were accepted, by mailbox; forgotten by a restart. */
  readonly #accepted = new Map<string, number[]>()

  constructor({ now }: Pick<ServiceContext, 'now'>, messages: Pick<MessageService, 'accept'>) {
    this.#now = now
    this.#messages = messages
  }

  /**
   * Accepts a message for each destination; resolves when all are durable. The same text by the same `identity` is
   * accepted once in 24 hours, so what failed half-way can be sent again. Throws `too_many_requests` and
   * `payload_too_large` when a limit would be passed, and then accepted nothing; `unavailable` when the rest is to be
   * tried again.
   */
  async accept(texts: readonly MailText[], identity?: string): Promise<void> {
    const drafts = toDrafts(texts)
    const give = this.#reserve(drafts.map(each => each.addressee.mailbox))
    try {
      for (const draft of drafts) await this.#accept(draft, identity)
    } catch (error) {
      give()
      throw error
    }
  }

  /** Throws `too_many_requests` when an address may not have so many texts more now, `payload_too_large` when never. */
  assertWithinLimit({ id, hourly }: Mailbox, count: number): void {
    if (hourly === undefined) return
    if (count > hourly) {
      throw new RelayError(
        'payload_too_large',
        `This mail makes ${count} texts, and its address takes ${hourly} an hour.`,
      )
    }
    const recent = this.#recent(id)
    const inTheWay = recent[recent.length + count - hourly - 1]
    if (inTheWay === undefined) return
    throw new RelayError(
      'too_many_requests',
      `This address takes ${hourly} texts an hour; try again later.`,
      { retryAfter: Math.max(1, Math.ceil((inTheWay + hour - this.#now()) / 1000)) },
    )
  }

  async #accept({ addressee, destination, text }: MailDraft, identity?: string): Promise<void> {
    const { account, mailbox } = addressee
    const about = JSON.stringify([mailbox.id, identity, destination, text])
    const key = identity === undefined ? undefined : `mail ${hashText(about)}`
    await this.#messages.accept(account, { destination, text }, 'email', key)
  }

  /** Counts a text for each of the mailboxes; the returned function takes that back. */
  #reserve(mailboxes: readonly Mailbox[]): () => void {
    const limited = mailboxes.filter(each => each.hourly !== undefined)
    for (const each of limited) {
      this.assertWithinLimit(each, limited.filter(({ id }) => id === each.id).length)
    }
    const at = this.#now()
    for (const { id } of limited) this.#accepted.set(id, [...this.#recent(id), at])
    return () => {
      for (const { id } of limited) {
        const recent = this.#recent(id)
        this.#accepted.set(id, recent.toSpliced(recent.indexOf(at), recent.includes(at) ? 1 : 0))
      }
    }
  }

  #recent(id: string): readonly number[] {
    const since = this.#now() - hour
    return (this.#accepted.get(id) ?? []).filter(at => at > since)
  }
}

/** One for each mailbox and number, though both are named twice. */
function toDrafts(texts: readonly MailText[]): MailDraft[] {
  const drafts = texts.flatMap(({ addressee, text }) =>
    addressee.destinations.map(destination => ({ addressee, destination, text })),
  )
  const nameOf = (each: MailDraft): string => `${each.addressee.mailbox.id} ${each.destination}`
  return [...new Map(drafts.map(each => [nameOf(each), each])).values()]
}
