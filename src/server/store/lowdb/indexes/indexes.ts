// Indexes: records found by other fields than their key, in memory only.
//
// The constructor of Indexes builds them from all records when the store is opened. After that each
// put or undo of a transaction calls `update` with the record before and after it.
//
//   message-index        what is available next, leases, and pages of each account's messages
//   message-list         the slots of an account's messages, in blocks (`message-list-block`) with
//                        counts of each status, and the group in which each message counts
//   event-index          the events of each account and name (`sorted-list`)
//   received-text-index  pages of received texts
//   resource-index       records of a resource, and by their unique values
//   contact-index        pages of contacts, and of the members of groups
//   audit-index          the audit log of the relay and of each account
//   owned-index          what an account has of other kinds, and the Do Not Text lists
//   statistics-index     counts of messages in each quarter of an hour

import type { Account, DoNotTextEntry, Token } from '../../../../domain/account/account.js'
import type { Invitation, Person } from '../../../../domain/account/person.js'
import type { SecretUrl } from '../../../../domain/account/secret-url.js'
import type { AuditEntry } from '../../../../domain/audit/audit-entry.js'
import type { Contact } from '../../../../domain/contact/contact.js'
import { buildListKey } from '../../../../domain/list-key.js'
import type { Message } from '../../../../domain/message/message.js'
import type { DeletedCounts } from '../../../../domain/message/message-counts.js'
import type { ReceivedText } from '../../../../domain/phone/received-text.js'
import type { RelayEvent } from '../../../../domain/webhook/event.js'
import type { Subscription } from '../../../../domain/webhook/subscription.js'
import { type ResourceName, resourceNames, resources } from '../../../../resources/resources.js'
import { normalizeEmail, type TokenOwner } from '../../account-store.js'
import type { MessageTable } from '../message-table/message-table.js'
import {
  type Collections,
  getMessageTable,
  type Kind,
  type Records,
} from '../records/collections.js'
import { AuditIndex } from './audit-index.js'
import { ContactIndex } from './contact-index.js'
import { EventIndex } from './event-index.js'
import { MessageIndex } from './message-index.js'
import { OwnedIndex } from './owned-index.js'
import { ReceivedTextIndex } from './received-text-index.js'
import { ResourceIndex } from './resource-index.js'
import { StatisticsIndex } from './statistics-index.js'

type OwnedKind = keyof Indexes['owned']

export class Indexes {
  readonly messages: MessageIndex
  readonly events = new EventIndex()
  readonly statistics = new StatisticsIndex()
  readonly receivedTexts = new ReceivedTextIndex()
  readonly contacts = new ContactIndex()
  readonly audit = new AuditIndex()
  readonly owned = {
    subscription: createAccountIndex<Subscription>(),
    capability: createAccountIndex<SecretUrl>(),
    invitation: createAccountIndex<Invitation>(),
    person: createAccountIndex<Person>(),
    ...createResourceIndexes(),
    block: new OwnedIndex<DoNotTextEntry>(
      ({ scope }) => scope,
      ({ at, number }) => buildListKey(at, number),
    ),
  }
  readonly accounts = new OwnedIndex<Account>(
    () => '',
    ({ createdAt, id }) => buildListKey(createdAt, id),
  )
  readonly tokens = new OwnedIndex<Token>(getTokenOwner, ({ expiresAt, id }) =>
    buildListKey(expiresAt, id),
  )
  readonly accountIdsByEmail = new Map<string, string>()
  readonly accountIdsBySecretKey = new Map<string, string>()
  readonly personIdsByEmail = new Map<string, string>()

  constructor(data: Collections) {
    for (const account of data.account.values()) this.#account(undefined, account)
    this.messages = new MessageIndex(getMessageTable(data))
    this.#addMessages(getMessageTable(data))
    for (const counts of data.tally.values()) {
      this.statistics.updateDeletedCounts(undefined, counts)
    }
    for (const event of data.event.values()) this.events.update(undefined, event)
    for (const received of data.received.values()) this.receivedTexts.update(undefined, received)
    for (const entry of data.audit.values()) this.audit.update(undefined, entry)
    for (const token of data.token.values()) this.#token(undefined, token)
    this.contacts.addAll(data.contact.values())
    for (const subscription of data.subscription.values()) {
      this.events.startAfter(subscription.cursor)
    }
    for (const kind of Object.keys(this.owned) as OwnedKind[]) {
      for (const record of data[kind].values()) this.update(kind, undefined, record)
    }
    this.events.startAfter(data.meta.get('events')?.seq ?? 0)
  }

