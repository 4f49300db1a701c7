// The HTTP server of the relay and of `hook listen`. The parser of node:http knows only a fixed
// list of methods, and NEXT is not one of them.
//
// 1. `connection-admission` refuses connections beyond the limits. `http-connection` owns a socket,
//    with a certificate that of `tls-connection`, and gives the bytes to its `request-parser`.
// 2. `request-parser` finds the end of each head and body (RFC 9112). `request-head` parses the
//    request line and `field-section` the fields.
// 3. The connection creates an `http-exchange` with an `HttpRequest` and an `HttpResponse`, and
//    calls the handler. The exchange collects the body while it arrives.
// 4. The handler sends the reply through the response. Then the next request is read.
//
// The requests of a connection are handled one at a time and answered in order. While one is in
// progress, at most 16 KiB of those behind it are read, and nothing while the client does not read
// its reply. `long-replies` limits what all clients have not read, and lets other connections in
// between long replies. `unfinished-bodies` limits what has arrived of bodies that do not end. An
// invalid request gets an error, and the connection closes.

import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { type Clock, createClock } from '../../util/async/clock.js'
import { type RepeatedTask, repeat } from '../../util/async/repeat.js'
import { Metrics } from '../../util/collections/metrics.js'
import { getAddressBlock } from '../ip-address.js'
import type { WatchedCertificate } from '../tls/tls-certificate.js'
import { startTls } from '../tls/tls-connection.js'
import { ConnectionAdmission, maxRefused } from './connection-admission.js'
import { type ConnectionLimits, connectionLimits } from './connection-limits.js'
import { type ConnectionOptions, HttpConnection, type RequestHandler } from './http-connection.js'
import type { RequestMetadata } from './http-request.js'
import { type ListenTarget, startListening } from './listen-target.js'
import { LongReplies } from './long-replies.js'
import { type RequestTracker, type SendRefusal, sendPlainRefusal } from './request-tracker.js'
import { UnfinishedBodies } from './unfinished-bodies.js'

export interface HttpServerOptions {
  readonly limits?: ConnectionLimits
  readonly clock?: Pick<Clock, 'monotonic' | 'after'>
  readonly metrics?: Metrics
  /**
   * Answers invalid requests and connections beyond the limits. @default one line of text
   */
  readonly sendRefusal?: SendRefusal
  /** Gives the server's HTTP requests their ids. @default they have none */
  readonly tracker?: RequestTracker
  readonly certificate?: WatchedCertificate | undefined
  /** The client in whose share a request's body counts. @default its address */
  readonly getClient?: (request: RequestMetadata) => string
}

/** An HTTP server that accepts every method of up to 16 characters. */
export class HttpServer {
  readonly #server: Server
  readonly #connections = new Set<HttpConnection>()
  readonly #admission: ConnectionAdmission
  readonly #check: RepeatedTask

  constructor(handler: RequestHandler, options: HttpServerOptions = {}) {
    const { limits = connectionLimits, clock = createClock() } = options
    const { metrics = new Metrics(), sendRefusal = sendPlainRefusal, tracker } = options
    const { certificate, getClient = getAddress } = options
    const refusing = { sendRefusal, tracker, isTls: certificate !== undefined }
    this.#admission = new ConnectionAdmission({ limits, clock, metrics, ...refusing })
    const check = async (): Promise<void> => this.#checkTimeouts(clock.monotonic())
    this.#check = repeat(getCheckInterval(limits), check, { clock, onError: () => {} })
    const seconds = Math.floor(limits.idleTimeout / 1000)
    const keepAliveFields = `Connection: keep-alive\r\nKeep-Alive: timeout=${seconds}\r\n`
    const longReplies = new LongReplies(limits.unread, metrics)
    const unfinishedBodies = new UnfinishedBodies(limits, metrics)
    const replying = { longReplies, keepAliveFields, sendRefusal, tracker }
    const shared = { handler, limits, unfinishedBodies, getClient, ...replying }
    this.#server = createServer({ allowHalfOpen: true, noDelay: true })
    this.#server.maxConnections = limits.connections + maxRefused
    this.#server.on('drop', () => this.#admission.countDropped())
    this.#server.on('connection', (socket: Socket) => {
      if (!this.#admission.admit(socket)) return
      this.#open(certificate === undefined ? socket : startTls(socket, certificate), shared)
    })
  }

  /** Sets how many HTTP connections there may be; those beyond the new limits stay open. */
  setLimits(limits: Pick<ConnectionLimits, 'connections' | 'connectionsPerAddress'>): void {
    this.#admission.setLimits(limits)
    this.#server.maxConnections = limits.connections + maxRefused
  }

  get isListening(): boolean {
    return this.#server.listening
  }

  get connections(): number {
    return this.#connections.size
  }

  /** The address that the HTTP server listens on; undefined for a Unix socket. */
  get address(): AddressInfo | undefined {
    const address = this.#server.address()
    return typeof address === 'object' ? (address ?? undefined) : undefined
  }

  /**
   * Resolves to the HTTP server's port, for a Unix socket to 0; port 0 picks one. Throws
   * `configuration` if it cannot listen there.
   */
  async listen(target: ListenTarget): Promise<number> {
    await startListening(this.#server, target)
    this.#check.start()
    return this.address?.port ?? 0
  }

  /** Stops the HTTP server; requests in progress have `grace` milliseconds to end. */
  async close(grace: number): Promise<void> {
    const closed = new Promise<void>(resolve => this.#server.close(() => resolve()))
    for (const connection of this.#connections) connection.drain()
    const timer = setTimeout(() => this.destroyConnections(), grace)
    await closed
    clearTimeout(timer)
    await this.#check.stop()
  }

  destroyConnections(): void {
    this.#admission.destroyRefused()
    for (const connection of this.#connections) connection.socket.destroy()
  }

  #open(socket: Socket, options: ConnectionOptions): void {
    const connection = new HttpConnection(socket, options)
    this.#connections.add(connection)
    socket.once('close', () => this.#connections.delete(connection))
  }

  #checkTimeouts(now: number): void {
    for (const connection of this.#connections) connection.checkTimeouts(now)
  }
}

function getAddress({ remoteAddress }: RequestMetadata): string {
  return getAddressBlock(remoteAddress)
}

function getCheckInterval({ headTimeout, replyTimeout, bodyTimeout }: ConnectionLimits): number {
  return Math.min(1000, headTimeout, replyTimeout, bodyTimeout)
}
