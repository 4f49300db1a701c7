// Indexes: records found by other fields than their key, in memory only.
//
// The constructor of Indexes builds them from all records when the store is opened. After that each
// put or undo of a transaction calls `update` with the record before and after it.
//
//   message-index        what is available next, leases, and pages of each account's messages
//   message-list         the slots of an account's messages, with counts of each status
//   event-index          the events of each account and name (`sorted-list`)
//   received-text-index  pages of received texts
//   subscription-index   the subscriptions of each account
//   statistics-index     counts of messages in each quarter of an hour
import type { Account } from '../../../../domain/account/account.js'
import type { Message } from '../../../../domain/message/message.js'
import type { DeletedCounts } from '../../../../domain/message/message-counts.js'
import type { ReceivedText } from '../../../../domain/phone/received-text.js'
import type { RelayEvent } from '../../../../domain/webhook/event.js'
import type { Subscription } from '../../../../domain/webhook/subscription.js'
import type { MessageTable } from '../message-table/message-table.js'
import {
  type Collections,
  getMessageTable,
  type Kind,
  type Records,
} from '../records/collections.js'
import { EventIndex } from './event-index.js'
import { MessageIndex } from './message-index.js'
import { ReceivedTextIndex } from './received-text-index.js'
import { StatisticsIndex } from './statistics-index.js'
import { SubscriptionIndex } from './subscription-index.js'

export class Indexes {
  readonly messages: MessageIndex
  readonly events = new EventIndex()
  readonly statistics = new StatisticsIndex()
  readonly receivedTexts = new ReceivedTextIndex()
  readonly subscriptions = new SubscriptionIndex()
  readonly accountIdsByEmail = new Map<string, string>()
  readonly accountIdsBySecretKey = new Map<string, string>()

  constructor(data: Collections) {
    for (const account of data.account.values()) this.#account(undefined, account)
    this.messages = new MessageIndex(getMessageTable(data))
    this.#addMessages(getMessageTable(data))
    for (const counts of data.tally.values()) {
      this.statistics.updateDeletedCounts(undefined, counts)
    }
    for (const event of data.event.values()) this.events.update(undefined, event)
    for (const received of data.received.values()) this.receivedTexts.update(undefined, received)
    for (const subscription of data.subscription.values()) {
      this.subscriptions.update(undefined, subscription)
      this.events.startAfter(subscription.cursor)
    }
    this.events.startAfter(data.meta.get('events')?.seq ?? 0)
  }

  /** Replaces a record in the store's indexes; undefined: it does not exist. */
  update<K extends Kind>(
    kind: K,
    before: Records[K] | undefined,
    after: Records[K] | undefined,
  ): void {
    if (kind === 'message') this.#message(before as Message, after as Message)
    else if (kind === 'event') this.events.update(before as RelayEvent, after as RelayEvent)
    else if (kind === 'received')
      this.receivedTexts.update(before as ReceivedText, after as ReceivedText)
    else if (kind === 'subscription')
      this.subscriptions.update(before as Subscription, after as Subscription)
    else if (kind === 'account') this.#account(before as Account, after as Account)
    else if (kind === 'tally')
      this.statistics.updateDeletedCounts(before as DeletedCounts, after as DeletedCounts)
  }

  #addMessages(table: MessageTable): void {
    for (const slot of table.slots()) {
      const message = table.getObject(slot)
      if (message !== undefined) this.#message(undefined, message)
      else {
        const head = table.getHead(slot)
        this.messages.add(slot, head)
        this.statistics.updateMessage(undefined, head)
      }
    }
  }

  #message(before: Message | undefined, after: Message | undefined): void {
    this.messages.update(before, after)
    this.statistics.updateMessage(before, after)
  }

  #account(before: Account | undefined, after: Account | undefined): void {
    if (before !== undefined) {
      this.accountIdsByEmail.delete(normalizeEmail(before.email))
      this.accountIdsBySecretKey.delete(before.secretKey)
    }
    if (after === undefined) return
    this.accountIdsByEmail.set(normalizeEmail(after.email), after.id)
    this.accountIdsBySecretKey.set(after.secretKey, after.id)
  }
}

export function normalizeEmail(email: string): string {
  return email.toLowerCase()
}
