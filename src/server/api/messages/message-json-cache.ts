import type { Message } from '../../../domain/message/message.js'
import { LruMap } from '../../../util/collections/lru-map.js'
import { formatMessageJson, getMessageTag } from './message-json.js'

interface CachedMessage {
  readonly base: string
  readonly bytes: Buffer
  tag?: string
}

interface CachedList extends CachedMessage {
  readonly messages: readonly Message[]
}

const maxBytes = 8 * 1024 * 1024
const listStart = Buffer.from('{"messages":[')
const listEnd = Buffer.from(']}')
const comma = Buffer.from(',')

/** Caches the JSON of messages by record, because a record is replaced and never changed. */
export class MessageJsonCache {
  readonly #messages = new LruMap<Message, CachedMessage>(maxBytes, each => each.bytes.length)
  readonly #lists = new LruMap<Message, CachedList>(maxBytes, each => each.bytes.length)

  getMessage(message: Message, base: string): Buffer {
    return this.#get(message, base).bytes
  }

  getTag(message: Message, base: string): string {
    const cached = this.#get(message, base)
    cached.tag ??= getMessageTag(message)
    return cached.tag
  }

  getList(messages: readonly Message[], base: string): Buffer {
    const [first] = messages
    const cached = first && this.#lists.get(first)
    if (cached?.base === base && areSame(cached.messages, messages)) return cached.bytes
    const bytes = this.#formatList(messages, base)
    if (first !== undefined) this.#lists.set(first, { base, messages, bytes })
    return bytes
  }

  #get(message: Message, base: string): CachedMessage {
    const cached = this.#messages.get(message)
    if (cached?.base === base) return cached
    const made = { base, bytes: Buffer.from(formatMessageJson(message, base)) }
    this.#messages.set(message, made)
    return made
  }

  #formatList(messages: readonly Message[], base: string): Buffer {
    const pieces: Buffer[] = [listStart]
    for (const [at, message] of messages.entries()) {
      if (at > 0) pieces.push(comma)
      pieces.push(this.getMessage(message, base))
    }
    pieces.push(listEnd)
    return Buffer.concat(pieces)
  }
}

function areSame(some: readonly Message[], others: readonly Message[]): boolean {
  return some.length === others.length && some.every((message, at) => message === others[at])
}
