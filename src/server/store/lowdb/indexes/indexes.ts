import type { Account } from '../../../../domain/account/account.js'
import type { Message } from '../../../../domain/message/message.js'
import type { Tally } from '../../../../domain/message/message-counts.js'
import type { Received } from '../../../../domain/phone/received-text.js'
import type { RelayEvent } from '../../../../domain/webhook/event.js'
import type { Collections, Kind, Records } from '../records/collections.js'
import { EventIndex } from './event-index.js'
import { MessageIndex } from './message-index.js'
import { ReceivedIndex } from './received-text-index.js'
import { CountIndex } from './statistics-index.js'

/** Everything that is found otherwise than by its key. */
export class Indexes {
  readonly messages = new MessageIndex()
  readonly events = new EventIndex()
  readonly counts = new CountIndex()
  readonly received = new ReceivedIndex()
  readonly byEmail = new Map<string, string>()
  readonly bySecretKey = new Map<string, string>()

  /** Indexes what is in the collections. */
  constructor(data: Collections) {
    for (const account of data.account.values()) this.#account(undefined, account)
    for (const message of data.message.values()) this.#message(undefined, message)
    for (const tally of data.tally.values()) this.counts.tallied(undefined, tally)
    for (const event of data.event.values()) this.events.changed(undefined, event)
    for (const received of data.received.values()) this.received.changed(undefined, received)
    for (const subscription of data.subscription.values()) {
      this.events.startAfter(subscription.cursor)
    }
    this.events.startAfter(data.meta.get('events')?.seq ?? 0)
  }

  /** Follows a record from one form to the next. */
  changed<K extends Kind>(
    kind: K,
    before: Records[K] | undefined,
    after: Records[K] | undefined,
  ): void {
    if (kind === 'message') this.#message(before as Message, after as Message)
    else if (kind === 'event') this.events.changed(before as RelayEvent, after as RelayEvent)
    else if (kind === 'received') this.received.changed(before as Received, after as Received)
    else if (kind === 'account') this.#account(before as Account, after as Account)
    else if (kind === 'tally') this.counts.tallied(before as Tally, after as Tally)
  }

  #message(before: Message | undefined, after: Message | undefined): void {
    this.messages.changed(before, after)
    this.counts.changed(before, after)
  }

  #account(before: Account | undefined, after: Account | undefined): void {
    if (before !== undefined) {
      this.byEmail.delete(emailKey(before.email))
      this.bySecretKey.delete(before.secretKey)
    }
    if (after === undefined) return
    this.byEmail.set(emailKey(after.email), after.id)
    this.bySecretKey.set(after.secretKey, after.id)
  }
}

/** The form in which e-mail addresses are compared. */
export function emailKey(email: string): string {
  return email.toLowerCase()
}
