import type { DoNotTextEntry } from '../account/account.js'
import type { AccountRecord } from '../account/account-record.js'
import { shortenNote } from '../account/do-not-text.js'
import type { EventName } from '../webhook/event.js'
import type { OptOutKeyword } from './opt-out-keywords.js'

/** Domain type of a received text; times in milliseconds since the epoch. */
export interface ReceivedText extends AccountRecord {
  /** Sender of a received text, as the phone reported it. */
  readonly from: string
  /** Sender's canonical number; absent if it cannot be dialled, such as a name. */
  readonly number?: string
  readonly text: string
  readonly receivedAt: number
  readonly createdAt: number
  readonly phone?: string
  /** The opt-out keyword, if the whole received text is one. */
  readonly word?: OptOutKeyword
  readonly once?: ReceivedTextKey
  readonly event?: number
}

export interface ReceivedTextKey {
  readonly key: string
  /**
   * Hash of the received text; a report with the same idempotency key and another hash is an error.
   */
  readonly digest: string
}

/** The effect of a received text on the account's Do Not Text list, and the events to record. */
export interface ReceivedTextDecision {
  readonly block?: DoNotTextEntry
  readonly unblock?: boolean
  readonly events: readonly EventName[]
}

/**
 * Decides the effect of a received text. A stop keyword adds the sender to the list, and a start
 * keyword removes an entry of a keyword; both record no event. All other texts record
 * `message.received`, also a start keyword that changes nothing: it may answer something else.
 *
 * @param listed the entry of the sender on the account's list
 */
export function decideReceivedText(
  received: ReceivedText,
  listed: DoNotTextEntry | undefined,
): ReceivedTextDecision {
  const { word, number, account, text, createdAt } = received
  const recordEvent: ReceivedTextDecision = { events: ['message.received'] }
  if (number === undefined || word === undefined || word === 'help') return recordEvent
  if (word === 'start')
    return listed?.reason === 'stop' ? { unblock: true, events: [] } : recordEvent
  if (listed !== undefined) return { events: [] }
  const origin = { reason: 'stop', by: number, note: shortenNote(text) } as const
  return { block: { scope: account, number, at: createdAt, ...origin }, events: [] }
}
