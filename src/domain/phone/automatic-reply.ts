import type { Message } from '../message/message.js'

/**
 * Rule of automatic replies from an account to a number: at most `count` within so many
 * milliseconds.
 */
const automaticReplyLimits = [
  { count: 3, within: 60 * 60 * 1000 },
  { count: 10, within: 24 * 60 * 60 * 1000 },
] as const

/** How long automatic replies count, in milliseconds. */
export const automaticReplyPeriod = 24 * 60 * 60 * 1000

export interface ReplyFacts {
  readonly replyId: string
  /** When earlier automatic replies went to the received text's sender, at least those of a day. */
  readonly replies: readonly number[]
}

/** Canonical form of a short code; behind them are machines, and many cannot be answered. */
const shortCode = /^\d{3,6}$/

interface AnsweredText {
  readonly account: string
  readonly number?: string
  readonly createdAt: number
}

/**
 * Creates the automatic reply to a received text, if its sender can be answered: a number that is
 * no short code, and that has not had too many replies, so that two machines cannot answer each
 * other for ever.
 */
export function createAutomaticReply(
  received: AnsweredText,
  text: string | undefined,
  { replyId, replies }: ReplyFacts,
): Message | undefined {
  const { account, number, createdAt: now } = received
  if (text === undefined || number === undefined || shortCode.test(number)) return undefined
  const isTooMany = automaticReplyLimits.some(
    ({ count, within }) => replies.filter(at => at > now - within).length >= count,
  )
  if (isTooMany) return undefined
  return {
    id: replyId,
    account,
    destination: number,
    number,
    text,
    source: 'api',
    status: 'N',
    createdAt: now,
    sendAt: now,
    statusAt: now,
    failures: 0,
  }
}
