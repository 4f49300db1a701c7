import type { ListedMessage, SentText } from '../../oracle/history.js'

/** A text that the modem or the SMSC sent; `isAnswered` is false if its phone heard nothing. */
export interface NetworkSend {
  readonly text: string
  readonly isAnswered: boolean
  /** The process of the phone that sent it, if it is known. */
  readonly life?: string
}

const unanswered = 'unanswered'

/** The texts that were sent for a phone. Each of those without an answer has a life of its own. */
export function toSentTexts(
  sends: readonly NetworkSend[],
  phone: string,
  listed: readonly ListedMessage[],
): SentText[] {
  const ids = new Map(listed.map(({ id, text }) => [text, id]))
  return sends.map(({ text, isAnswered, life: known }, at) => {
    const life = isAnswered ? (known ?? `${phone}/answered`) : `${phone}/${unanswered}-${at}`
    return { phone, life, id: ids.get(text) ?? 'unknown', text }
  })
}

/** Lives of the texts without an answer, each of which may be sent once more. */
export function listUnansweredLives(sends: readonly SentText[]): string[] {
  return sends.flatMap(({ life }) => (life.includes(unanswered) ? [life] : []))
}
