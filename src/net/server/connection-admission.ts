import type { Socket } from 'node:net'
import type { Clock } from '../../util/async/clock.js'
import { LimitedCounts } from '../../util/collections/limited-counts.js'
import type { Metrics } from '../../util/collections/metrics.js'
import { getAddressBlock } from '../ip-address.js'
import type { ConnectionLimits } from './connection-limits.js'
import { tooBusyError } from './request-error.js'
import { beginRefusal, type RequestTracker, refuse, type SendRefusal } from './request-tracker.js'

export interface AdmissionOptions {
  readonly limits: Pick<ConnectionLimits, 'connections' | 'connectionsPerAddress'>
  readonly clock: Pick<Clock, 'after'>
  readonly metrics: Metrics
  readonly sendRefusal: SendRefusal
  readonly tracker: RequestTracker | undefined
  /** Whether connections begin with a TLS handshake; then refused ones get no reply. */
  readonly isTls: boolean
}

const refusal = 'The server has too many connections, or too many of this address.'
/** Refused connections that get a reply at the same time; more are closed without one. */
export const maxRefused = 1000
/** How long a refused connection reads on, for the reply to arrive. In milliseconds. */
const lingerTime = 1000

/**
 * Counts the HTTP connections of a server and of each client address, and refuses more than the
 * limits. It does not wait for the request of a refused connection: it sends 503 at once, then
 * reads on for a moment, because bytes that nobody reads would reset the connection and the client
 * would lose the reply.
 */
export class ConnectionAdmission {
  readonly #options: AdmissionOptions
  readonly #addresses: LimitedCounts
  #max: number
  readonly #refused = new Set<Socket>()
  #open = 0

  constructor(options: AdmissionOptions) {
    this.#options = options
    this.#max = options.limits.connections
    this.#addresses = new LimitedCounts(options.limits.connectionsPerAddress)
  }

  /** Open HTTP connections beyond new limits stay open. */
  setLimits({ connections, connectionsPerAddress }: AdmissionOptions['limits']): void {
    this.#max = connections
    this.#addresses.setMax(connectionsPerAddress)
  }

  admit(socket: Socket): boolean {
    if (this.#open >= this.#max) return this.#refuse(socket, 'connections')
    const address = getAddressBlock(socket.remoteAddress ?? '')
    if (!this.#addresses.add(address)) return this.#refuse(socket, 'address')
    this.#count(1)
    socket.once('close', () => {
      this.#addresses.remove(address)
      this.#count(-1)
    })
    return true
  }

  countDropped(): void {
    this.#options.metrics.increment('http_rejected_total{reason="dropped"}')
  }

  destroyRefused(): void {
    for (const socket of this.#refused) socket.destroy()
  }

  #count(change: number): void {
    this.#open += change
    this.#options.metrics.set('http_connections', this.#open)
  }

  #refuse(socket: Socket, reason: string): false {
    const { clock, metrics, isTls } = this.#options
    metrics.increment(`http_rejected_total{reason="${reason}"}`)
    // The HTTP connection's event 'close' follows.
    socket.on('error', () => {})
    if (isTls) {
      socket.destroy()
      return false
    }
    this.#refused.add(socket)
    const cancel = clock.after(lingerTime, () => socket.destroy())
    socket.once('close', () => {
      cancel()
      this.#refused.delete(socket)
    })
    socket.resume()
    this.#reply(socket)
    return false
  }

  #reply(socket: Socket): void {
    const { sendRefusal, tracker } = this.#options
    const onReplyEnd = (): void => {
      tracker?.end(response, true)
      socket.end()
    }
    const end = { isLastReply: true, keepAliveFields: '', onReplyEnd, onBackpressure: () => {} }
    const response = beginRefusal({ socket, ...end }, tracker)
    refuse(response, tooBusyError(refusal), sendRefusal)
  }
}
