import type { Message } from '../../domain/message/message.js'
import { RecentMap } from '../../util/collections/lru-map.js'
import { messageJson } from './message-json.js'

interface Shown {
  /** The base address of the links. */
  readonly base: string
  readonly bytes: Buffer
}

interface Page {
  readonly base: string
  readonly messages: readonly Message[]
  readonly bytes: Buffer
}

const bytesEach = 8 * 1024 * 1024
const before = Buffer.from('{"messages":[')
const after = Buffer.from(']}')
const comma = Buffer.from(',')

/** Remembers the JSON of messages that were read: a record is never changed, only replaced. */
export class MessageCache {
  readonly #shown = new RecentMap<Message, Shown>(bytesEach, shown => shown.bytes.length)
  /** The last list that began with a message. */
  readonly #pages = new RecentMap<Message, Page>(bytesEach, page => page.bytes.length)

  /** The JSON of a message with its links (SPEC.md section 2.1). */
  one(message: Message, base: string): Buffer {
    const known = this.#shown.get(message)
    if (known?.base === base) return known.bytes
    const bytes = Buffer.from(messageJson(message, base))
    this.#shown.set(message, { base, bytes })
    return bytes
  }

  /** The JSON of a list of messages (SPEC.md section 2.1). */
  list(messages: readonly Message[], base: string): Buffer {
    const [first] = messages
    const known = first && this.#pages.get(first)
    if (known?.base === base && isSame(known.messages, messages)) return known.bytes
    const bytes = this.#join(messages, base)
    if (first !== undefined) this.#pages.set(first, { base, messages, bytes })
    return bytes
  }

  #join(messages: readonly Message[], base: string): Buffer {
    const pieces: Buffer[] = [before]
    for (const [at, message] of messages.entries()) {
      if (at > 0) pieces.push(comma)
      pieces.push(this.one(message, base))
    }
    pieces.push(after)
    return Buffer.concat(pieces)
  }
}

function isSame(some: readonly Message[], others: readonly Message[]): boolean {
  return some.length === others.length && some.every((message, at) => message === others[at])
}
