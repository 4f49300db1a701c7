import type { DoNotTextEntry } from '../../../domain/account/account.js'
import type { DecideWaiting } from '../do-not-text-store.js'
import type { MessagePlace } from '../message-store.js'
import type { Transactions } from './engine/engine.js'
import type { Transaction } from './engine/transaction.js'
import { hashNumber } from './message-table/record-search.js'
import { getMessageTable } from './records/collections.js'

/** Waiting messages that one transaction looks at, and that it blocks. */
const maxScanned = 20_000
const maxBlocked = 2000

/** Finds the waiting messages to numbers, block by block of the lists of their accounts. */
export function* scanWaitingTo(
  { data, indexes }: Transactions,
  entries: readonly Pick<DoNotTextEntry, 'scope' | 'number'>[],
): Generator<{ readonly scanned: number; readonly found: MessagePlace[] }> {
  const messages = getMessageTable(data)
  const scopes = new Set(entries.map(({ scope }) => scope))
  const numbers = new Set(entries.map(({ number }) => number))
  const hashes = new Set([...numbers].map(hashNumber))
  for (const [account, list] of indexes.messages.lists()) {
    if (!scopes.has(account) && !scopes.has('*')) continue
    for (const block of [...list.blocks]) {
      const slots = block.list(['N', 'E'])
      const found: MessagePlace[] = []
      for (const slot of slots) {
        if (!hashes.has(messages.getNumberHash(slot))) continue
        const message = messages.getAt(slot)
        if (message && numbers.has(message.number)) found.push({ account, id: message.id })
      }
      yield { scanned: slots.length + 1, found }
    }
  }
}

/** Blocks messages in the transaction that adds one entry; the caller blocks what is left. */
export function blockFirst(
  engine: Transactions,
  transaction: Transaction,
  added: readonly DoNotTextEntry[],
  now: number,
  decide: DecideWaiting,
): void {
  // An import would look at the waiting messages again for each part of it.
  if (added.length !== 1) return
  let examined = 0
  let blocked = 0
  for (const { scanned, found } of scanWaitingTo(engine, added)) {
    for (const { account, id } of found)
      transaction.applyChange(id, account, decide(transaction.get('message', id)), now)
    examined += scanned
    blocked += found.length
    if (examined >= maxScanned || blocked >= maxBlocked) return
  }
}
