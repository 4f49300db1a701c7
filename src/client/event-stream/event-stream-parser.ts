import { RelayError } from '../../errors.js'

export interface StreamMessage {
  /**
   * The last identifier of the relay's event stream, as the client read it; empty before the first.
   */
  readonly id: string
  /** The field `event` of a message in the stream. @default message */
  readonly event: string
  readonly data: string
}

/** Maximum characters of a line of an event stream, and of a message's data. */
const maxLength = 1024 * 1024

/**
 * Parses the relay's event stream, which arrives in any pieces (HTML standard, section 9.2.6). The
 * package eventsource-parser does not fit: its version for Node 20 delays a message that ends in CR
 * and drops an identifier without data.
 */
export class EventStreamParser {
  /** Milliseconds before the client reconnects; undefined until the stream has a `retry` field. */
  retry: number | undefined
  #rest = ''
  #endedInCr = false
  #id = ''
  #event = ''
  #data = ''

  /**
   * Parses a piece of the event stream; returns the messages it completes. Throws `invalid_reply`.
   */
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
      if (line !== '') this.#readField(line)
      else if (this.#data !== '') messages.push(this.#takeMessage())
      else this.#event = ''
    }
    this.#rest += text.slice(from)
    if (this.#rest.length + this.#data.length <= maxLength) return messages
    throw new RelayError('invalid_reply', `The relay sent a message over ${maxLength} characters.`)
  }

  #takeMessage(): StreamMessage {
    const message = {
      id: this.#id,
      event: this.#event === '' ? 'message' : this.#event,
      data: this.#data.slice(0, -1),
    }
    this.#data = ''
    this.#event = ''
    return message
  }

  #readField(line: string): void {
    const [, name = '', value = ''] = /^([^:]*)(?:: ?(.*))?$/su.exec(line) ?? []
    if (name === 'data') this.#data += `${value}\n`
    else if (name === 'event') this.#event = value
    else if (name === 'id' && !value.includes('\0')) this.#id = value
    else if (name === 'retry' && /^[0-9]+$/.test(value)) this.retry = Number(value)
  }
}
