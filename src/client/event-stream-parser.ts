import { RelayError } from '../errors.js'

/** A message of an event stream. */
export interface StreamMessage {
  /** The last identifier that the stream gave; empty before the first. */
  readonly id: string
  /** @default message */
  readonly event: string
  readonly data: string
}

/** Characters of a line, or of a message's data, at most. */
const maxLength = 1024 * 1024

/**
 * Reads an event stream as the HTML standard interprets it (section 9.2.6), cut into pieces anywhere. The package
 * eventsource-parser needs a newer Node, and its line for this one holds back a message that ends in CR and forgets an
 * identifier without data.
 */
export class EventStreamParser {
  /** Milliseconds before a reconnection, once the stream said so. */
  retry: number | undefined
  #rest = ''
  #endedInCr = false
  #id = ''
  #event = ''
  #data = ''

  /** The messages that this piece ends. Throws `invalid_reply` for what has no end. */
  push(text: string): StreamMessage[] {
    const messages: StreamMessage[] = []
    if (text === '') return messages
    let from = this.#endedInCr && text.startsWith('\n') ? 1 : 0
    this.#endedInCr = text.endsWith('\r')
    const ends = /\r\n?|\n/g
    ends.lastIndex = from
    for (let end = ends.exec(text); end !== null; end = ends.exec(text)) {
      const line = this.#rest + text.slice(from, end.index)
      this.#rest = ''
      from = ends.lastIndex
      if (line !== '') this.#field(line)
      else if (this.#data !== '') messages.push(this.#message())
      else this.#event = ''
    }
    this.#rest += text.slice(from)
    if (this.#rest.length + this.#data.length <= maxLength) return messages
    throw new RelayError('invalid_reply', 'The relay sends a message without an end.')
  }

  #message(): StreamMessage {
    const message = {
      id: this.#id,
      event: this.#event === '' ? 'message' : this.#event,
      data: this.#data.slice(0, -1),
    }
    this.#data = ''
    this.#event = ''
    return message
  }

  #field(line: string): void {
    const [, name = '', value = ''] = /^([^:]*)(?:: ?(.*))?$/su.exec(line) ?? []
    if (name === 'data') this.#data += `${value}\n`
    else if (name === 'event') this.#event = value
    else if (name === 'id' && !value.includes('\0')) this.#id = value
    else if (name === 'retry' && /^[0-9]+$/.test(value)) this.retry = Number(value)
  }
}
