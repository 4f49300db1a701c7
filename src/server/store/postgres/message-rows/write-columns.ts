import { getDueTime, type Message } from '../../../../domain/message/message.js'
import {
  type CountName,
  getQuarterHour,
  listOutcomes,
} from '../../../../domain/message/message-counts.js'
import type { EventName } from '../../../../domain/webhook/event.js'
import type { AuditAppend } from '../../audit-store.js'
import type { IdempotencyKey } from '../../message-store.js'
import { toEntryValue } from '../audit/audited-statement.js'
import type { Statement } from '../connection/statement.js'
import { toEventCode } from '../events/event-code.js'
import {
  formatNumber,
  formatNumbers,
  formatText,
  formatTexts,
  toArrayLiteral,
} from '../groups/array-literal.js'
import { GroupColumns } from './group-count.js'
import { toDoc } from './message-row.js'
import { getWriteStatement } from './write-statement.js'

export interface MessageWrite {
  readonly account: string
  readonly id: string
  readonly was: number
  readonly message: Message | null
  readonly before: Message | undefined
  readonly events: readonly EventName[]
  /** What the statement checks of the facts of the decision, as `guardBits`. */
  readonly guards: number
  readonly key?: IdempotencyKey | undefined
  /**
   * Another message that was decided on; its version in the database rises, too, so that of two
   * decisions at once the later one is made again.
   */
  readonly original?: { readonly id: string; readonly was: number } | undefined
}

/**
 * Encodes writes as the parameters of the statement that makes all of them, and appends their
 * entry to the audit log.
 */
export function encodeWrites(
  writes: readonly MessageWrite[],
  { op, now, entry }: { op: string; now: number; entry?: AuditAppend | undefined },
): { readonly statement: Statement; readonly values: readonly unknown[] } {
  const events = new EventColumns()
  const keys = new KeyColumns()
  const counts = new CountColumns()
  const groups = new GroupColumns()
  for (const [at, { events: names, key, before, message }] of writes.entries()) {
    for (const name of names) events.add(at + 1, name)
    if (key !== undefined) keys.add(at + 1, key)
    if (message !== null) counts.add(at + 1, before, message)
    groups.add(at + 1, before, message)
  }
  const statement = getWriteStatement({
    creates: writes.some(({ was, message }) => was === 0 && message !== null),
    changes: writes.some(({ was, message }) => was > 0 && message !== null),
    removes: writes.some(({ message }) => message === null),
    keys: !keys.isEmpty,
    originals: writes.some(({ original }) => original !== undefined),
    counts: !counts.isEmpty,
    groups: !groups.isEmpty,
    events: !events.isEmpty,
    audit: entry !== undefined,
  })
  const values = [
    ...encodeRows(writes),
    op,
    now,
    ...events.encode(),
    ...keys.encode(),
    ...counts.encode(),
    keys.encodeAccounts(),
    counts.encodeChanges(),
    ...groups.encode(),
    ...encodeOriginals(writes),
    ...(entry === undefined ? [] : [toEntryValue(entry)]),
  ]
  return { statement, values }
}

/** One pass, because this is most of what this node does for a write. */
function encodeRows(writes: readonly MessageWrite[]): string[] {
  const texts = { account: '', id: '', status: '', holder: '', lastHolder: '', number: '' }
  const numbers = { was: '', due: '', status: '', until: '', claim: '', guards: '' }
  const docs: (object | null)[] = []
  for (const { account, id, was, message, guards } of writes) {
    const lease = message?.lease
    texts.account += formatText(account)
    texts.id += formatText(id)
    texts.status += formatText(message?.status)
    texts.holder += formatText(lease?.holder)
    texts.lastHolder += formatText(message?.lastHolder)
    texts.number += formatText(message?.number)
    numbers.was += `,${was}`
    numbers.due += formatNumber(message === null ? undefined : getDueTime(message))
    numbers.status += formatNumber(message?.statusAt)
    numbers.until += formatNumber(lease?.until)
    numbers.claim += formatNumber(lease?.claim)
    numbers.guards += `,${guards}`
    docs.push(message === null ? null : toDoc(message))
  }
  return [
    ...[texts.account, texts.id, numbers.was, texts.status, numbers.due, numbers.status],
    ...[texts.holder, numbers.until, numbers.claim, texts.lastHolder, texts.number],
    numbers.guards,
  ]
    .map(toArrayLiteral)
    .concat(JSON.stringify(docs))
}

class EventColumns {
  readonly #places: number[] = []
  readonly #codes: number[] = []

  get isEmpty(): boolean {
    return this.#places.length === 0
  }

  add(place: number, name: EventName): void {
    this.#places.push(place)
    this.#codes.push(toEventCode(name))
  }

  encode(): string[] {
    return [formatNumbers(this.#places), formatNumbers(this.#codes)]
  }
}

class KeyColumns {
  readonly #places: number[] = []
  readonly #keys: IdempotencyKey[] = []

  get isEmpty(): boolean {
    return this.#places.length === 0
  }

  add(place: number, key: IdempotencyKey): void {
    this.#places.push(place)
    this.#keys.push(key)
  }

  encode(): string[] {
    return [
      formatNumbers(this.#places),
      formatTexts(this.#keys.map(({ key }) => key)),
      formatTexts(this.#keys.map(({ digest }) => digest)),
      formatNumbers(this.#keys.map(({ until }) => until)),
    ]
  }

  encodeAccounts(): string {
    return formatTexts(this.#keys.map(({ account }) => account))
  }
}

function encodeOriginals(writes: readonly MessageWrite[]): string[] {
  const originals = writes.flatMap(({ original }, at) =>
    original === undefined ? [] : [{ ...original, place: at + 1 }],
  )
  return [
    formatNumbers(originals.map(({ place }) => place)),
    formatTexts(originals.map(({ id }) => id)),
    formatNumbers(originals.map(({ was }) => was)),
  ]
}

class CountColumns {
  readonly #places: number[] = []
  readonly #quarters: number[] = []
  readonly #names: CountName[] = []
  readonly #changes: number[] = []

  add(place: number, before: Message | undefined, after: Message): void {
    if (before === undefined) this.#addOne(place, 'created', after.createdAt, 1)
    if (before?.status === after.status && before.delivery === after.delivery) return
    if (before !== undefined) this.#addOutcomes(place, before, -1)
    this.#addOutcomes(place, after, 1)
  }

  get isEmpty(): boolean {
    return this.#places.length === 0
  }

  encode(): string[] {
    return [formatNumbers(this.#places), formatNumbers(this.#quarters), formatTexts(this.#names)]
  }

  encodeChanges(): string {
    return formatNumbers(this.#changes)
  }

  #addOutcomes(place: number, message: Message, change: number): void {
    for (const name of listOutcomes(message)) this.#addOne(place, name, message.statusAt, change)
  }

  #addOne(place: number, name: CountName, at: number, change: number): void {
    this.#places.push(place)
    this.#quarters.push(getQuarterHour(at))
    this.#names.push(name)
    this.#changes.push(change)
  }
}
