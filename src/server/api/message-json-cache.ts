import type { Message } from '../../domain/message/message.js'
import { LruMap } from '../../util/collections/lru-map.js'
import { formatMessageJson } from './message-json.js'

interface CachedMessage {
  /** The base address of the links. */
  readonly base: string
  readonly bytes: Buffer
}

interface CachedPage {
  readonly base: string
  readonly messages: readonly Message[]
  readonly bytes: Buffer
}

const maxBytes = 8 * 1024 * 1024
const before = Buffer.from('{"messages":[')
const after = Buffer.from(']}')
const comma = Buffer.from(',')

/** Remembers the JSON of messages that were read: a record is never changed, only replaced. */
export class MessageJsonCache {
  readonly #shown = new LruMap<Message, CachedMessage>(maxBytes, shown => shown.bytes.length)
  /** The last list that began with a message. */
  readonly #pages = new LruMap<Message, CachedPage>(maxBytes, page => page.bytes.length)

  /** The JSON of a message with its links (SPEC.md section 2.1). */
  getMessage(message: Message, base: string): Buffer {
    const known = this.#shown.get(message)
    if (known?.base === base) return known.bytes
    const bytes = Buffer.from(formatMessageJson(message, base))
    this.#shown.set(message, { base, bytes })
    return bytes
  }

  /** The JSON of a list of messages (SPEC.md section 2.1). */
  getList(messages: readonly Message[], base: string): Buffer {
    const [first] = messages
    const known = first && this.#pages.get(first)
    if (known?.base === base && areSame(known.messages, messages)) return known.bytes
    const bytes = this.#join(messages, base)
    if (first !== undefined) this.#pages.set(first, { base, messages, bytes })
    return bytes
  }

  #join(messages: readonly Message[], base: string): Buffer {
    const pieces: Buffer[] = [before]
    for (const [at, message] of messages.entries()) {
      if (at > 0) pieces.push(comma)
      pieces.push(this.getMessage(message, base))
    }
    pieces.push(after)
    return Buffer.concat(pieces)
  }
}

function areSame(some: readonly Message[], others: readonly Message[]): boolean {
  return some.length === others.length && some.every((message, at) => message === others[at])
}
