// Messages as rows of the database.
// - message-row: the columns and the document of a message
// - message-states: reads groups of messages with what decisions on them need
// - message-writes, write-columns, write-statement: write groups of messages with their events
// - group-count: counts the written messages by what they have in common
//
// The document has all fields of a message but the lease, so that a claim leaves it as it is.
// Other columns repeat the fields by which messages are found.
import { getAudit } from '../../audit-scope.js'
import type { RecordChange } from '../../audit-store.js'
import type { Connection } from '../connection/statement.js'
import { Grouper } from '../groups/grouper.js'
import { encodeWrites, type MessageWrite } from './write-columns.js'

export interface WriteResult {
  readonly isWritten: boolean
  readonly isUncertain: boolean
  readonly op: string
}

export interface MessageWritesContext {
  readonly connection: Connection
  readonly retry: <T>(work: () => Promise<T>) => Promise<T>
  readonly newOp: () => string
  readonly now: () => number
}

function toChange({ before, message }: MessageWrite): RecordChange<'message'> {
  return { kind: 'message', before, after: message ?? undefined }
}

export class MessageWrites {
  readonly #context: MessageWritesContext
  readonly #grouper = new Grouper<MessageWrite, WriteResult>({
    send: async writes => await this.#send(writes),
    getKey: ({ id }) => id,
  })

  constructor(context: MessageWritesContext) {
    this.#context = context
  }

  add(write: MessageWrite): Promise<WriteResult> {
    return this.#grouper.add(write)
  }

  async #send(writes: readonly MessageWrite[]): Promise<WriteResult[]> {
    const { connection, retry, newOp, now } = this.#context
    const audit = getAudit()
    const op = newOp()
    const changes = audit && writes.map(toChange)
    const entry = changes && audit?.describe(changes)
    const { statement, values } = encodeWrites(writes, { op, now: now(), entry })
    let runs = 0
    const rejected = await retry(async () => {
      runs += 1
      return await connection.query<{ n: number }>(statement, values, writes.length)
    })
    const isUncertain = runs > 1
    const written = { isWritten: true, isUncertain, op }
    const places = new Set(rejected.map(({ n }) => n))
    if (changes) audit?.confirm(changes.filter((_, at) => !places.has(at + 1)))
    if (rejected.length === 0) return writes.map(() => written)
    const other = { isWritten: false, isUncertain, op }
    return writes.map((_, at) => (places.has(at + 1) ? other : written))
  }
}