  update<K extends Kind>(
    kind: K,
    before: Records[K] | undefined,
    after: Records[K] | undefined,
  ): void {
    if (kind === 'message') this.#message(before as Message, after as Message)
    else if (kind === 'event') this.events.update(before as RelayEvent, after as RelayEvent)
    else if (kind === 'received')
      this.receivedTexts.update(before as ReceivedText, after as ReceivedText)
    else if (kind === 'contact') this.contacts.update(before as Contact, after as Contact)
    else if (kind === 'audit') this.audit.update(before as AuditEntry, after as AuditEntry)
    else if (kind === 'token') this.#token(before as Token, after as Token)
    else if (kind === 'account') this.#account(before as Account, after as Account)
    else if (kind === 'tally')
      this.statistics.updateDeletedCounts(before as DeletedCounts, after as DeletedCounts)
    else if (kind in this.owned) this.#owned(kind as OwnedKind, before, after)
  }

  /** How many records of a kind with an index by account it has. */
  count(kind: Kind, account: string): number {
    if (kind === 'contact') return this.contacts.count(account)
    return this.owned[kind as OwnedKind].count(account)
  }

  /** Whether an account or person other than the one with the identifier has an email address. */
  isEmailTaken(email: string, id: string): boolean {
    const key = normalizeEmail(email)
    const holders = [this.accountIdsByEmail.get(key), this.personIdsByEmail.get(key)]
    return holders.some(holder => holder !== undefined && holder !== id)
  }

  #owned(kind: OwnedKind, before: unknown, after: unknown): void {
    const index = this.owned[kind] as OwnedIndex<unknown>
    index.update(before, after)
    if (kind === 'person') this.#person(before as Person, after as Person)
  }

  #token(before: Token | undefined, after: Token | undefined): void {
    this.tokens.update(before, after)
  }

  #person(before: Person | undefined, after: Person | undefined): void {
    if (before !== undefined) this.personIdsByEmail.delete(normalizeEmail(before.email))
    if (after !== undefined) this.personIdsByEmail.set(normalizeEmail(after.email), after.id)
  }

  #addMessages(table: MessageTable): void {
    for (const slot of table.slots()) {
      const message = table.getObject(slot)
      if (message !== undefined) this.#message(undefined, message)
      else {
        const fields = table.getIndexedFields(slot)
        this.messages.add(slot, fields)
        this.statistics.updateMessage(undefined, fields)
      }
    }
  }

  #message(before: Message | undefined, after: Message | undefined): void {
    this.messages.update(before, after)
    this.statistics.updateMessage(before, after)
  }

  #account(before: Account | undefined, after: Account | undefined): void {
    this.accounts.update(before, after)
    if (before !== undefined) {
      this.accountIdsByEmail.delete(normalizeEmail(before.email))
      this.accountIdsBySecretKey.delete(before.secretKey)
    }
    if (after === undefined) return
    this.accountIdsByEmail.set(normalizeEmail(after.email), after.id)
    this.accountIdsBySecretKey.set(after.secretKey, after.id)
  }
}

/** The tokens of a key, or of one who signs in. */
export function getTokenOwner({ account, person = '', kind }: TokenOwner): string {
  return `${account} ${kind === 'login' ? person : ''} ${kind}`
}

function createResourceIndexes(): Readonly<Record<ResourceName, ResourceIndex>> {
  return Object.fromEntries(
    resourceNames.map(name => [name, new ResourceIndex(resources[name])]),
  ) as Record<ResourceName, ResourceIndex>
}

function createAccountIndex<T extends { account: string; createdAt: number; id: string }>() {
  return new OwnedIndex<T>(
    ({ account }) => account,
    ({ createdAt, id }) => buildListKey(createdAt, id),
  )
}
