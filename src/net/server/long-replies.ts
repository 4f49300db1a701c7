import type { Socket } from 'node:net'
import type { Metrics } from '../../util/collections/metrics.js'

const longReply = 64 * 1024

export interface ReplyingConnection {
  readonly socket: Socket
  readonly hasAnswered: boolean
  hasLongReplies: boolean
  advance(): void
}

/**
 * Keeps the long replies of an HTTP server from filling its memory and from delaying short ones.
 *
 * - Each connection has one reply at a time. If those that clients have not read exceed the limit
 *   together, the client that has kept one waiting longest is disconnected.
 * - Connections with long replies begin one request in each turn of the event loop. Of those
 *   without a reply so far one begins its first request, because that may have a long reply, too.
 */
export class LongReplies {
  readonly #maxUnread: number
  readonly #metrics: Metrics
  /** Bytes of each reply that its client has not read, in the order in which they began to wait. */
  readonly #unread = new Map<ReplyingConnection, number>()
  #unreadBytes = 0
  readonly #waiting = new Set<ReplyingConnection>()
  /** The last connection that was given a turn, and whether it may still begin a request in it. */
  #turn: ReplyingConnection | undefined
  #isTurnFree = false
  #isLongTurn = false
  #hasFirstRequest = false
  #isPlanned = false

  constructor(maxUnread: number, metrics: Metrics) {
    this.#maxUnread = maxUnread
    this.#metrics = metrics
  }

  add(connection: ReplyingConnection): void {
    const bytes = connection.socket.writableLength
    this.#unreadBytes += bytes - (this.#unread.get(connection) ?? 0)
    this.#unread.set(connection, bytes)
    for (const slow of this.#unread.keys()) {
      if (this.#unreadBytes <= this.#maxUnread) return
      this.#metrics.increment('http_rejected_total{reason="unread"}')
      this.onWritten(slow)
      slow.socket.destroy()
    }
  }

  onReply(connection: ReplyingConnection, bytes: number): void {
    if (bytes < longReply) return
    connection.hasLongReplies = true
    if (connection === this.#turn) return
    this.#isLongTurn = true
    this.#plan()
  }

  onWritten(connection: ReplyingConnection): void {
    this.#unreadBytes -= this.#unread.get(connection) ?? 0
    this.#unread.delete(connection)
  }

  onClose(connection: ReplyingConnection): void {
    this.onWritten(connection)
    this.#waiting.delete(connection)
  }

  /** Whether a connection may begin its next request now; if not, it gets a turn later. */
  mayBegin(connection: ReplyingConnection): boolean {
    const mustWait =
      connection.hasLongReplies || (!connection.hasAnswered && !this.#mayBeginFirstRequest())
    if (!mustWait || (this.#isTurnFree && connection === this.#turn)) return true
    this.#waiting.add(connection)
    this.#plan()
    return false
  }

  #mayBeginFirstRequest(): boolean {
    if (this.#isLongTurn || this.#hasFirstRequest) return false
    this.#hasFirstRequest = true
    this.#plan()
    return true
  }

  #plan(): void {
    if (this.#isPlanned) return
    this.#isPlanned = true
    setImmediate(() => this.#beginTurn())
  }

  #beginTurn(): void {
    this.#isPlanned = false
    this.#isLongTurn = false
    this.#hasFirstRequest = false
    const [next] = this.#waiting
    this.#turn = next
    if (next === undefined) return
    this.#waiting.delete(next)
    this.#isTurnFree = true
    next.advance()
    this.#isTurnFree = false
    if (this.#waiting.size > 0) this.#plan()
  }
}
