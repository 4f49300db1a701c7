import type { Message, MessageChange } from '../../../../domain/message/message.js'
import type { EventName } from '../../../../domain/webhook/event.js'
import type { DecisionFacts } from '../../message-store.js'
import type { StoreChange } from '../../store.js'
import type { Indexes } from '../indexes/indexes.js'
import { countDeleted } from '../lowdb-statistics.js'
import type { Collections, Entry, Kind, Records, WholeEntry } from '../records/collections.js'
import { findFieldChanges } from '../records/field-changes.js'

const notBlocked: DecisionFacts = { blocked: false }

interface StoreChangeDraft extends StoreChange {
  readonly messages: string[]
  readonly events: EventName[]
  readonly subscriptions: string[]
}

/** Changes that become durable together; each is seen by later transactions at once, and can be undone. */
export class Transaction {
  readonly #data: Collections
  readonly #indexes: Indexes
  readonly #entries: WholeEntry[] = []
  /** What each entry replaced. */
  readonly #before: (Records[Kind] | undefined)[] = []
  readonly #notices: StoreChangeDraft[] = []

  constructor(data: Collections, indexes: Indexes) {
    this.#data = data
    this.#indexes = indexes
  }

  /** Whether nothing changed. */
  get isEmpty(): boolean {
    return this.#entries.length === 0
  }

  /** What changed, in order; of a record that was there only the fields that differ, where they are the fewer. */
  get entries(): Entry[] {
    return this.#entries.map((entry, at) => toEntry(entry, this.#before[at]))
  }

  /** Whom it concerns. */
  get storeChanges(): readonly StoreChange[] {
    return this.#notices
  }

  /** A record as it is now. */
  get<K extends Kind>(kind: K, key: string): Records[K] | undefined {
    return this.#data[kind].get(key)
  }

  /** Every record of a kind. */
  values<K extends Kind>(kind: K): Iterable<Records[K]> {
    return this.#data[kind].values()
  }

  /** Keys and records of a kind. */
  pairs<K extends Kind>(kind: K): Iterable<[string, Records[K]]> {
    return this.#data[kind].entries()
  }

  /** Replaces a record, or removes it with `null`. */
  put<K extends Kind>(kind: K, key: string, value: Records[K] | null): void {
    const before = this.#data[kind].get(key)
    if (before === undefined && value === null) return
    this.#apply(kind, key, before, value ?? undefined)
    this.#before.push(before)
    this.#entries.push([kind, key, value] as unknown as WholeEntry)
  }

  /** Applies a decision on a message: its new form and the events it causes. */
  applyChange(
    id: string,
    account: string,
    change: MessageChange,
    now: number,
  ): Message | undefined {
    if (change.message !== undefined) {
      const current = this.get('message', id)
      if (change.message !== null) this.put('message', id, change.message)
      else if (current !== undefined) this.removeMessages([current])
      this.notify(account).messages.push(id)
    }
    for (const event of change.events ?? []) this.recordEvent(account, event, id, now)
    return this.get('message', id)
  }

  /** Removes messages for good; what they counted for goes on counting. */
  removeMessages(messages: readonly Message[]): void {
    const known = (id: string) => this.get('tally', id)
    const tallies = countDeleted(messages, this.#indexes.statistics.since, known)
    for (const { id } of messages) this.put('message', id, null)
    for (const tally of tallies) this.put('tally', tally.id, tally)
  }

  /** Tells that something of an account changed; returns the notice to add facts to. */
  notify(account: string): StoreChangeDraft {
    const known = this.#notices.find(notice => notice.account === account)
    if (known !== undefined) return known
    const notice = { account, messages: [], events: [], subscriptions: [] }
    this.#notices.push(notice)
    return notice
  }

  /** What a decision may know of a number. */
  getDecisionFacts(account: string, number: string): DecisionFacts {
    const blocks = this.#data.block
    const blocked =
      blocks.size > 0 && (blocks.has(`${account} ${number}`) || blocks.has(`* ${number}`))
    if (!this.#data.account.has(account)) return { blocked, accountMissing: true }
    return blocked ? { blocked } : notBlocked
  }

  /** Makes everything as it was before. */
  undo(): void {
    for (let entry = this.#entries.pop(); entry !== undefined; entry = this.#entries.pop()) {
      const [kind, key, value] = entry
      this.#apply(kind, key, value ?? undefined, this.#before.pop())
    }
  }

  /** Records an event of an object; returns its number. */
  recordEvent(account: string, event: EventName, message: string, at: number): number {
    const seq = this.#indexes.events.lastSeq + 1
    this.put('event', String(seq), { seq, account, event, message, at })
    this.notify(account).events.push(event)
    return seq
  }

  #apply<K extends Kind>(
    kind: K,
    key: string,
    before: Records[K] | undefined,
    after: Records[K] | undefined,
  ): void {
    const map = this.#data[kind] as Map<string, Records[K]>
    if (after === undefined) map.delete(key)
    else map.set(key, after)
    this.#indexes.update(kind, before, after)
  }
}

function toEntry(entry: WholeEntry, before: Records[Kind] | undefined): Entry {
  const [kind, key, value] = entry
  if (before === undefined || value === null) return entry
  const changes = findFieldChanges(before, value)
  return changes === undefined ? entry : [kind, key, changes, 'patch']
}
