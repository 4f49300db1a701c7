import type { DoNotTextEntry } from '../../../../domain/account/account.js'
import { isWaiting, type Message, type MessageChange } from '../../../../domain/message/message.js'
import type { MessageStore } from '../../message-store.js'
import type { Statement } from '../connection/statement.js'
import { type RecordContext, runStatement } from './record-context.js'

/** Messages that are read and decided on together. */
const batch = 2000

export interface BlockRequest {
  readonly added: readonly DoNotTextEntry[]
  readonly now: number
  readonly decide: (message: Message) => MessageChange
}

interface WaitingRow {
  readonly account: string
  readonly id: string
}

const findWaiting: Statement = {
  name: 'message-find-waiting',
  text: `
    select distinct account, id
    from unnest($1::text[], $2::text[]) as entry (scope, listed), message
    where number = listed and (scope = '*' or account = scope)
      and status in ('N', 'E')
      and (account, id) > ($3, $4)
    order by account, id limit $5`,
}

/**
 * Decides on the messages that wait for numbers just added to Do Not Text lists, and have no lease.
 * If the process ends before, NEXT blocks them.
 */
export async function blockListedMessages(
  context: RecordContext,
  messages: MessageStore,
  { added, now, decide }: BlockRequest,
): Promise<void> {
  if (added.length === 0) return
  const lists = [added.map(({ scope }) => scope), added.map(({ number }) => number)]
  const numbers = new Set(lists[1])
  const decideWaiting = (message: Message | undefined): MessageChange => {
    const isListed = message !== undefined && isWaiting(message) && numbers.has(message.number)
    return isListed && (message.lease?.until ?? 0) <= now ? decide(message) : {}
  }
  let last: WaitingRow | undefined = { account: '', id: '' }
  while (last !== undefined) {
    const values = [...lists, last.account, last.id, batch]
    const rows: WaitingRow[] = await runStatement<WaitingRow>(context, findWaiting, values)
    if (rows.length === 0) return
    const results = await messages.changeAll(
      rows.map(({ account, id }) => ({ account, id, decide: decideWaiting })),
    )
    for (const { error } of results) if (error !== undefined) throw error
    last = rows.length < batch ? undefined : rows.at(-1)
  }
}
