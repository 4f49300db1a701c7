import type { Socket } from 'node:net'
import type { ConnectionLimits } from '../../domain/limits.js'
import { WholeRequest } from './http-request.js'
import { type SendReply, WholeReply } from './http-response.js'
import { HeadReader, type PlainHead } from './plain-head.js'

/** Answers a request, or calls `elsewhere` before it has done anything that counts. */
export type AnswerWhole = (request: WholeRequest, reply: WholeReply, elsewhere: () => void) => void

/** What a connection needs around it. */
export interface FastPathParts {
  readonly answer: AnswerWhole
  readonly limits: ConnectionLimits
  /** The fields that tell how long a connection is kept, with their line ends. */
  readonly keepAlive: string
  /** Gives a connection to node's own HTTP, with what was read of it and not answered. */
  readonly handOver: (socket: Socket, read: Buffer) => void
}

/** Milliseconds that the rest of a body is waited for here. */
const bodyPatience = 1000
/** Bytes of a body that is waited for here, and of requests that wait for the one in hand. */
const mostHeld = 64 * 1024
/** Pieces of such bytes that are kept apart: each costs memory of its own, however small it is. */
const mostPieces = 64
/** Milliseconds that an idle connection is kept for longer than told, as by node: a request may be under way to it. */
const idleMargin = 1000
/** What may stand between requests (RFC 9112 section 2.2). */
const emptyLines = /^[\r\n]*$/
const requestTimeout = 'HTTP/1.1 408 Request Timeout\r\nConnection: close\r\n\r\n'

/**
 * One connection whose requests come whole and one at a time, as those of nearly all programs do: each is read and
 * answered without node's HTTP. At the first one that is anything else the connection is handed over to that for good.
 */
export class FastConnection {
  readonly #socket: Socket
  readonly #parts: FastPathParts
  readonly #heads = new HeadReader()
  #busy = false
  /** What was read and is not answered, but for the request in hand. */
  #held: Buffer[] = []
  #heldSize = 0
  /** Bytes that a request has whose body is not all there. */
  #awaited = 0
  #timer: NodeJS.Timeout | undefined
  #answered = 0
  #closing = false
  #stuck: { readonly since: number; readonly answered: number } | undefined

  constructor(socket: Socket, parts: FastPathParts) {
    this.#socket = socket
    this.#parts = parts
    socket.on('data', this.#onData).on('end', this.#onEnd).on('error', ignore)
    socket.on('timeout', this.#onTimeout).on('close', this.#onClose)
    socket.setTimeout(parts.limits.headTimeout)
  }

  /** Closes a connection that nothing is in hand on. */
  closeIdle(): void {
    if (!this.#busy && this.#heldSize === 0) this.#socket.destroySoon()
  }

  /** Ends with the reply in hand; what is half here is node's to end. */
  drain(): void {
    this.#closing = true
    if (this.#busy) return
    if (this.#heldSize > 0) this.#leave()
    else this.#socket.destroySoon()
  }

  /** Closes a connection whose client does not take its reply. */
  cutOffStuck(now: number): void {
    const answered = this.#answered
    if (this.#socket.writableLength === 0) this.#stuck = undefined
    else if (this.#stuck?.answered !== answered) this.#stuck = { since: now, answered }
    else if (now - this.#stuck.since >= this.#parts.limits.replyTimeout) this.#socket.destroy()
  }

  readonly #onData = (chunk: Buffer): void => {
    // Where no reply can be sent nothing more is done.
    if (!this.#socket.writable) return
    if (!this.#busy && this.#heldSize === 0) {
      this.#read(chunk)
      return
    }
    this.#hold(chunk)
    if (this.#busy) {
      if (this.#heldSize > mostHeld) this.#socket.pause()
    } else if (this.#heldSize >= this.#awaited) this.#read(this.#release())
  }

  /** Ends what is idle or in hand; of what is half here node tells that it broke off. */
  readonly #onEnd = (): void => {
    const socket = this.#socket
    if (this.#busy || this.#heldSize === 0 || socket.destroyed) {
      socket.end()
      return
    }
    this.#leave()
    socket.emit('end')
  }

  /** A request in hand, a body and a reply that is not taken may take longer; the next reply starts the time anew. */
  readonly #onTimeout = (): void => {
    const socket = this.#socket
    if (this.#busy || this.#heldSize > 0 || socket.writableLength > 0) return
    if (this.#answered === 0) socket.write(requestTimeout)
    socket.destroy()
  }

  readonly #onClose = (): void => clearTimeout(this.#timer)

  #read(chunk: Buffer): void {
    const { limits } = this.#parts
    const text = chunk.toString('latin1')
    const head = this.#heads.read(text)
    // What a client has not taken yet is node's to count against it.
    if (head === undefined || this.#socket.writableLength > 0) {
      if (this.#answered === 0 || !emptyLines.test(text)) this.#leave(chunk)
      return
    }
    const size = head.length + head.bodyLength
    // How long a head is node counts in a way of its own.
    const isShort = head.length <= limits.head / 2 && head.bodyLength <= mostHeld
    const isUsual = isShort && size >= chunk.length
    if (!isUsual) this.#leave(chunk)
    else if (size > chunk.length) this.#awaitBody(chunk, size)
    else this.#answer(head, chunk)
  }

  #awaitBody(chunk: Buffer, size: number): void {
    this.#hold(chunk)
    this.#awaited = size
    this.#timer = setTimeout(() => this.#leave(), bodyPatience)
  }

  #answer(head: PlainHead, chunk: Buffer): void {
    this.#busy = true
    const request = new WholeRequest(head, chunk.subarray(head.length), this.#socket)
    const reply = new WholeReply(this.#send, this.#ending)
    this.#parts.answer(request, reply, () => {
      this.#busy = false
      this.#leave(chunk)
    })
  }

  readonly #ending = (): string => (this.#closing ? 'Connection: close\r\n' : this.#parts.keepAlive)

  readonly #send: SendReply = (head, encoding, rest) => {
    const socket = this.#socket
    this.#busy = false
    if (!socket.writable) return
    if (rest === undefined) socket.write(head, encoding)
    else {
      socket.cork()
      socket.write(head, encoding)
      socket.write(rest)
      socket.uncork()
    }
    if (this.#answered++ === 0) socket.setTimeout(this.#parts.limits.idleTimeout + idleMargin)
    if (this.#closing) socket.destroySoon()
    else if (this.#heldSize > 0) this.#leave()
  }

  #hold(chunk: Buffer): void {
    this.#held.push(chunk)
    this.#heldSize += chunk.length
    if (this.#held.length > mostPieces) this.#held = [Buffer.concat(this.#held)]
  }

  #release(): Buffer {
    clearTimeout(this.#timer)
    const only = this.#held.length === 1 ? this.#held[0] : undefined
    const all = only ?? Buffer.concat(this.#held)
    this.#held = []
    this.#heldSize = 0
    return all
  }

  /** Hands the connection over, with `first` and what is held. */
  #leave(first?: Buffer): void {
    const socket = this.#socket
    if (socket.destroyed) return
    socket.off('data', this.#onData).off('end', this.#onEnd).off('error', ignore)
    socket.off('timeout', this.#onTimeout).off('close', this.#onClose)
    socket.setTimeout(0).resume()
    if (first !== undefined) this.#held.unshift(first)
    this.#parts.handOver(socket, this.#release())
  }
}

function ignore(): void {}
