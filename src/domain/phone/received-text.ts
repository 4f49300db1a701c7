import type { DoNotTextEntry } from '../account/account.js'
import type { AccountRecord } from '../account/account-record.js'
import { shortenNote } from '../account/do-not-text.js'
import type { EventName } from '../webhook/event.js'
import type { OptOutKeyword } from './opt-out-keywords.js'

/** A text that reached a phone, as kept. */
export interface ReceivedText extends AccountRecord {
  /** The sender, as the phone gave it. */
  readonly from: string
  /** The sender's canonical form; absent when it is none that can be dialled, such as a name. */
  readonly number?: string
  readonly text: string
  /** When it reached the phone, in milliseconds since the epoch. */
  readonly receivedAt: number
  /** When the service learnt of it, in milliseconds since the epoch. */
  readonly createdAt: number
  /** Name of the phone. */
  readonly phone?: string
  /** What it asks for, when it is nothing but a word for that. */
  readonly word?: OptOutKeyword
  /** The request that told of it, where that may be repeated. */
  readonly once?: ReceivedTextKey
  /** Number of its event, when it fired one. */
  readonly event?: number
}

/** How a repeated request is known. */
export interface ReceivedTextKey {
  readonly key: string
  /** Tells whether a repeated request is the same. */
  readonly digest: string
}

/** What a received text does to the account's Do Not Text list, and the events it causes. */
export interface ReceivedTextDecision {
  readonly block?: DoNotTextEntry
  /** Takes the sender off the list. */
  readonly unblock?: boolean
  readonly events: readonly EventName[]
}

/**
 * Decides what a received text does. A word that is obeyed fires no event: STOP lists the sender, START takes off an
 * entry that a word made. Every other text fires `message.received`, also a word that changes nothing, for it may be an
 * answer to something else.
 *
 * @param listed the account's entry of the sender's number
 */
export function decideReceivedText(
  received: ReceivedText,
  listed: DoNotTextEntry | undefined,
): ReceivedTextDecision {
  const { word, number, account, text, createdAt } = received
  const fired: ReceivedTextDecision = { events: ['message.received'] }
  if (word === undefined || number === undefined) return fired
  if (word === 'start') return listed?.reason === 'stop' ? { unblock: true, events: [] } : fired
  if (listed !== undefined) return { events: [] }
  const why = { reason: 'stop', by: number, note: shortenNote(text) } as const
  return { block: { scope: account, number, at: createdAt, ...why }, events: [] }
}
