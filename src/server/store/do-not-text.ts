import { setImmediate } from 'node:timers/promises'
import type { DoNotTextEntry } from '../../domain/account/account.js'
import { buildListKey } from '../../domain/list-key.js'
import { isWaiting, type Message, type MessageChange } from '../../domain/message/message.js'
import type { ReceivedText } from '../../domain/phone/received-text.js'
import type { AddedEntry, DecideWaiting } from './do-not-text-store.js'
import type { DecideReceivedText } from './received-text-store.js'
import type { Store } from './store.js'

const entriesPerCommit = 250
const entriesPerPage = 1000

type DecideMessage = (message: Message) => MessageChange

/** Lists all entries of the store's list in order of their times; other work runs meanwhile. */
export async function listDoNotText(
  { doNotText }: Pick<Store, 'doNotText'>,
  scope: string,
): Promise<DoNotTextEntry[]> {
  const all: DoNotTextEntry[] = []
  for (let after: string | undefined; ; await setImmediate()) {
    const page = await doNotText.getPage(scope, { count: entriesPerPage, after })
    for (const entry of page) all.push(entry)
    const last = page.at(-1)
    if (last === undefined || page.length < entriesPerPage) return all
    after = buildListKey(last.at, last.number)
  }
}

/**
 * Stores Do Not Text entries, and decides at `now`, in milliseconds since the epoch, on every
 * waiting message to their numbers that has no lease. Existing entries do not change. Many entries
 * or messages take several commits, between which other work runs. Resolves to the entries as
 * stored.
 */
export async function addToDoNotText(
  store: Pick<Store, 'doNotText' | 'messages'>,
  entries: readonly DoNotTextEntry[],
  now: number,
  decide: DecideMessage,
): Promise<DoNotTextEntry[]> {
  const distinct = [
    ...new Map(entries.map(each => [`${each.scope} ${each.number}`, each])).values(),
  ]
  const decideWaiting = toDecideWaiting(distinct, now, decide)
  const stored: AddedEntry[] = []
  for (let start = 0; start < distinct.length; start += entriesPerCommit) {
    const batch = distinct.slice(start, start + entriesPerCommit)
    stored.push(...(await store.doNotText.add(batch, now, decideWaiting)))
    await setImmediate()
  }
  const added = stored.filter(({ isNew }) => isNew).map(({ entry }) => entry)
  await blockWaitingMessages(store, added, decideWaiting)
  return stored.map(({ entry }) => entry)
}

/**
 * Stores a received text with its event, its effect on the Do Not Text list and its reply.
 * `decideMessage` decides on waiting messages to a number that it adds.
 */
export async function addReceivedText(
  store: Pick<Store, 'receivedTexts' | 'messages'>,
  received: ReceivedText,
  decide: DecideReceivedText,
  decideMessage: DecideMessage,
): Promise<ReceivedText> {
  const { account: scope, number = '', createdAt } = received
  const decideWaiting = toDecideWaiting([{ scope, number }], createdAt, decideMessage)
  let block: DoNotTextEntry | undefined
  const decideText: DecideReceivedText = facts => {
    const decision = decide(facts)
    block = decision.block
    return decision
  }
  const stored = await store.receivedTexts.add(received, decideText, decideWaiting)
  if (block !== undefined && stored.id === received.id)
    await blockWaitingMessages(store, [block], decideWaiting)
  return stored
}

/** Decides on messages without a lease to numbers of entries. */
function toDecideWaiting(
  entries: readonly Pick<DoNotTextEntry, 'scope' | 'number'>[],
  now: number,
  decide: DecideMessage,
): DecideWaiting {
  const listed = new Set(entries.map(({ scope, number }) => `${scope} ${number}`))
  return message => {
    if (message === undefined || !isWaiting(message)) return {}
    const { account, number, lease } = message
    const isListed = listed.has(`${account} ${number}`) || listed.has(`* ${number}`)
    return isListed && (lease?.until ?? 0) <= now ? decide(message) : {}
  }
}

/** If the process ends before, NEXT blocks the messages that are left. */
async function blockWaitingMessages(
  { messages }: Pick<Store, 'messages'>,
  added: readonly DoNotTextEntry[],
  decide: DecideWaiting,
): Promise<void> {
  if (added.length === 0) return
  for await (const places of messages.findWaitingTo(added)) {
    const changes = places.map(place => ({ ...place, decide }))
    for (const { error } of await messages.changeAll(changes)) if (error !== undefined) throw error
  }
}
