import type { Account } from '../../../domain/account/account.js'
import type { Message } from '../../../domain/message/message.js'
import { describeReceived } from '../../../domain/phone/received-mms.js'
import type { ReceivedText } from '../../../domain/phone/received-text.js'
import { toCanonicalNumber } from '../../../domain/sms/phone-number.js'
import type { ServerContext } from '../../http/server-context.js'
import { searchMessages } from '../../services/messages/message-search.js'

export type ConversationContext = Pick<
  ServerContext,
  'messages' | 'receivedTexts' | 'doNotText' | 'contacts' | 'phones'
>

export interface ConversationOverview {
  readonly entries: readonly ConversationEntry[]
  readonly names: ReadonlyMap<string, string>
}

export interface ConversationEntry {
  /** Number, or the name of a sender without one. */
  readonly number: string
  /** Milliseconds since the epoch. */
  readonly at: number
  readonly text: string
  readonly message?: Message
  readonly received?: ReceivedText
}

/** Rule: so many of the latest messages and received texts the list of conversations covers. */
export const maxCovered = 500
const maxConversations = 100
const maxEntries = 100
const pageSize = 200
/** Received texts that are looked at for the conversation of a sender without a number. */
const maxReceived = 2000

/** Lists the last entry of each conversation of an account, newest first. */
export async function listConversations(
  { messages, receivedTexts, contacts }: ConversationContext,
  account: Account,
  words: string,
): Promise<ConversationOverview> {
  const page = { filter: 'all', start: 0, count: maxCovered, order: 'desc' } as const
  const [sent, received] = await Promise.all([
    messages.list(account, page),
    receivedTexts.list(account, maxCovered),
  ])
  const entries = [...sent.map(toSentEntry), ...received.map(toReceivedEntry)]
  entries.sort((a, b) => b.at - a.at)
  if (words === '') {
    const last = listLastEntries(entries)
    return { entries: last, names: await contacts.findNames(account, listNumbers(last)) }
  }
  const names = await contacts.findNames(account, listNumbers(entries))
  const search = words.toLowerCase()
  const matches = entries.filter(({ number, text }) =>
    [number, text, names.get(number)].some(each => each?.toLowerCase().includes(search)),
  )
  return { entries: listLastEntries(matches), names }
}

/** The first entry of each conversation, of entries in order from the newest. */
function listLastEntries(entries: readonly ConversationEntry[]): ConversationEntry[] {
  const last = new Map<string, ConversationEntry>()
  for (const entry of entries) {
    if (last.size === maxConversations) break
    if (!last.has(entry.number)) last.set(entry.number, entry)
  }
  return [...last.values()]
}

function listNumbers(entries: readonly ConversationEntry[]): string[] {
  return entries.map(({ number }) => number)
}

/** Loads the latest messages and received texts of one number, oldest first. */
export async function loadConversation(
  { messages, receivedTexts }: ConversationContext,
  account: Account,
  number: string,
): Promise<ConversationEntry[]> {
  const search = { filter: 'all', start: 0, count: maxEntries, number } as const
  const [found, received] = await Promise.all([
    searchMessages(messages, account, search),
    findReceived({ receivedTexts }, account, number),
  ])
  const entries = [...found.messages.map(toSentEntry), ...received.map(toReceivedEntry)]
  return entries.sort((a, b) => a.at - b.at).slice(-maxEntries)
}

export async function isOptedOut(
  { doNotText }: ConversationContext,
  account: Account,
  number: string,
): Promise<boolean> {
  return (await doNotText.findListed(account, [number])).length > 0
}

/** Texts of a sender that cannot be dialled, such as a name, have no index. */
async function findReceived(
  { receivedTexts }: Pick<ConversationContext, 'receivedTexts'>,
  account: Account,
  number: string,
): Promise<ReceivedText[]> {
  if (toCanonicalNumber(number, account.country) === number)
    return await receivedTexts.listFrom(account, number, maxEntries)
  const found: ReceivedText[] = []
  let before: string | undefined
  for (let seen = 0; seen < maxReceived && found.length < maxEntries; seen += pageSize) {
    const page = await receivedTexts.list(account, pageSize, before)
    found.push(...page.filter(each => getSender(each) === number))
    if (page.length < pageSize) break
    before = page.at(-1)?.id
  }
  return found
}

function toSentEntry(message: Message): ConversationEntry {
  return { number: message.number, at: message.createdAt, text: message.text, message }
}

function toReceivedEntry(received: ReceivedText): ConversationEntry {
  const text = describeReceived(received)
  return { number: getSender(received), at: received.receivedAt, text, received }
}

function getSender({ number, from }: ReceivedText): string {
  return number ?? from
}
