import { limits } from '../limits.js'
import { type Message, maxAttempts } from './message.js'

/** How an attempt ended; `unknown` if nobody knows whether the text was sent. */
export const attemptOutcomes = ['sent', 'failed', 'unknown'] as const

/** One try of a phone to send a message. */
export interface Attempt {
  /** When the outcome of the attempt was known, in milliseconds since the epoch. */
  readonly at: number
  readonly outcome: (typeof attemptOutcomes)[number]
  /** The name of the phone that made the attempt, if it gave one. */
  readonly phone?: string | undefined
  /** Why the attempt failed, in the words of the phone's driver. */
  readonly error?: string
}

/** An attempt that did not end with a sent message. */
export interface FailedAttempt extends Attempt {
  readonly outcome: 'failed' | 'unknown'
  readonly error: string
}

const letters = { failed: 'f', unknown: 'u' } as const
const line = /^(\d+) ([fu]) ([^\t\n]*)\t(.*)$/s

/** The form of a message's {@link Message.attempts}. */
export const attemptsPattern = /^\d+ [fu] [^\t\n]*\t[^\n]*(?:\n\d+ [fu] [^\t\n]*\t[^\n]*)*$/

/**
 * Adds a failed attempt to what a message stores of its attempts: the last five, and of each error
 * the first 200 characters in one line.
 */
export function addAttempt(
  { attempts }: Pick<Message, 'attempts'>,
  { at, outcome, phone = '', error }: FailedAttempt,
): string {
  const words = error.slice(0, limits.attemptError).toWellFormed().replaceAll('\n', ' ')
  const added = `${at} ${letters[outcome]} ${phone}\t${words}`
  if (attempts === undefined) return added
  return [...attempts.split('\n'), added].slice(-maxAttempts).join('\n')
}

/**
 * Lists the last attempts of a message, the oldest first. That of the success follows from the
 * state of the message, so a message without failures stores nothing.
 */
export function listAttempts(message: Message): Attempt[] {
  const { attempts, status, statusAt, phone } = message
  const listed = attempts === undefined ? [] : attempts.split('\n').map(parseAttempt)
  if (status !== 'S') return listed
  return [...listed, { at: statusAt, outcome: 'sent', phone }]
}

function parseAttempt(text: string): Attempt {
  const [, at, letter, phone = '', error = ''] = line.exec(text) ?? []
  const outcome = letter === letters.unknown ? 'unknown' : 'failed'
  return { at: Number(at), outcome, phone: phone === '' ? undefined : phone, error }
}
