import type { Message } from '../../../domain/message/message.js'
import type { MessageStore } from '../../store/message-store.js'

export interface MessageCopy {
  readonly id: string
  /** Absent if it was deleted permanently. */
  readonly message?: Message
}

type Copies = Pick<MessageStore, 'get' | 'findResults'>

export function buildCopyKey(id: string): string {
  return `again ${id}`
}

/** Finds for each of these messages the one that the service created to send it again, in order. */
export async function findNextCopies(
  messages: Copies,
  account: string,
  ids: readonly string[],
): Promise<(MessageCopy | undefined)[]> {
  const created = await messages.findResults(account, ids.map(buildCopyKey))
  return await Promise.all(
    created.map(async stored => {
      const first = stored?.message
      const message = first && (await messages.get(account, first.id))
      return first && { id: first.id, ...(message && { message }) }
    }),
  )
}

/**
 * Finds the latest copy of each message that the service sent again, by the id of the message: a
 * copy may have been sent again, too.
 */
export async function findLatestCopies(
  messages: Copies,
  account: string,
  ids: readonly string[],
): Promise<Map<string, MessageCopy>> {
  const latest = new Map<string, MessageCopy>()
  for (let open = [...ids]; open.length > 0; ) {
    const lastIds = open.map(id => latest.get(id)?.id ?? id)
    const copies = await findNextCopies(messages, account, lastIds)
    for (const [at, copy] of copies.entries()) if (copy) latest.set(open[at] as string, copy)
    open = open.filter((_, at) => copies[at] !== undefined)
  }
  return latest
}

/**
 * Whether a message is known not to arrive, so that the service may send its text once more. One
 * that was deleted permanently may have been sent.
 */
export function isUnsent(message: Message | undefined): boolean {
  return message?.status === 'F' || message?.status === 'B' || message?.status === 'D'
}
