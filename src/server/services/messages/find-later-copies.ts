import type { Account } from '../../../domain/account/account.js'
import type { Message } from '../../../domain/message/message.js'
import { searchMessages } from './message-search.js'
import type { MessageService } from './message-service.js'

/** Messages from the dashboard that are compared with the failed ones. */
const maxCompared = 10_000

/**
 * Finds for failed messages, by their ids, the latest later message that a person sent to the same
 * number with the same text; cancelled and blocked ones do not count. The service looks at the
 * latest 50,000 messages, or at those of the number if all failed messages have the same one.
 */
export async function findLaterCopies(
  service: Pick<MessageService, 'search' | 'searchSizes'>,
  account: Account,
  failed: readonly Message[],
): Promise<Map<string, Message>> {
  const [first] = failed
  if (first === undefined) return new Map()
  const since = failed.reduce((oldest, { createdAt }) => Math.min(oldest, createdAt), Infinity)
  const { messages } = await searchMessages(service, account, {
    filter: 'all',
    source: 'website',
    since,
    start: 0,
    count: maxCompared,
    number: failed.every(({ number }) => number === first.number) ? first.number : undefined,
  })
  const latest = new Map<string, Message>()
  for (const message of messages.toReversed())
    if (message.status !== 'D' && message.status !== 'B') latest.set(toKey(message), message)
  const copies = new Map<string, Message>()
  for (const message of failed) {
    const copy = latest.get(toKey(message))
    const isLater = copy !== undefined && copy.createdAt >= message.createdAt
    if (isLater && copy.id !== message.id) copies.set(message.id, copy)
  }
  return copies
}

function toKey({ number, text }: Pick<Message, 'number' | 'text'>): string {
  return `${number} ${text}`
}
