import {
  getAccountLimit,
  type RecordLimitName,
  tooManyRecordsError,
} from '../../../../domain/account-limits.js'
import { isWaiting, type Message, type MessageChange } from '../../../../domain/message/message.js'
import {
  type CountName,
  createEmptyCounts,
  type DeletedCounts,
  getQuarterHour,
  listOutcomes,
} from '../../../../domain/message/message-counts.js'
import type { EventName } from '../../../../domain/webhook/event.js'
import { resourceNames, resources } from '../../../../resources/resources.js'
import type { AuditAppend, AuditedKind, RecordChange } from '../../audit-store.js'
import type { DecisionFacts } from '../../message-store.js'
import type { StoreChange } from '../../store.js'
import type { Indexes } from '../indexes/indexes.js'
import {
  buildDoNotTextKey,
  type Collections,
  type Entry,
  type Kind,
  type RecordMap,
  type Records,
  type WholeEntry,
} from '../records/collections.js'
import { findFieldChanges } from '../records/field-changes.js'

const auditedKinds: { readonly [K in Kind]?: AuditedKind } = {
  ...{ account: 'account', person: 'person', invitation: 'invitation', token: 'token' },
  ...Object.fromEntries(resourceNames.map(name => [name, name])),
  ...{ capability: 'secret_url', phone: 'phone', contact: 'contact', block: 'do_not_text' },
  ...{ subscription: 'subscription', message: 'message' },
}

/** The kinds of records of which an account may have so many. */
const limitedKinds: { readonly [K in Kind]?: RecordLimitName } = {
  ...Object.fromEntries(resourceNames.map(name => [name, resources[name].limit])),
  ...{ capability: 'secretUrls', contact: 'contacts', person: 'people', invitation: 'invitations' },
}

const notBlocked: DecisionFacts = { blocked: false }

interface StoreChangeDraft extends StoreChange {
  readonly messages: string[]
  readonly holders: string[]
  readonly events: EventName[]
  readonly subscriptions: string[]
}

export class Transaction {
  readonly #data: Collections
  readonly #indexes: Indexes
  readonly #entries: WholeEntry[] = []
  readonly #before: (Records[Kind] | undefined)[] = []
  readonly #storeChanges: StoreChangeDraft[] = []

  constructor(data: Collections, indexes: Indexes) {
    this.#data = data
    this.#indexes = indexes
  }

  get isEmpty(): boolean {
    return this.#entries.length === 0
  }

  /**
   * The transaction's changes in order; of a replaced record only the changed fields, if these are
   * few.
   */
  get entries(): Entry[] {
    return this.#entries.map((entry, at) => toEntry(entry, this.#before[at]))
  }

