import { setImmediate } from 'node:timers/promises'
import type { Message, MessageChange } from '../../../domain/message/message.js'
import type { Transactions } from './engine/engine.js'
import type { Transaction } from './engine/transaction.js'
import type { MessageListBlock } from './indexes/message-list-block.js'
import { buildDoNotTextKey, getDoNotTextNumber, getMessageTable } from './records/collections.js'

/** Waiting messages to examine in one transaction, by their numbers alone and in full. */
const maxScanned = 20_000
const maxExamined = 2000

export interface BlockRequest {
  readonly scopes: ReadonlySet<string>
  readonly added: ReadonlySet<string>
  readonly now: number
  readonly decide: (message: Message) => MessageChange
}

/**
 * Decides on the messages that wait for numbers just added to Do Not Text lists. NEXT blocks what
 * is left when the process ends before.
 *
 * @returns whether all waiting messages were examined; else {@link blockRemaining} goes on
 */
export function blockFirst(
  { indexes }: Transactions,
  transaction: Transaction,
  request: BlockRequest,
): boolean {
  if (request.added.size === 0) return true
  const numbers = new Set([...request.added].map(getDoNotTextNumber))
  const ids: string[] = []
  let scanned = 0
  for (const account of getAccounts(request)) {
    for (const { id, number } of indexes.messages.waiting(account)) {
      scanned += 1
      if (scanned > maxScanned || ids.length === maxExamined) return false
      if (numbers.has(number)) ids.push(id)
    }
  }
  blockAll(transaction, ids, request)
  return true
}

export async function blockRemaining(engine: Transactions, request: BlockRequest): Promise<void> {
  const messages = getMessageTable(engine.data)
  const blocks = findBlocks(engine, request)
  for (let isLast = false; !isLast; ) {
    isLast = await engine.transact(transaction => {
      for (let examined = 0; examined < maxExamined; ) {
        const slots = blocks.next().value?.list(['N', 'E'])
        if (slots === undefined) return true
        examined += slots.length + 1
        const found = slots.map(slot => messages.getAt(slot)?.id ?? '')
        blockAll(transaction, found, request)
      }
      return false
    })
    await setImmediate()
  }
}

function* findBlocks(
  { indexes }: Transactions,
  request: BlockRequest,
): Generator<MessageListBlock, undefined> {
  for (const account of getAccounts(request)) {
    const lists =
      account === undefined
        ? [...indexes.messages.lists()].map(([, list]) => list)
        : [indexes.messages.getList(account)]
    for (const list of lists) yield* [...list.blocks]
  }
}

function getAccounts({ scopes }: BlockRequest): (string | undefined)[] {
  return scopes.has('*') ? [undefined] : [...scopes]
}

function blockAll(
  transaction: Transaction,
  ids: readonly string[],
  { added, now, decide }: BlockRequest,
): void {
  for (const id of ids) {
    const message = transaction.get('message', id)
    if (message === undefined || (message.lease?.until ?? 0) > now) continue
    const { account, number } = message
    const isAdded = (scope: string) => added.has(buildDoNotTextKey(scope, number))
    if (isAdded(account) || isAdded('*')) {
      transaction.applyChange(id, account, decide(message), now)
    }
  }
}
