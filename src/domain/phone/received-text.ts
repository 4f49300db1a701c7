import type { Account, DoNotTextEntry } from '../account/account.js'
import type { AccountRecord } from '../account/account-record.js'
import { shortenNote } from '../account/do-not-text.js'
import type { Message } from '../message/message.js'
import type { EventName } from '../webhook/event.js'
import { createAutomaticReply, type ReplyFacts } from './automatic-reply.js'
import type { OptOutKeyword } from './opt-out-keywords.js'
import type { ReceivedMms } from './received-mms.js'

export interface ReceivedText extends AccountRecord, ReceivedMms {
  readonly from: string
  /**
   * Canonical number of the received text's sender; absent if it cannot be dialled, such as a name.
   */
  readonly number?: string
  readonly text: string
  readonly receivedAt: number
  readonly createdAt: number
  readonly phone?: string
  readonly to?: string
  readonly driver?: string
  /** The SIM or named driver that received the text. */
  readonly line?: string
  readonly word?: OptOutKeyword
  readonly once?: ReceivedTextKey
  readonly event?: number
  readonly reply?: string
}

export interface ReceivedTextKey {
  readonly key: string
  /**
   * Hash of the received text; a report with the same idempotency key and another hash is an error.
   */
  readonly digest: string
}

export interface ReceivedTextDecision {
  readonly block?: DoNotTextEntry
  readonly unblock?: boolean
  readonly events: readonly EventName[]
  readonly reply?: Message
}

export interface ReceivedTextFacts extends ReplyFacts {
  readonly listed: DoNotTextEntry | undefined
  readonly blocked: boolean
}

/**
 * Decides the effect of a received text. A stop keyword adds the sender to the list, and a start
 * keyword removes an entry of a keyword; both record no event of the text. All other texts record
 * `message.received`, also a start keyword that changes nothing: it may answer something else. The
 * account may have texts that answer a help keyword and confirm a stop keyword; a listed sender
 * gets neither.
 */
export function decideReceivedText(
  received: ReceivedText,
  facts: ReceivedTextFacts,
  { helpText, stopText }: Pick<Account, 'helpText' | 'stopText'>,
): ReceivedTextDecision {
  const { word, number, account, text, createdAt } = received
  const { listed, blocked } = facts
  const recordEvent: ReceivedTextDecision = { events: ['message.received'] }
  const answer = (reply: string | undefined) =>
    blocked ? undefined : createAutomaticReply(received, reply, facts)
  if (number === undefined || word === undefined) return recordEvent
  if (word === 'help') {
    const reply = answer(helpText)
    return reply === undefined ? recordEvent : { ...recordEvent, reply }
  }
  if (word === 'start')
    return listed?.reason === 'stop' ? { unblock: true, events: [] } : recordEvent
  if (listed !== undefined) return { events: [] }
  const origin = { reason: 'stop', by: number, note: shortenNote(text) } as const
  const block = { scope: account, number, at: createdAt, ...origin }
  const reply = answer(stopText)
  if (reply === undefined) return { block, events: [] }
  return { block, events: [], reply: { ...reply, confirmsOptOut: true } }
}
