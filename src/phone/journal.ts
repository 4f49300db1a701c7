import { createHash } from 'node:crypto'
import type { MessageFields } from '../contract/message.js'
import type { Outcome } from './outcome.js'

/**
 * What a phone remembers of its attempts, so that nothing is sent twice. This one lives in memory; the one that
 * survives a crash keeps the same four moments.
 */
export interface Journal {
  /** The outcome of an earlier attempt that is to be reported instead of sending this message again. */
  recall(message: MessageFields): Promise<Outcome | undefined>
  /** The driver is about to be called. */
  begin(message: MessageFields): Promise<void>
  /** The driver has answered; nothing is reported yet. */
  record(message: MessageFields, outcome: Outcome): Promise<void>
  /** No attempt took place after all. */
  cancel(message: MessageFields): Promise<void>
  /** The relay has answered the report. */
  settle(message: MessageFields): Promise<void>
}

/**
 * A {@link Journal} that remembers what was sent, up to `most` messages. Whatever was not surely sent is forgotten:
 * when the relay hands it out again, somebody has decided that it may go.
 */
export function memoryJournal(most = 10_000): Journal {
  const sent = new Map<string, { outcome: Outcome; content: string }>()
  return {
    async recall(message) {
      const known = sent.get(message.id)
      return known?.content === content(message) ? known.outcome : undefined
    },
    async begin() {},
    async record(message, outcome) {
      if (outcome.result !== 'sent') return
      sent.set(message.id, { outcome, content: content(message) })
      const oldest = sent.keys().next()
      if (sent.size > most && oldest.done !== true) sent.delete(oldest.value)
    },
    async cancel() {},
    async settle() {},
  }
}

/** Tells whether a message is still the one that was sent, without keeping its text: it may have been edited. */
function content({ destination, message }: MessageFields): string {
  return createHash('sha256')
    .update(JSON.stringify([destination, message]))
    .digest('base64')
}
