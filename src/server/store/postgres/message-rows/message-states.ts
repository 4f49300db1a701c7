import type { Message } from '../../../../domain/message/message.js'
import type { IdempotencyKey, StoredResult } from '../../message-store.js'
import type { Connection, Statement } from '../connection/statement.js'
import { formatTexts } from '../groups/array-literal.js'
import { Grouper } from '../groups/grouper.js'
import {
  type MessageDoc,
  type MessageRow,
  messageColumns,
  rowToMessage,
  toMessage,
} from './message-row.js'

export interface StateQuery {
  readonly account: string
  readonly id: string
  readonly number?: string | undefined
  readonly key?: Pick<IdempotencyKey, 'account' | 'key'> | undefined
}

export interface MessageState {
  readonly message: Message | undefined
  readonly version: number
  readonly op: string | undefined
  readonly blocked: boolean
  readonly accountMissing: boolean
  readonly stored: StoredResult | undefined
}

interface StateRow extends MessageRow {
  readonly n: number
  readonly op: string | null
  readonly blocked: boolean
  readonly account_missing: boolean
  readonly key_digest: string | null
  readonly key_until: number
  readonly key_message: string
  readonly key_doc: MessageDoc
}

const readStates: Statement = {
  name: 'read_message_states',
  text: `
select r.n, m.op, ${messageColumns},
  exists (select from do_not_text d
    where d.scope in (r.account, '*') and d.number = coalesce(r.number, m.number)) as blocked,
  not exists (select from account a where a.id = r.account) as account_missing,
  k.digest as key_digest, k.until as key_until, k.message as key_message, k.doc as key_doc
from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[])
  with ordinality as r(account, id, number, key_account, key, n)
left join message m on m.account = r.account and m.id = r.id
left join idempotency_key k on k.account = r.key_account and k.key = r.key`,
}

export class MessageStates {
  readonly #grouper: Grouper<StateQuery, MessageState>

  constructor(connection: Connection, retry: <T>(work: () => Promise<T>) => Promise<T>) {
    this.#grouper = new Grouper({
      send: async queries => {
        const values = encode(queries)
        const rows = await retry(async () => await connection.query<StateRow>(readStates, values))
        const states: MessageState[] = []
        for (const row of rows) states[row.n - 1] = toState(row, queries[row.n - 1])
        return states
      },
    })
  }

  read(query: StateQuery): Promise<MessageState> {
    return this.#grouper.add(query)
  }
}

function encode(queries: readonly StateQuery[]): string[] {
  return [
    formatTexts(queries.map(({ account }) => account)),
    formatTexts(queries.map(({ id }) => id)),
    formatTexts(queries.map(({ number }) => number)),
    formatTexts(queries.map(({ key }) => key?.account)),
    formatTexts(queries.map(({ key }) => key?.key)),
  ]
}

function toState(row: StateRow, query: StateQuery | undefined): MessageState {
  const exists = row.version !== null
  return {
    message: exists ? rowToMessage(row) : undefined,
    version: exists ? row.version : 0,
    op: row.op ?? undefined,
    blocked: row.blocked,
    accountMissing: row.account_missing,
    stored:
      row.key_digest === null
        ? undefined
        : {
            digest: row.key_digest,
            until: row.key_until,
            message: toMessage(query?.account ?? '', row.key_message, row.key_doc),
          },
  }
}