  get auditedChanges(): RecordChange[] {
    return this.#entries.flatMap(([kind, , after], at) => {
      const audited = auditedKinds[kind]
      const change = { kind: audited, before: this.#before[at], after: after ?? undefined }
      return audited === undefined ? [] : [change as RecordChange]
    })
  }

  get storeChanges(): readonly StoreChange[] {
    return this.#storeChanges
  }

  get<K extends Kind>(kind: K, key: string): Records[K] | undefined {
    return this.#data[kind].get(key)
  }

  values<K extends Kind>(kind: K): Iterable<Records[K]> {
    return this.#data[kind].values()
  }

  pairs<K extends Kind>(kind: K): Iterable<[string, Records[K]]> {
    return this.#data[kind].entries()
  }

  /** Throws `invalid_state` for a new record of which the account may have no more. */
  put<K extends Kind>(kind: K, key: string, value: Records[K] | null): void {
    const before = this.get(kind, key)
    if (before === undefined && value === null) return
    const limit = before === undefined ? limitedKinds[kind] : undefined
    if (limit !== undefined) this.#assertRoom(kind, limit, value as { readonly account: string })
    this.#replace(kind, key, before, value)
  }

  #assertRoom(kind: Kind, limit: RecordLimitName, { account }: { readonly account: string }): void {
    const max = getAccountLimit(this.get('account', account)?.limits, limit)
    if (this.#indexes.count(kind, account) >= max) throw tooManyRecordsError(limit, max)
  }

  /**
   * Applies a decision on a message in the store's transaction and records its events; returns the
   * new message.
   */
  applyChange(
    id: string,
    account: string,
    change: MessageChange,
    now: number,
  ): Message | undefined {
    const current = this.get('message', id)
    const { message = current, events } = change
    if (change.message !== undefined) {
      if (change.message !== null) this.#replace('message', id, current, change.message)
      else if (current !== undefined) this.removeMessages([current])
      this.#notifyOfMessage(account, id, change.message)
    }
    for (const event of events ?? []) this.recordEvent(account, event, id, now)
    return message ?? undefined
  }

  removeMessages(messages: readonly Message[]): void {
    const find = (id: string) => this.get('tally', id)
    const counts = countDeleted(messages, this.#indexes.statistics.since, find)
    for (const { id } of messages) this.put('message', id, null)
    for (const count of counts) this.put('tally', count.id, count)
  }

  notify(account: string): StoreChangeDraft {
    const present = this.#storeChanges.find(change => change.account === account)
    if (present !== undefined) return present
    const change = { account, messages: [], holders: [], events: [], subscriptions: [] }
    this.#storeChanges.push(change)
    return change
  }

  getDecisionFacts(account: string, number: string): DecisionFacts {
    const blocks = this.#data.block
    const blocked =
      blocks.size > 0 &&
      (blocks.has(buildDoNotTextKey(account, number)) || blocks.has(buildDoNotTextKey('*', number)))
    if (!this.#data.account.has(account)) return { blocked, accountMissing: true }
    return blocked ? { blocked } : notBlocked
  }

  /** Stores an entry of the audit log with its event, unless its account does not exist. */
  appendAudit({ entry, event }: AuditAppend): void {
    const { id, account, at } = entry
    this.put('audit', id, entry)
    if (event === undefined || this.get('account', account) === undefined) return
    this.recordEvent(account, event, id, at)
  }

  undo(): void {
    for (let entry = this.#entries.pop(); entry !== undefined; entry = this.#entries.pop()) {
      const [kind, key, value] = entry
      this.#apply(kind, key, value ?? undefined, this.#before.pop())
    }
  }

  /** Records an event about a message or received text; returns its number. */
  recordEvent(account: string, event: EventName, message: string, at: number): number {
    const seq = this.#indexes.events.lastSeq + 1
    const record = { seq, account, event, message, at }
    this.#replace('event', String(seq), undefined, record)
    this.notify(account).events.push(event)
    return seq
  }

  #notifyOfMessage(account: string, id: string, message: Message | null): void {
    const change = this.notify(account)
    change.messages.push(id)
    const holder = message !== null && isWaiting(message) ? message.lease?.holder : undefined
    if (holder !== undefined) change.holders.push(holder)
  }

  #replace<K extends Kind>(
    kind: K,
    key: string,
    before: Records[K] | undefined,
    value: Records[K] | null,
  ): void {
    this.#apply(kind, key, before, value ?? undefined)
    this.#before.push(before)
    this.#entries.push([kind, key, value] as unknown as WholeEntry)
  }

  #apply<K extends Kind>(
    kind: K,
    key: string,
    before: Records[K] | undefined,
    after: Records[K] | undefined,
  ): void {
    const map: RecordMap<Records[K]> = this.#data[kind]
    if (after !== undefined) map.set(key, after)
    this.#indexes.update(kind, before, after)
    if (after === undefined) map.delete(key)
  }
}

function toEntry(entry: WholeEntry, before: Records[Kind] | undefined): Entry {
  const [kind, key, value] = entry
  if (before === undefined || value === null) return entry
  const changes = findFieldChanges(before, value)
  return changes === undefined ? entry : [kind, key, changes, 'patch']
}

type DeletedCountsDraft = Omit<DeletedCounts, CountName> & Record<CountName, number>

/**
 * Counts messages that are about to be deleted, so that statistics keep them.
 *
 * @param since first quarter of an hour with counts
 * @param find finds the present counts by their identifier
 * @returns the new counts of each account and quarter of an hour
 */
function countDeleted(
  messages: readonly Message[],
  since: number,
  find: (id: string) => DeletedCounts | undefined,
): Iterable<DeletedCounts> {
  const byId = new Map<string, DeletedCountsDraft>()
  const count = (account: string, name: CountName, at: number): void => {
    const quarter = getQuarterHour(at)
    if (quarter < since) return
    const id = `${account} ${quarter}`
    const counts = byId.get(id) ?? { ...createEmptyCounts(), id, account, quarter, ...find(id) }
    counts[name] += 1
    byId.set(id, counts)
  }
  for (const message of messages) {
    count(message.account, 'created', message.createdAt)
    for (const outcome of listOutcomes(message)) count(message.account, outcome, message.statusAt)
  }
  return byId.values()
}
