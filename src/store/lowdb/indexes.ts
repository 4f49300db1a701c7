import type { Account } from '../../domain/account.js'
import type { RelayEvent } from '../../domain/events.js'
import type { Message } from '../../domain/message.js'
import type { Received } from '../../domain/received.js'
import type { Collections, Kind, Records } from './collections.js'
import { EventIndex } from './event-index.js'
import { MessageIndex } from './message-index.js'
import { ReceivedIndex } from './received-index.js'

/** Everything that is found otherwise than by its key. */
export class Indexes {
  readonly messages = new MessageIndex()
  readonly events = new EventIndex()
  readonly received = new ReceivedIndex()
  readonly byEmail = new Map<string, string>()
  readonly bySecretKey = new Map<string, string>()

  /** Indexes what is in the collections. */
  constructor(data: Collections) {
    for (const account of data.account.values()) this.#account(undefined, account)
    for (const message of data.message.values()) this.messages.changed(undefined, message)
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
    if (kind === 'message') this.messages.changed(before as Message, after as Message)
    else if (kind === 'event') this.events.changed(before as RelayEvent, after as RelayEvent)
    else if (kind === 'received') this.received.changed(before as Received, after as Received)
    else if (kind === 'account') this.#account(before as Account, after as Account)
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
