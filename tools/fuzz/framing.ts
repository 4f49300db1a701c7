import { splitFieldLines } from '../../src/net/server/field-section.js'
import { RequestError } from '../../src/net/server/request-error.js'
import { RequestParser } from '../../src/net/server/request-parser.js'
import type { RequestStream } from './request-stream.js'

/** A request as a parser sees it. */
export interface FramedRequest {
  readonly method: string
  /** Path and query. */
  readonly target: string
  /** Names and values in turn. */
  readonly fields: readonly string[]
  /** As latin1. */
  readonly body: string
}

/** A request that our parser accepted. */
export interface AcceptedRequest extends FramedRequest {
  /** Where its bytes begin, empty lines before it included, and where they end. */
  readonly from: number
  readonly to: number
  readonly isKeptAlive: boolean
}

/** How our parser reads a stream. */
export interface Framing {
  readonly accepted: readonly AcceptedRequest[]
  /** The status of the error that ends the stream. */
  readonly error: number | undefined
  /** Whether the stream ends within a request. */
  readonly isIncomplete: boolean
}

/** Reads a stream with our parser, until the connection would close. */
export function frameStream({ bytes, cuts }: RequestStream, maxHead: number): Framing {
  const reader = new StreamReader(maxHead)
  let from = 0
  for (const to of [...cuts, bytes.length]) {
    if (to > from && !reader.read(Buffer.from(bytes.slice(from, to), 'latin1'))) break
    from = to
  }
  return reader
}

class StreamReader implements Framing {
  readonly accepted: AcceptedRequest[] = []
  error: number | undefined
  readonly #parser: RequestParser
  #received = 0
  #end = 0
  #head: ReturnType<RequestParser['readHead']>
  #body = ''

  constructor(maxHead: number) {
    this.#parser = new RequestParser(maxHead)
  }

  get isIncomplete(): boolean {
    if (this.error !== undefined || this.accepted.at(-1)?.isKeptAlive === false) return false
    return this.#head !== undefined || this.#parser.buffered > 0
  }

  /** Reads some more bytes; false if later ones do not count. */
  read(bytes: Buffer): boolean {
    this.#received += bytes.length
    this.#parser.append(bytes)
    try {
      while (this.#readRequest()) if (this.accepted.at(-1)?.isKeptAlive === false) return false
    } catch (error) {
      if (!(error instanceof RequestError)) throw error
      this.error = error.status
    }
    return this.error === undefined
  }

  /** Reads on; true when a request is complete. */
  #readRequest(): boolean {
    this.#head ??= this.#parser.readHead()
    if (this.#head === undefined) return false
    for (let piece = this.#parser.readBody(); piece; piece = this.#parser.readBody()) {
      this.#body += piece.toString('latin1')
    }
    if (!this.#parser.isBodyRead) return false
    const { method, target, fields } = this.#head
    const to = this.#received - this.#parser.buffered
    this.accepted.push({
      method,
      target,
      fields: splitFieldLines(fields.lines),
      body: this.#body,
      from: this.#end,
      to,
      isKeptAlive: fields.isKeptAlive,
    })
    this.#end = to
    this.#head = undefined
    this.#body = ''
    return true
  }
}
