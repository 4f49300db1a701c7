import { isFieldLine } from './field-section.js'
import { RequestError } from './request-error.js'
import { type RequestHead, RequestHeadParser } from './request-head.js'

const emptyBytes = Buffer.alloc(0)

/** Bytes of an HTTP connection that were not read yet. A lone chunk is not copied. */
class ByteQueue {
  #bytes: Buffer = emptyBytes
  #start = 0
  #end = 0
  /** Whether the queue allocated `#bytes`, so that more can be written behind its end. */
  #isOwned = false

  get length(): number {
    return this.#end - this.#start
  }

  append(chunk: Buffer): void {
    if (this.#start === this.#end) {
      this.#bytes = chunk
      this.#start = 0
      this.#end = chunk.length
      this.#isOwned = false
      return
    }
    if (!this.#isOwned || this.#bytes.length - this.#end < chunk.length) this.#grow(chunk.length)
    chunk.copy(this.#bytes, this.#end)
    this.#end += chunk.length
  }

  peek(): Buffer {
    const isWhole = this.#start === 0 && this.#end === this.#bytes.length
    return isWhole ? this.#bytes : this.#bytes.subarray(this.#start, this.#end)
  }

  take(count: number): Buffer {
    const bytes = this.#bytes
    const at = this.#start
    this.skip(count)
    if (at === 0 && count === bytes.length) return bytes
    return bytes.subarray(at, at + count)
  }

  skip(count: number): void {
    this.#start += count
    if (this.#start < this.#end) return
    this.#bytes = emptyBytes
    this.#start = 0
    this.#end = 0
  }

  /**
   * Enlarges the queue of bytes. Bytes that `take` returned stay as they are: their memory is not
   * written to again.
   */
  #grow(by: number): void {
    const { length } = this
    const grown = Buffer.allocUnsafe(2 * (length + by))
    this.#bytes.copy(grown, 0, this.#start, this.#end)
    this.#bytes = grown
    this.#start = 0
    this.#end = length
    this.#isOwned = true
  }
}

type Step = 'head' | 'body' | 'chunk-size' | 'chunk' | 'chunk-end' | 'trailers'

const CR = 0x0d
const LF = 0x0a
/** Bytes within which most heads of HTTP requests end. */
const usualHead = 1024
const maxChunkLine = 1024
/** Bytes of all chunk extensions of a request's body. */
const maxExtensions = 4096

const token = "[!#$%&'*+.^_`|~0-9A-Za-z-]+"
const quoted = '"(?:[\t !#-[\\]-~\x80-\xff]|\\\\[\t -~\x80-\xff])*"'
const extension = `;${token}(?:=(?:${token}|${quoted}))?`
const chunkLine = new RegExp(`^([0-9A-Fa-f]{1,8})((?:${extension})*)\r\n$`)
/**
 * Header fields that must not be trailers: they are needed before the body (RFC 9110 section
 * 6.5.1).
 */
const framingField = /^(?:content-length|transfer-encoding|host|connection|upgrade):/i

/**
 * Parses the HTTP requests of one connection (RFC 9112) from bytes that arrive in any pieces: first
 * the head of a request, then its body, then the next head.
 */
export class RequestParser {
  readonly #queue = new ByteQueue()
  readonly #maxHead: number
  readonly #heads: RequestHeadParser
  #step: Step = 'head'
  #left = 0
  #extensions = 0
  #trailers = 0

  /** @param maxHead bytes of an HTTP request's head */
  constructor(maxHead: number) {
    this.#maxHead = maxHead
    this.#heads = new RequestHeadParser(maxHead)
  }

  append(bytes: Buffer): void {
    this.#queue.append(bytes)
  }

  get buffered(): number {
    return this.#queue.length
  }

  get isBodyRead(): boolean {
    return this.#step === 'head'
  }

  /**
   * Parses the head of the next HTTP request; undefined until all of it has arrived.
   * @throws RequestError
   */
  readHead(): RequestHead | undefined {
    if (this.#queue.length === 0 || !this.#skipEmptyLines()) return undefined
    const bytes = this.#queue.peek()
    const head =
      this.#parseHead(bytes, usualHead) ??
      (bytes.length > usualHead ? this.#parseHead(bytes, this.#maxHead + 1) : undefined)
    if (head === undefined) return undefined
    this.#queue.skip(head.length)
    this.#beginBody(head)
    return head
  }

  /**
   * Reads a part of the request's body; undefined if none has arrived. See `isBodyRead` for its
   * end.
   * @throws RequestError
   */
  readBody(): Buffer | undefined {
    for (;;) {
      switch (this.#step) {
        case 'head':
          return undefined
        case 'body':
          return this.#readBytes('head')
        case 'chunk':
          return this.#readBytes('chunk-end')
        default:
          if (!this.#readChunkLine()) return undefined
      }
    }
  }

  /**
   * Skips empty lines before an HTTP request (RFC 9112 section 2.2); false if there is nothing
   * else.
   */
  #skipEmptyLines(): boolean {
    const queue = this.#queue
    for (;;) {
      const bytes = queue.peek()
      if (bytes[0] !== CR) return bytes.length > 0
      if (bytes.length === 1) return false
      if (bytes[1] !== LF) return true
      queue.skip(2)
    }
  }

  #parseHead(bytes: Buffer, length: number): RequestHead | undefined {
    return this.#heads.parse(bytes.toString('latin1', 0, Math.min(length, bytes.length)))
  }

  #beginBody({ fields: { body } }: RequestHead): void {
    if (body === 0) return
    this.#extensions = 0
    this.#trailers = 0
    this.#left = body === 'chunked' ? 0 : body
    this.#step = body === 'chunked' ? 'chunk-size' : 'body'
  }

  #readBytes(after: Step): Buffer | undefined {
    const count = Math.min(this.#left, this.#queue.length)
    if (count === 0) return undefined
    this.#left -= count
    if (this.#left === 0) this.#step = after
    return this.#queue.take(count)
  }

  /** Reads a line between the chunks of a request's body; false when it has not arrived. */
  #readChunkLine(): boolean {
    if (this.#step === 'chunk-end') return this.#readChunkEnd()
    const bytes = this.#queue.peek()
    const end = bytes.indexOf(LF) + 1
    const length = end === 0 ? bytes.length : end
    if (this.#step === 'trailers') this.#checkTrailers(length)
    else if (length > maxChunkLine) throw chunkError()
    if (end === 0) return false
    const line = bytes.toString('latin1', 0, end)
    this.#queue.skip(end)
    if (this.#step === 'trailers') this.#readTrailer(line)
    else this.#readChunkSize(line)
    return true
  }

  #readChunkEnd(): boolean {
    const bytes = this.#queue.peek()
    if (bytes.length > 0 && bytes[0] !== CR) throw chunkError()
    if (bytes.length < 2) return false
    if (bytes[1] !== LF) throw chunkError()
    this.#queue.skip(2)
    this.#step = 'chunk-size'
    return true
  }

  #readChunkSize(line: string): void {
    const [, size, extensions] = chunkLine.exec(line) ?? []
    if (size === undefined || extensions === undefined) throw chunkError()
    this.#extensions += extensions.length
    if (this.#extensions > maxExtensions) throw chunkError()
    this.#left = Number.parseInt(size, 16)
    this.#step = this.#left === 0 ? 'trailers' : 'chunk'
  }

  #checkTrailers(length: number): void {
    if (this.#trailers + length <= this.#maxHead) return
    throw new RequestError(431, `The trailers are longer than ${this.#maxHead} bytes.`)
  }

  /** Checks and ignores a trailer field of an HTTP request (RFC 9110 section 6.5.1). */
  #readTrailer(line: string): void {
    this.#trailers += line.length
    if (line === '\r\n') this.#step = 'head'
    else if (!isFieldLine(line) || framingField.test(line)) throw chunkError()
  }
}

function chunkError(): RequestError {
  return new RequestError(400, 'The chunked body is invalid.')
}
