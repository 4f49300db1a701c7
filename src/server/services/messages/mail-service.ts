import {
  addUses,
  getNextUseTime,
  type RecentUses,
  removeUses,
} from '../../../domain/account/usage-limit.js'
import { rateUnits } from '../../../domain/time/rate.js'
import { RelayError } from '../../../errors.js'
import type { Mailbox } from '../../../resources/mailbox.js'
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

interface Reservation {
  readonly mailbox: Mailbox
  readonly count: number
  readonly at: number
}

export class MailService {
  readonly #context: Pick<ServiceContext, 'store' | 'clock'>
  readonly #messages: Pick<MessageService, 'accept'>

  constructor(
    context: Pick<ServiceContext, 'store' | 'clock'>,
    messages: Pick<MessageService, 'accept'>,
  ) {
    this.#context = context
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
    const reservations: Reservation[] = []
    try {
      for (const reservation of this.#toReservations(drafts)) {
        await this.#reserve(reservation)
        reservations.push(reservation)
      }
      for (const draft of drafts) await this.#accept(draft, identity)
    } catch (error) {
      for (const reservation of reservations) await this.#release(reservation)
      throw error
    }
  }

  async assertWithinLimit(mailbox: Mailbox, count: number): Promise<void> {
    if (mailbox.hourly === undefined) return
    const recent = await this.#context.store.limits.get('mailbox', mailbox.id)
    assertWithinLimit(mailbox.hourly, recent ?? [], count, this.#context.clock.now())
  }

  async #accept({ addressee, destination, text }: MailDraft, identity?: string): Promise<void> {
    const { account, mailbox } = addressee
    const content = JSON.stringify([mailbox.id, identity, destination, text])
    const key = identity === undefined ? undefined : `mail ${hashText(content)}`
    await this.#messages.accept(account, { destination, text }, 'email', key)
  }

  #toReservations(drafts: readonly MailDraft[]): Reservation[] {
    const mailboxes = new Map(drafts.map(({ addressee: { mailbox } }) => [mailbox.id, mailbox]))
    const at = this.#context.clock.now()
    return [...mailboxes.values()].map(mailbox => {
      const count = drafts.filter(({ addressee }) => addressee.mailbox.id === mailbox.id).length
      return { mailbox, count, at }
    })
  }

  async #reserve({ mailbox: { id, hourly }, count, at }: Reservation): Promise<void> {
    if (hourly === undefined) return
    const { limits } = this.#context.store
    await limits.change('mailbox', id, at + rateUnits.h, (recent = []) => {
      assertWithinLimit(hourly, recent, count, at)
      return addUses(recent, { per: 'h' }, at, count)
    })
  }

  async #release({ mailbox: { id, hourly }, count, at }: Reservation): Promise<void> {
    if (hourly === undefined) return
    const { limits } = this.#context.store
    await limits.change('mailbox', id, at + rateUnits.h, (recent = []) =>
      removeUses(recent, at, count),
    )
  }
}

function assertWithinLimit(hourly: number, recent: RecentUses, count: number, now: number): void {
  if (count > hourly) {
    throw new RelayError(
      'payload_too_large',
      `This mail becomes ${count} messages, but its mailbox takes ${hourly} an hour.`,
    )
  }
  const wait = getNextUseTime(recent, { uses: hourly, per: 'h' }, now, count) - now
  if (wait <= 0) return
  throw new RelayError(
    'too_many_requests',
    `This mailbox takes ${hourly} messages an hour; try again later.`,
    { retryAfter: Math.ceil(wait / 1000) },
  )
}

function toDrafts(texts: readonly MailText[]): MailDraft[] {
  const drafts = texts.flatMap(({ addressee, text }) =>
    addressee.destinations.map(destination => ({ addressee, destination, text })),
  )
  const toKey = (each: MailDraft): string => `${each.addressee.mailbox.id} ${each.destination}`
  return [...new Map(drafts.map(each => [toKey(each), each])).values()]
}
