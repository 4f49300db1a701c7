import { DatabaseError } from 'pg'
import type { DoNotTextEntry } from '../../../../domain/account/account.js'
import { buildListKey } from '../../../../domain/list-key.js'
import { getDueTime, type Message } from '../../../../domain/message/message.js'
import { formatGroup, getQuarterHour } from '../../../../domain/message/message-counts.js'
import type { ReceivedText, ReceivedTextDecision } from '../../../../domain/phone/received-text.js'
import type { EventName } from '../../../../domain/webhook/event.js'
import { RelayError } from '../../../../errors.js'
import type {
  DecideReceivedText,
  ReceivedTextQuery,
  ReceivedTextStore,
} from '../../received-text-store.js'
import type { Statement } from '../connection/statement.js'
import {
  addReceived,
  deleteReceived,
  listReceived,
  listReceivedFrom,
  readReceived,
  readReceivedFacts,
} from './received-statements.js'
import { notifyOf, type RecordContext, runStatement } from './record-context.js'
import { uniqueViolation } from './record-table.js'

const deletedPerStatement = 250

interface ReceivedRow {
  readonly doc: Omit<ReceivedText, 'event'>
  readonly event: number | null
}

interface FactRow {
  readonly listed: DoNotTextEntry | null
  readonly isListedForAll: boolean
  readonly stored: ReceivedRow | null
  readonly replies: readonly number[]
  readonly lastReply: number
}

/** Texts that phones received, in PostgreSQL; each with its effect in one statement. */
export class PostgresReceivedTexts implements ReceivedTextStore {
  readonly #context: RecordContext

  constructor(context: RecordContext) {
    this.#context = context
  }

  async get(id: string): Promise<ReceivedText | undefined> {
    return (await this.#list(readReceived, [id]))[0]
  }

  async list(query: ReceivedTextQuery): Promise<ReceivedText[]> {
    const { account, count, before, number, selection } = query
    const values = [account, before ?? null, count]
    return number === undefined
      ? await this.#list(listReceived, [...values, selection !== 'text'])
      : await this.#list(listReceivedFrom, [...values, number])
  }

  async add(received: ReceivedText, decide: DecideReceivedText): Promise<ReceivedText> {
    let decision: ReceivedTextDecision | undefined
    let stored: ReceivedText | undefined
    while (stored === undefined) {
      const facts = await this.#readFacts(received)
      if (facts.stored === null) {
        const { listed, isListedForAll, replies } = facts
        const blocked = listed !== null || isListedForAll
        decision = decide({ listed: listed ?? undefined, blocked, replies })
        stored = await this.#write(received, decision, facts)
      } else stored = requireSame(received, facts.stored)
    }
    if (decision !== undefined) this.#notify(received.account, decision)
    return stored
  }

  async *purge(before: number): AsyncGenerator<number> {
    for (;;) {
      const values = [before, deletedPerStatement]
      const { length } = await runStatement(this.#context, deleteReceived, values)
      yield length
      if (length < deletedPerStatement) return
    }
  }

  async #readFacts({ id, account, number, once, createdAt }: ReceivedText): Promise<FactRow> {
    const values = [account, number ?? null, id, once?.key ?? null, createdAt]
    const [row] = await runStatement<FactRow>(this.#context, readReceivedFacts, values)
    return row as FactRow
  }

  async #write(
    received: ReceivedText,
    decision: ReceivedTextDecision,
    facts: FactRow,
  ): Promise<ReceivedText | undefined> {
    const { account, createdAt } = received
    const { block, unblock = false, events, reply } = decision
    const doc = reply === undefined ? received : { ...received, reply: reply.id }
    const values = [
      ...[account, received.number ?? null, received.id, received.once?.key ?? null, createdAt],
      ...[facts.listed !== null, facts.isListedForAll, events.includes('message.received')],
      ...[reply === undefined ? null : facts.lastReply + 1, JSON.stringify(doc)],
      ...encodeEntry(block),
      ...[this.#context.createOperation(), unblock && facts.listed !== null],
      ...encodeReply(reply),
      ...[getQuarterHour(createdAt), reply === undefined ? null : formatGroup(reply)],
    ]
    const [row] = await this.#addUnlessTaken(values)
    return row && toReceived({ doc, event: row.event })
  }

  async #addUnlessTaken(values: readonly unknown[]): Promise<Pick<ReceivedRow, 'event'>[]> {
    try {
      return await runStatement(this.#context, addReceived, values)
    } catch (error) {
      if (error instanceof DatabaseError && error.code === uniqueViolation) return []
      throw error
    }
  }

  #notify(account: string, { block, unblock, events, reply }: ReceivedTextDecision): void {
    const names: EventName[] = [...events]
    if (block !== undefined) names.push('number.blocked')
    if (unblock === true) names.push('number.unblocked')
    if (reply !== undefined) names.push('message.create')
    const messages = reply === undefined ? [] : [reply.id]
    if (names.length > 0) notifyOf(this.#context, account, { events: names, messages })
  }

  async #list(statement: Statement, values: readonly unknown[]): Promise<ReceivedText[]> {
    return (await runStatement<ReceivedRow>(this.#context, statement, values)).map(toReceived)
  }
}

function toReceived({ doc, event }: ReceivedRow): ReceivedText {
  return event === null ? doc : { ...doc, event }
}

/** The text that a repeated request stored first. Throws `invalid_request` for another text. */
function requireSame({ id, once }: ReceivedText, row: ReceivedRow): ReceivedText {
  const stored = toReceived(row)
  if (stored.id === id || stored.once?.digest === once?.digest) return stored
  throw new RelayError(
    'invalid_request',
    'This `Idempotency-Key` was used for another text; use a new one for each.',
  )
}

function encodeEntry(entry: DoNotTextEntry | undefined): (string | null)[] {
  if (entry === undefined) return [null, null]
  return [buildListKey(entry.at, entry.number), JSON.stringify(entry)]
}

/** A new message has no lease, so that its document has all that no column has. */
function encodeReply(reply: Message | undefined): (string | number | null)[] {
  if (reply === undefined) return [null, null, null]
  const { id, account: _, ...doc } = reply
  return [id, JSON.stringify(doc), getDueTime(reply)]
}
