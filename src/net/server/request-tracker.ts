import { Framing } from './framing.js'
import {
  COLON,
  CR,
  chunkSize,
  crlfEnd,
  httpMinor,
  incomplete,
  isTunnel,
  LF,
  lineEnd,
  longestMethod,
  tokenEnd,
  unclear,
} from './request-parser.js'

type Step =
  | 'request-line'
  | 'fields'
  | 'body'
  | 'chunk-size'
  | 'chunk'
  | 'chunk-end'
  | 'trailers'
  | 'upgraded'

/**
 * Follows one connection's requests from line to line and body to body (RFC 9112), and gives up on
 * anything that a parser could frame in another way.
 */
export class RequestTracker {
  /** Method of the request line last met, empty until its end was seen. */
  method = ''
  readonly #framing = new Framing()
  #step: Step = 'request-line'
  #minor: 0 | 1 = 1
  /** Bytes of the body or chunk still to come. */
  #left = 0

  /** Whether a request line comes next. */
  get betweenRequests(): boolean {
    return this.#step === 'request-line'
  }

  /**
   * Says that the parser is about to be given a new piece. After an upgrade that nobody took up,
   * node drops the rest of the piece and goes on with the next one.
   */
  nextPiece(): void {
    if (this.#step === 'upgraded') this.#step = 'request-line'
  }

  /** Returns where the line or body part at `at` ends, or that this is incomplete or unclear. */
  advance(data: Buffer, at: number): number {
    switch (this.#step) {
      case 'request-line':
        return this.#requestLine(data, at)
      case 'fields':
      case 'trailers':
        return this.#field(data, at)
      case 'body':
        return this.#skip(data, at, this.#messageEnd())
      case 'chunk-size':
        return this.#chunkSize(data, at)
      case 'chunk':
        return this.#skip(data, at, 'chunk-end')
      case 'chunk-end':
        return this.#then('chunk-size', crlfEnd(data, at))
      case 'upgraded':
        return unclear
    }
  }

  #requestLine(data: Buffer, at: number): number {
    this.method = ''
    if (data[at] === CR || data[at] === LF) return at + 1
    const end = tokenEnd(data, at)
    if (end - at > longestMethod) return unclear
    if (end === data.length) return incomplete
    this.method = data.toString('latin1', at, end)
    if (isTunnel(this.method)) return unclear
    return this.#target(data, end)
  }

  #target(data: Buffer, at: number): number {
    const end = lineEnd(data, at)
    if (end < 0) return end
    const minor = httpMinor(data, at, end)
    if (minor === undefined) return unclear
    this.#minor = minor
    this.#framing.reset()
    return this.#then('fields', end)
  }

  #field(data: Buffer, at: number): number {
    if (data[at] === CR) return this.#emptyLine(data, at)
    const colon = tokenEnd(data, at)
    if (colon === data.length) return incomplete
    if (colon === at || data[colon] !== COLON) return unclear
    const end = lineEnd(data, colon)
    return end < 0 || this.#framing.take(data, at, colon, end) ? end : unclear
  }

  #emptyLine(data: Buffer, at: number): number {
    const after = this.#step === 'fields' ? this.#headEnd() : this.#messageEnd()
    return this.#then(after, crlfEnd(data, at))
  }

  #headEnd(): Step | undefined {
    if (this.#framing.chunked) return this.#minor === 1 ? 'chunk-size' : undefined
    this.#left = this.#framing.length ?? 0
    return this.#left > 0 ? 'body' : this.#messageEnd()
  }

  #messageEnd(): Step {
    return this.#framing.upgrade ? 'upgraded' : 'request-line'
  }

  #chunkSize(data: Buffer, at: number): number {
    const end = lineEnd(data, at)
    if (end < 0) return end
    const size = chunkSize(data, at, end)
    if (size === undefined) return unclear
    this.#left = size
    return this.#then(size === 0 ? 'trailers' : 'chunk', end)
  }

  #skip(data: Buffer, at: number, after: Step): number {
    const taken = Math.min(this.#left, data.length - at)
    this.#left -= taken
    if (this.#left === 0) this.#step = after
    return at + taken
  }

  #then(step: Step | undefined, end: number): number {
    if (step === undefined) return unclear
    if (end >= 0) this.#step = step
    return end
  }
}
