import { createServer, type IncomingMessage, METHODS, type Server } from 'node:http'
import { Duplex } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import type { AcceptedRequest, FramedRequest } from './framing.js'

const knownMethods = new Set(METHODS)
const endRequest = 'GET /end HTTP/1.1\r\nHost: end\r\n\r\n'
const absoluteForm = /^https?:\/\/[^/?#]*/i
/** Fields that only node:http obeys. It drops bytes after `Upgrade`. */
const specialField = /(\r\n)(?:u(?=pgrade:)|p(?=roxy-connection:))/gi
const specialName = /^(?:u(?=pgrade$)|p(?=roxy-connection$))/i
/** Turns of the event loop within which node:http reads what it received. */
const maxTurns = 200

interface SeenRequest extends FramedRequest {
  body: string
  isComplete: boolean
}

/** What node:http makes of requests. */
export interface NodeFraming {
  readonly requests: readonly FramedRequest[]
  /** Why it refused something; undefined if it did not. */
  readonly error: string | undefined
}

/** Reads requests with node:http. */
export class NodeReference {
  readonly #server: Server
  #seen: SeenRequest[] = []
  #error: string | undefined

  constructor() {
    this.#server = createServer({ maxHeaderSize: 64 * 1024 })
    this.#server.on('request', request => this.#record(request))
    this.#server.on('clientError', error => {
      this.#error = error.message
    })
  }

  /**
   * Resolves to what node:http makes of requests that follow each other on one connection. If the
   * last one keeps the connection open, a request for `/end` shows that it ends where we think.
   */
  async frame(requests: readonly string[], isKeptAlive: boolean): Promise<NodeFraming> {
    this.#seen = []
    this.#error = undefined
    const socket = new Duplex({ read() {}, write: (_chunk, _encoding, done) => done() })
    this.#server.emit('connection', socket)
    const all = isKeptAlive ? [...requests, endRequest] : requests
    socket.push(Buffer.from(all.join(''), 'latin1'))
    for (let turn = 0; turn < maxTurns && !this.#isDone(all.length); turn += 1) await setImmediate()
    socket.destroy()
    const read = this.#seen
      .filter(({ isComplete }) => isComplete)
      .map(({ isComplete, ...request }): FramedRequest => request)
    const hasEnd = isKeptAlive && read.at(-1)?.target === '/end'
    return { requests: hasEnd ? read.slice(0, -1) : read, error: this.#error }
  }

  #isDone(count: number): boolean {
    if (this.#error !== undefined) return true
    return this.#seen.length >= count && this.#seen.every(({ isComplete }) => isComplete)
  }

  #record(request: IncomingMessage): void {
    const { method = '', url = '', rawHeaders } = request
    const path = url.replace(absoluteForm, '')
    const target = path.startsWith('/') || path === '*' ? path : `/${path}`
    const seen = { method, target, fields: rawHeaders, body: '', isComplete: false }
    this.#seen.push(seen)
    request.setEncoding('latin1')
    request.on('data', (piece: string) => {
      seen.body += piece
    })
    request.on('end', () => {
      seen.isComplete = true
    })
    request.on('error', () => {})
  }
}

/**
 * Changes a request so that node:http takes it: an unknown method becomes POST, and special fields
 * get another name.
 */
export function adaptForNode(bytes: string, { method }: AcceptedRequest): string {
  const start = bytes.search(/[^\r\n]/)
  const headEnd = bytes.indexOf('\r\n\r\n', start)
  const head = bytes.slice(start + method.length, headEnd).replace(specialField, '$1x')
  return bytes.slice(0, start) + adaptMethod(method) + head + bytes.slice(headEnd)
}

/** The request as node:http has to see it. */
export function expectFromNode({ method, target, fields, body }: AcceptedRequest): FramedRequest {
  const adapted = fields.map((text, at) => (at % 2 === 0 ? text.replace(specialName, 'x') : text))
  return { method: adaptMethod(method), target, fields: adapted, body }
}

function adaptMethod(method: string): string {
  return knownMethods.has(method) ? method : 'POST'
}
