import { isPlainRequest } from './plain-request.js'
import { incomplete } from './request-parser.js'
import { RequestTracker } from './request-tracker.js'

const standIn = 'POST'

/** What a {@link MethodRewriter} must know about the parser that it works for. */
export interface RewriterOptions {
  /** Methods that the parser knows. */
  known: ReadonlySet<string>
  /** Name of the header that carries the true method; nobody outside may guess it. */
  secret: string
  /** The longest line to wait for, in bytes. */
  longestLine: number
}

/**
 * Gives each request of one connection that has an unknown method a known one, and its true one in
 * a secret first header. From the first bytes on whose framing is open to doubt, everything is
 * handed through unread, so that the parser alone decides and nothing can be smuggled past it.
 */
export class MethodRewriter {
  readonly #options: RewriterOptions
  #tracker: RequestTracker | undefined = new RequestTracker()
  /** The start of a line whose end has not arrived. */
  #line: Buffer | undefined
  /** Whether that start waits here, because its method is not, or not yet, a known one. */
  #held = false
  #pieces: Buffer[] = []
  /** How many bytes of the data in hand were given out. */
  #given = 0

  constructor(options: RewriterOptions) {
    this.#options = options
  }

  /** Returns what the parser gets for `chunk`: the same bytes, fewer, or a rewritten head. */
  feed(chunk: Buffer): Buffer | undefined {
    if (this.#tracker === undefined || this.#isPlain(this.#tracker, chunk)) return chunk
    const data = this.#line === undefined ? chunk : Buffer.concat([this.#line, chunk])
    this.#given = this.#held ? 0 : (this.#line?.length ?? 0)
    this.#held = false
    this.#tracker.nextPiece()
    const at = this.#scan(this.#tracker, data)
    this.#line = at === data.length ? undefined : Buffer.from(data.subarray(at))
    return this.#take(data, this.#held ? at : data.length)
  }

  /** Returns the bytes held back, if any; all later ones are handed through unread. */
  release(): Buffer | undefined {
    const line = this.#held ? this.#line : undefined
    this.#tracker = undefined
    this.#line = undefined
    this.#held = false
    return line
  }

  /** Spares most requests the long way; both ways agree on what they let through. */
  #isPlain(tracker: RequestTracker, chunk: Buffer): boolean {
    const fresh = tracker.betweenRequests && this.#line === undefined
    return fresh && isPlainRequest(chunk, this.#options.known)
  }

  /** Returns where the first line begins that is not in `data` to its end. */
  #scan(tracker: RequestTracker, data: Buffer): number {
    let at = 0
    while (at < data.length) {
      const atRequest = tracker.betweenRequests
      const next = tracker.advance(data, at)
      const unknown = atRequest && !this.#options.known.has(tracker.method)
      if (next < 0) return this.#stop(data, at, next, unknown)
      if (unknown && tracker.method !== '') this.#rewrite(data, at, next, tracker.method)
      at = next
    }
    return at
  }

  #stop(data: Buffer, at: number, reason: number, unknown: boolean): number {
    if (reason === incomplete && data.length - at <= this.#options.longestLine) {
      this.#held = unknown
      return at
    }
    this.release()
    return data.length
  }

  #rewrite(data: Buffer, at: number, end: number, method: string): void {
    const tail = data.toString('latin1', at + method.length, end)
    const head = `${standIn}${tail}${this.#options.secret}: ${method}\r\n`
    this.#pieces.push(data.subarray(this.#given, at), Buffer.from(head, 'latin1'))
    this.#given = end
  }

  #take(data: Buffer, end: number): Buffer | undefined {
    if (this.#given === 0 && end === data.length) return data
    const rest = data.subarray(this.#given, end)
    if (this.#pieces.length === 0) return rest.length === 0 ? undefined : rest
    const bytes = Buffer.concat([...this.#pieces, rest])
    this.#pieces = []
    return bytes
  }
}
